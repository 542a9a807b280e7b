import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Module } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpController, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { print, refund, refunds, use } from './shop.mjs';

const { serve } = await use('hosts/mcp/mcp-nest-main.js');
const { GuardrailsApiModule } = await use('src/index.js');

class Shop {
  refund(args) {
    return { content: [{ type: 'text', text: refund(args) }] };
  }
}
const parameters = z.object({ order: z.string(), customer_id: z.string().optional() });
Payload()(Shop.prototype, 'refund', 0);
Tool({ name: 'refund', description: 'Pays an order back.', parameters })(
  Shop.prototype,
  'refund',
  Object.getOwnPropertyDescriptor(Shop.prototype, 'refund'),
);
McpController()(Shop);

class App {
  name = 'shop';
}
const settings = { hitl: { enabled: true, token_secret: 's'.repeat(48), destructive_tools: [] } };
Module({ controllers: [Shop], imports: [GuardrailsApiModule.forRoot({ isGlobal: true, settings })] })(App);

const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
await once(free, 'close');
await serve(
  App,
  (request, _, next) => {
    request.user = { name: 'customer-42' };
    next();
  },
  port,
);

const client = new Client({ name: 'model', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
const { tools } = await client.listTools();
const listed = Object.fromEntries(
  tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)]),
);
const call = async (args) => (await client.callTool({ name: 'refund', arguments: args })).content[0].text;
const paid = await call({ order: 'A-1182', customer_id: 'customer-7' });
const refused = await call({ order: 7 });
print({ listed, paid, refused, refunds });
// The guide leaves the server open.
process.exit();
