import type { NotText, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import { type InputSchema, schemasOf } from './input-schemas.js';
import { guardedResult, type McpResult } from './mcp-results.js';
import { OUTCOME_TOOL, outcomeResult, withWayToOutcome } from './outcome-tool.js';

/** The part of an `McpServer` that is used; that of the SDK 1.x and of `@modelcontextprotocol/server` 2.x have it. */
export interface McpServerLike {
  // The signature of the SDK is generic over the schema library of the host.
  // oxlint-disable-next-line typescript/no-explicit-any
  registerTool(name: string, config: any, handler: any): unknown;
}

/** What identifies the caller: `RequestHandlerExtra` of the SDK 1.x, `ServerContext` of 2.x. */
export interface McpCaller {
  readonly sessionId?: string | undefined;
  readonly authInfo?: McpAuthInfo | undefined;
  readonly http?: { readonly authInfo?: McpAuthInfo | undefined } | undefined;
}

interface McpAuthInfo {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The options of `guardedServer`. */
export interface GuardedServerOptions<Caller> {
  /** The context of one call, from what the transport authenticated. A throw refuses the call. */
  readonly context: (caller: Caller) => ToolContext | Promise<ToolContext>;
  /** Results with images, audio or binary resources. Default `record`. */
  readonly notText?: NotText;
  /**
   * Registers a tool of this name, with which a client gets the outcome of its pending call by `approvalId`. Without it a
   * client has no way to get the outcome.
   */
  readonly outcomeTool?: string;
}

/** A server whose tools are guarded. */
export interface GuardedServer<Server extends McpServerLike> {
  /** `registerTool` of the server, which guards the calls of the tool. */
  readonly registerTool: Server['registerTool'];
  /** The registered tools, for the option `tools` of the engine. */
  readonly tools: readonly Tool[];
}

interface Config {
  readonly description?: string;
  readonly inputSchema?: InputSchema;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

type Handler = (...given: unknown[]) => McpResult | Promise<McpResult>;

const calls = new CallScope<McpCaller>();

/**
 * Guards an MCP server. Call it once for each server, before tools are registered: from then on `registerTool` of the
 * server guards the tools, and the deprecated `tool` of the SDK 1.x, which cannot, throws.
 *
 * @throws Error where tools were registered before, which would stay unguarded.
 */
export async function guardedServer<Server extends McpServerLike, Caller = McpCaller>(
  server: Server,
  guardrails: Guardrails,
  { context, notText = 'record', outcomeTool }: GuardedServerOptions<Caller>,
): Promise<GuardedServer<Server>> {
  const schemas = await schemasOf(server);
  const own: McpServerLike & { tool?: unknown } = server;
  assertNoTools(server);
  const register = own.registerTool.bind(server);
  const tools: Tool[] = [];

  const registerTool = (
    name: string,
    { outputSchema: _notPromised, ...config }: Config,
    handler: Handler,
  ) => {
    const { inputSchema, description, annotations } = config;
    const tool: Tool = {
      name,
      ...(description !== undefined && { description }),
      parameters: schemas.parametersOf(inputSchema),
      ...(annotations !== undefined && { annotations }),
      execute: calls.executeOf(handler, (args, given, { signal }) => {
        const caller = given ?? { signal };
        return inputSchema === undefined ? handler(caller) : handler(args, caller);
      }),
    };
    const shown = guardrails.modelParameters(tool);
    guardrails.guardTool(tool, {});
    tools.push(tool);
    return register(
      name,
      { ...config, inputSchema: schemas.shown(shown) },
      // `arguments` of a call is optional, and older versions of the SDK pass it on as it is.
      async (args: unknown = {}, caller: Caller & McpCaller) => {
        const of = await context(caller);
        const result = await calls.run(caller, () => guardedResult(guardrails, tool, args, of, notText));
        return outcomeTool === undefined ? result : withWayToOutcome(result, outcomeTool);
      },
    );
  };

  if (outcomeTool !== undefined) {
    register(
      outcomeTool,
      {
        ...OUTCOME_TOOL,
        inputSchema: schemas.shown(OUTCOME_TOOL.inputSchema),
      },
      async ({ approvalId }: { approvalId?: unknown }, caller: Caller) =>
        outcomeResult(guardrails, approvalId, await context(caller)),
    );
  }
  own.registerTool = registerTool;
  own.tool = () => {
    throw new Error('A guarded server has no tool(), which would not guard: use registerTool().');
  };
  return { registerTool: registerTool as Server['registerTool'], tools };
}

/** Both SDKs have this member, and no public one that names the registered tools. */
function assertNoTools(server: McpServerLike): void {
  const { _registeredTools = {} }: McpServerLike & { readonly _registeredTools?: object } = server;
  const before = Object.keys(_registeredTools);
  if (before.length === 0) return;
  throw new Error(
    `These tools were registered before guardedServer() and would stay unguarded: ${before.join(', ')}. Register them after it.`,
  );
}
