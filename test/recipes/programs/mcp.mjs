import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { openShop, print, refund as pay, refunds, use } from './shop.mjs';

const { shopServer } = await use('hosts/mcp/mcp-server.js');
const { refund, shopTools } = await use('hosts/mcp/mcp-client.js');
const { digestOfTool } = await use('libs/adapters/mcp/src/index.js');

async function connected(server) {
  const client = new Client({ name: 'model', version: '1.0.0' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  const send = other.send.bind(other);
  // As a transport that authenticated the client.
  other.send = (message) => send(message, { authInfo: { token: 't', clientId: 'customer-42', scopes: [] } });
  await Promise.all([server.connect(one), client.connect(other)]);
  return client;
}

const shop = await openShop();
const { guardrails } = shop;
const client = await connected(await shopServer(guardrails));
const { tools } = await client.listTools();
const listed = Object.fromEntries(
  tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)]),
);
const parked = await client.callTool({ name: 'refund', arguments: { order: 'A-1182' } });
const { approvalId } = parked._meta['nest-guardrails/parked'];
const before = await client.callTool({ name: 'call_outcome', arguments: { approvalId } });
await shop.approve();
const after = await client.callTool({ name: 'call_outcome', arguments: { approvalId } });

// The guide pins an example of a digest, which no tool has.
const warnings = [];
console.warn = (warning) => warnings.push(warning);
const foreign = new McpServer({ name: 'foreign', version: '1.0.0' });
foreign.registerTool('refund', { inputSchema: { order: z.string() } }, (args) => ({
  content: [{ type: 'text', text: pay(args) }],
}));
const pinning = await shopTools(await connected(foreign), guardrails);
const isRefused = await refund(pinning, 'A-1', 'customer-42').catch((error) => error.message);
await shop.stop();
print({
  listed,
  before: before.content,
  after: after.content,
  warnings,
  isRefused,
  refunds,
  digestOfTool: typeof digestOfTool,
});
