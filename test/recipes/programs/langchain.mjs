import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { INTERRUPT, MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { ANSWER, CALLER, INJECTION, openShop, print, refund, refunds, use } from './shop.mjs';

const { answer } = await use('hosts/langchain/langchain-agent.js');
const { continueWith, resume } = await use('hosts/langchain/langchain-resume.js');
const { guardedTools } = await use('libs/adapters/langchain/src/index.js');

/** A model that calls the tool first, unless the conversation has its result. */
class FakeModel extends BaseChatModel {
  given = [];

  constructor() {
    super({});
  }

  _llmType() {
    return 'fake';
  }

  bindTools() {
    return this.withConfig({});
  }

  async _generate(messages) {
    this.given.push(messages);
    const isAnswering = messages.some(
      (message) => ToolMessage.isInstance(message) || message.text.startsWith('refund: '),
    );
    const call = { name: 'refund', args: { order: 'A-1182' }, id: 'call-1', type: 'tool_call' };
    const message = isAnswering ? new AIMessage(ANSWER) : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ message, text: message.text }] };
  }
}

const tools = [
  tool(refund, {
    name: 'refund',
    description: 'Pays an order back.',
    schema: z.object({ order: z.string() }),
  }),
];
const model = new FakeModel();
const shop = await openShop();
const { guardrails } = shop;
const answered = await answer(guardrails, model, tools, 'Refund it.', CALLER);
const refused = await answer(guardrails, model, tools, INJECTION, CALLER);
const approvalId = await shop.approve();
await guardrails.approvalOutcome(approvalId);
await continueWith(guardrails, createAgent({ model, tools: [] }), approvalId, CALLER);
const continuedWith = JSON.stringify(model.given.at(-1)).includes('Paid A-1182 back.');

const caller = { ...CALLER, runId: 'run-2' };
const agent = createAgent({
  model,
  tools: await guardedTools(guardrails, tools, caller, { interrupt: true }),
  checkpointer: new MemorySaver(),
});
const state = await agent.invoke(
  { messages: [{ role: 'user', content: 'Refund it.' }] },
  { configurable: { thread_id: 'thread-1' } },
);
const interrupted = state[INTERRUPT][0].value;
await shop.approve();
const resumed = await resume(agent, 'thread-1', interrupted.approvalId);
const resumedWith = JSON.stringify(model.given.at(-1)).includes('Paid A-1182 back.');
await shop.stop();
print({
  answered,
  refused,
  continuedWith,
  interrupted: interrupted.guardrails,
  resumed,
  resumedWith,
  refunds,
});
