import { jsonSchema, tool } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { ANSWER, CALLER, INJECTION, openShop, print, refund, refunds, use } from './shop.mjs';

const { answer } = await use('hosts/ai-sdk/ai-sdk-agent.js');
const { resume } = await use('hosts/ai-sdk/ai-sdk-resume.js');
const { continueChats, turn } = await use('hosts/ai-sdk/ai-sdk-approvals.js');

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: '{"order":"A-1182"}' };
const answerParts = [
  { type: 'text-start', id: '0' },
  ...ANSWER.match(/.{1,9}/g).map((delta) => ({ type: 'text-delta', id: '0', delta })),
  { type: 'text-end', id: '0' },
];

/** A model that calls the tool first, unless the conversation has its result or a message about it. */
const prompts = [];
const model = new MockLanguageModelV3({
  doStream: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    const isAnswering = prompt.some(({ role }) => role === 'tool');
    const finishReason = { unified: isAnswering ? 'stop' : 'tool-calls', raw: undefined };
    const chunks = [...(isAnswering ? answerParts : [call]), { type: 'finish', finishReason, usage }];
    return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
  },
  doGenerate: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    const finishReason = { unified: 'stop', raw: undefined };
    return { content: [{ type: 'text', text: 'It is paid.' }], finishReason, usage, warnings: [] };
  },
});
const tools = {
  refund: tool({
    description: 'Pays an order back.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
    }),
    execute: refund,
  }),
};

const textOf = async (chunks) => {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
};

const shop = await openShop();
const { guardrails } = shop;
const streamed = await textOf(await answer(guardrails, model, tools, 'Refund it.', CALLER));
const refused = await textOf(await answer(guardrails, model, tools, INJECTION, CALLER));
const approvalId = await shop.approve();
const resumed = await resume(
  guardrails,
  model,
  [{ role: 'user', content: 'Refund it.' }],
  approvalId,
  CALLER,
);
const resumedWith = prompts.at(-1).includes('Paid A-1182 back.');

const chat = { ...CALLER, runId: 'run-2' };
const stored = [{ role: 'user', content: 'Refund it.' }];
const first = await turn(guardrails, model, tools, stored, chat);
const waiting = await textOf(first.text);
stored.push(...(await first.added));
const continued = new Promise((resolve) => {
  continueChats(guardrails, async (runId) => {
    const next = await turn(guardrails, model, tools, stored, { ...chat, runId });
    resolve(await textOf(next.text));
  });
});
// The periodic tasks keep no process alive.
const alive = setInterval(() => undefined, 1_000);
await shop.approve();
const answered = await continued;
clearInterval(alive);
const continuedWith = prompts.at(-1).includes('Paid A-1182 back.');
await shop.stop();
print({ streamed, refused, resumed, resumedWith, waiting, answered, continuedWith, refunds });
