import assert from 'node:assert/strict';
import { run } from './run.mjs';

/** One guarded call with each SDK, from the tarball. `load` is `import` or `require`. */
const USE = (load) => `
  import assert from 'node:assert/strict';
  import { createRequire } from 'node:module';
  const require = createRequire(process.cwd() + '/host.js');
  const load = ${load};
  const { startEngine } = await load('nest-guardrails/engine');
  const running = await startEngine();
  const { guardrails } = running;
  const caller = { principalId: 'customer-42' };
  const written = { order: 'A-1182', customer_id: 'customer-1' };
  const shown = (result) => JSON.stringify(result) ?? String(result);
  const results = {};

  const { tool: aiTool } = await load('ai');
  const { z } = await load('zod');
  const schema = z.object({ order: z.string(), customer_id: z.string() });
  const track = ({ order, customer_id }) => order + ' of ' + customer_id;
  const ai = await (await load('nest-guardrails/ai-sdk')).guardedTools(
    guardrails, { track_ai: aiTool({ inputSchema: schema, execute: track }) }, caller);
  results.ai = shown(await ai.track_ai.execute(written, { toolCallId: '1', messages: [] }));

  const { tool: chainTool } = await load('@langchain/core/tools');
  const [chain] = await (await load('nest-guardrails/langchain')).guardedTools(
    guardrails, [chainTool(track, { name: 'track_chain', description: 'Tracks.', schema })], caller);
  results.langchain = shown(await chain.invoke({ type: 'tool_call', id: '1', name: 'track_chain', args: written }));

  const { tool: agentTool, RunContext } = await load('@openai/agents-core');
  const [agents] = await (await load('nest-guardrails/openai-agents')).guardedTools(
    guardrails, [agentTool({ name: 'track_agents', description: 'Tracks.', parameters: schema, execute: track })], caller);
  results.agents = shown(await agents.invoke(new RunContext(), JSON.stringify(written)));

  const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { InMemoryTransport } = await load('@modelcontextprotocol/sdk/inMemory.js');
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  const guarded = await (await load('nest-guardrails/mcp')).guardedServer(server, guardrails, { context: () => caller });
  guarded.registerTool('track', { inputSchema: schema.shape }, (args) => ({ content: [{ type: 'text', text: track(args) }] }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  results.mcp = shown(await client.callTool({ name: 'track', arguments: written }));
  await client.close();

  for (const [name, result] of Object.entries(results)) assert.match(result, /A-1182 of customer-42/, name + ': ' + result);
  const stop = await (await load('nest-guardrails/opentelemetry')).traceGuardrails(guardrails);
  stop();
  await running.stop();
  console.log(Object.keys(results).length);
`;

/** The folder of the unpacked tarball has the packages of the repository beside it. */
export async function partsWork(folder) {
  for (const load of ['(name) => import(name)', 'require'])
    assert.equal(
      (await run(process.execPath, ['--input-type=module', '--eval', USE(load)], folder)).trim(),
      '4',
    );
}

/** Each part says which package it needs. A host that catches the error goes on. */
export const WITHOUT_PACKAGES = `
  import assert from 'node:assert/strict';
  const { startEngine } = await import('nest-guardrails/engine');
  const running = await startEngine();
  const needs = async (part, use, packages) => {
    const error = await import('nest-guardrails/' + part).then(use).then(() => assert.fail(part), (thrown) => thrown);
    assert.match(String(error.message), packages, part);
  };
  await needs('ai-sdk', (part) => part.guardedTools(running.guardrails, {}, {}), /npm install ai/);
  await needs('langchain', (part) => part.guardedTools(running.guardrails, [], {}), /npm install langchain/);
  await needs('openai-agents', (part) => part.guardedTools(running.guardrails, [], {}), /npm install @openai.agents/);
  await needs('opentelemetry', (part) => part.traceGuardrails(running.guardrails), /npm install @opentelemetry/);
  await needs('typeorm', () => undefined, /Cannot find module 'typeorm'/);
  await needs('config', () => undefined, /Cannot find module '@nestjs/);
  await running.stop();
  await new Promise((resolve) => setTimeout(resolve, 100));
  console.log('went on');
`;
