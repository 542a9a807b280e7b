import { Agent, InputGuardrailTripwireTriggered, setTracingDisabled, tool, Usage } from '@openai/agents-core';
import { setDefaultModelProvider } from '@openai/agents-core';
import { ANSWER, CALLER, INJECTION, openShop, print, refund, refunds, use } from './shop.mjs';

const { answer } = await use('hosts/openai-agents/openai-agent.js');
const { resume } = await use('hosts/openai-agents/openai-agent-resume.js');
const { turn } = await use('hosts/openai-agents/openai-agent-interruptions.js');

/** A model that calls the tool first, unless the conversation has its result or a message about it. */
const given = [];
const model = {
  async getResponse({ input }) {
    given.push(JSON.stringify(input));
    const isAnswering = /function_call_result|refund: /.test(given.at(-1));
    const head = { type: 'message', role: 'assistant', status: 'completed' };
    const output = isAnswering
      ? { ...head, content: [{ type: 'output_text', text: ANSWER }] }
      : {
          type: 'function_call',
          callId: 'call-1',
          name: 'refund',
          arguments: '{"order":"A-1182"}',
          status: 'completed',
        };
    return { usage: new Usage(), output: [output] };
  },
};
setTracingDisabled(true);
setDefaultModelProvider({ getModel: () => model });

const tools = [
  tool({
    name: 'refund',
    description: 'Pays an order back.',
    parameters: {
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
      additionalProperties: false,
    },
    errorFunction: null,
    execute: refund,
  }),
];
const shop = await openShop();
const { guardrails } = shop;
const answered = await answer(guardrails, model, tools, 'Refund it.', CALLER);
const refused = await answer(guardrails, model, tools, INJECTION, CALLER).catch((error) => {
  if (!(error instanceof InputGuardrailTripwireTriggered)) throw error;
  return error.result.output.outputInfo.message;
});
const approvalId = await shop.approve();
const history = [{ type: 'message', role: 'user', content: 'Refund it.' }];
const resumed = await resume(guardrails, new Agent({ name: 'shop', model }), history, approvalId, CALLER);
const resumedWith = given.at(-1).includes('Paid A-1182 back.');

const caller = { ...CALLER, runId: 'run-2' };
const interrupted = await turn(guardrails, model, tools, { prompt: 'Refund it.' }, caller);
await shop.approve();
const continued = await turn(guardrails, model, tools, interrupted, caller);
const continuedWith = given.at(-1).includes('Paid A-1182 back.');
await shop.stop();
print({
  answered,
  refused,
  resumed,
  resumedWith,
  interrupted: Object.keys(interrupted),
  continued: Object.keys(continued),
  continuedWith,
  refunds,
});
