import { Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import {
  type McpContext,
  McpController,
  McpStrategy,
  type McpTransportContext,
  StreamableHttpTransport,
  Tool as McpNestTool,
  ToolScopes,
} from '@rekog/mcp-nest';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { guardedStrategy, type GuardedStrategyOptions, type McpResult } from '#adapters/mcp/index.js';
import { resumedText } from '#adapters/shared/guarded-call.js';
import { decide } from '../support/approvals.js';
import { describeAdapter, opened } from './adapter.suite.js';
import { handlerOf, picturing, REFUND, shownOf } from './mcp.js';

const ABOUT = { name: 'shop', version: '1.0.0' };

/** Connects clients in memory. */
class LinkedTransport {
  readonly kind = 'stdio';
  private context: McpTransportContext | undefined;

  start(context: McpTransportContext): void {
    this.context = context;
  }

  close(): void {}

  async connected(): Promise<Client> {
    const client = new Client(ABOUT);
    const [one, other] = InMemoryTransport.createLinkedPair();
    const server = this.context?.createBoundServer({ transport: 'stdio', stateless: false });
    await Promise.all([server?.connect(one), client.connect(other)]);
    return client;
  }
}

async function served(
  guardrails: Guardrails,
  tool: Tool,
  context: ToolContext,
  notText: 'record' | 'refuse' = 'record',
): Promise<Client> {
  const transport = new LinkedTransport();
  const plain = new McpStrategy({ ...ABOUT, transports: [transport], logging: false });
  const strategy = guardedStrategy(plain, guardrails, { context: () => context, notText });
  const { name, description = '' } = tool;
  strategy.registerTool({ name, description, parameters: REFUND, handler: handlerOf(tool) as never });
  await strategy.listen(() => undefined);
  return transport.connected();
}

const call = async (client: Client, name: string, args: object): Promise<McpResult> =>
  (await client.callTool({ name, arguments: args as never })) as McpResult;

describeAdapter('the adapter for @rekog/mcp-nest', {
  picturing,
  async call({ guardrails }, tool, json, context, notText) {
    const client = await served(guardrails, tool, context, notText);
    return shownOf(await call(client, 'refund', JSON.parse(json) as object));
  },
  async shownParameters({ guardrails }, tool, context) {
    const { tools } = await (await served(guardrails, tool, context)).listTools();
    return Object.keys(tools[0]?.inputSchema.properties as object);
  },
  async forApprovals(tool) {
    const tools: Tool[] = [];
    const recorder = { guardTool: (each: Tool) => tools.push(each) } as unknown as Guardrails;
    await served(recorder, tool, {});
    return tools;
  },
  resume: async ({ guardrails }, approvalId, context) =>
    resumedText(guardrails, await guardrails.approvalOutcome(approvalId), context),
});

interface LoggedIn extends Request {
  user?: { readonly name: string; readonly scopes: readonly string[] };
}

class HasUser implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToRpc().getContext<McpContext>().getRawRequest<LoggedIn>()?.user !== undefined;
  }
}

const paid: object[] = [];

@McpController()
@UseGuards(HasUser)
class ShopController {
  @McpNestTool({ name: 'refund', description: 'Pays an order back.', parameters: REFUND })
  refund(@Payload() args: z.infer<typeof REFUND>): McpResult {
    paid.push(args);
    return { content: [{ type: 'text', text: `Paid ${args.order} back.` }] };
  }

  @McpNestTool({ name: 'close_shop', description: 'Closes the shop.', parameters: z.object({}) })
  @ToolScopes(['shop:close'])
  closeShop(): string {
    paid.push({ closed: true });
    return 'Closed.';
  }
}

@Module({ controllers: [ShopController] })
class ShopModule {}

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  paid.length = 0;
  for (const end of endings.splice(0)) await end();
});

/** A Nest application that serves MCP over HTTP to a customer, who logs in with a header. */
async function shop(
  guardrails: Guardrails,
  options: Partial<GuardedStrategyOptions> = {},
  customer = 'customer-42',
  prepare: (strategy: McpStrategy) => void = () => undefined,
): Promise<Client> {
  const host = await NestFactory.create(ShopModule, { logger: false });
  host.use((request: LoggedIn, _: Response, next: () => void) => {
    const name = request.headers['x-customer'];
    if (typeof name === 'string') request.user = { name, scopes: [] };
    next();
  });
  const strategy = new McpStrategy({
    ...ABOUT,
    transports: [new StreamableHttpTransport()],
    logging: false,
    httpAdapter: host.getHttpAdapter(),
  });
  guardedStrategy(strategy, guardrails, {
    context: ({ request }) => ({ principalId: (request as LoggedIn).user?.name, runId: 'run-1' }),
    outcomeTool: 'call_outcome',
    ...options,
  });
  prepare(strategy);
  host.connectMicroservice({ strategy });
  await host.startAllMicroservices();
  await host.listen(0, '127.0.0.1');
  const client = new Client(ABOUT);
  const requestInit = { headers: { 'x-customer': customer } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', await host.getUrl()), { requestInit }),
  );
  endings.push(
    () => client.close(),
    () => host.close(),
  );
  return client;
}

const OPEN = { 'hitl.destructive_tools': [] };
const WAITING = { 'hitl.enabled': true, 'hitl.destructive_tools': ['refund', 'close_shop'] };

it('another strategy than that of version 2 is an error with the install line', async () => {
  const { engine } = await opened(OPEN);
  const guard = () => guardedStrategy({} as McpStrategy, engine.guardrails, { context: () => ({}) });
  expect(guard).toThrow('npm install @rekog/mcp-nest@2');
});

/** Parks a refund, and approves it. */
async function approved(options: Parameters<typeof shop>[1] = {}) {
  const { engine } = await opened(WAITING);
  const client = await shop(engine.guardrails, options);
  const shown = shownOf(await call(client, 'refund', { order: 'A-1' }));
  if (shown.kind !== 'parked') throw new Error(JSON.stringify(shown));
  await decide(engine, shown);
  return { engine, client, approvalId: shown.approvalId };
}

describe('a Nest application with @rekog/mcp-nest', () => {
  it('overwrites owner keys of a tool of a controller, and its guards run', async () => {
    const { engine } = await opened(OPEN);
    const client = await shop(engine.guardrails);
    const result = await call(client, 'refund', { order: 'A-1', customer_id: 'customer-7' });
    expect(result.content).toEqual([{ type: 'text', text: 'Paid A-1 back.' }]);
    expect(paid).toEqual([{ order: 'A-1', customer_id: 'customer-42' }]);
  });

  it('records arguments that the schema does not accept', async () => {
    const { engine, log } = await opened(OPEN);
    const client = await shop(engine.guardrails);
    expect(await call(client, 'refund', { order: 7 })).toMatchObject({ isError: true });
    expect(log.decisions).toContain('guardrails.tool.rejected');
    expect(paid).toEqual([]);
  });

  it('does not park a call of a tool for which the caller has no scope', async () => {
    const { engine, stores } = await opened(WAITING);
    const client = await shop(engine.guardrails);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['refund', 'call_outcome']);
    await expect(call(client, 'close_shop', {})).rejects.toThrow('Unknown tool: close_shop');
    expect((await stores.approvals.pending({ limit: 5 })).entries).toEqual([]);
  });

  it('runs an approved call with the request of `approvedRequest`', async () => {
    const approvedRequest: GuardedStrategyOptions['approvedRequest'] = (tool, args) => ({
      user: { name: args['customer_id'], scopes: [tool] },
    });
    const { client, approvalId } = await approved({ approvedRequest });
    const outcome = await call(client, 'call_outcome', { approvalId });
    expect(JSON.stringify(outcome.content)).toContain('Paid A-1 back.');
    expect(paid).toEqual([{ order: 'A-1', customer_id: 'customer-42' }]);
  });

  it('fails an approved call that its guards refuse', async () => {
    const { engine, approvalId } = await approved();
    const { status } = await engine.guardrails.approvalOutcome(approvalId);
    expect(status).toBe('failed');
    expect(paid).toEqual([]);
  });

  it('refuses to start where a registered tool has the name of a tool of a controller', async () => {
    const { engine } = await opened(WAITING);
    const refund = {
      name: 'refund',
      description: 'Pays back, too.',
      handler: () => Promise.resolve('Paid.'),
    };
    const start = shop(engine.guardrails, {}, 'customer-42', (strategy) => strategy.registerTool(refund));
    await expect(start).rejects.toThrow('Two tools are named refund');
  });

  it('keeps the outcome of a call from another customer', async () => {
    const { engine, approvalId } = await approved();
    const other = await shop(engine.guardrails, {}, 'customer-7');
    const outcome = await call(other, 'call_outcome', { approvalId });
    expect(outcome).toMatchObject({ isError: true, content: [{ text: 'There is no such call.' }] });
  });
});
