import type { NotText, Tool, ToolArguments, ToolContext, ToolParameters } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import type { McpCaller } from './guarded-server.js';
import { guardedResult, type McpResult } from './mcp-results.js';
import { OUTCOME_TOOL, outcomeResult, withWayToOutcome } from './outcome-tool.js';

/** The part of an `McpStrategy` of `@rekog/mcp-nest` 2 that is used. */
export interface McpStrategyLike {
  /** Sets the handlers of the protocol on the server of one connection or request. */
  // oxlint-disable-next-line typescript/no-explicit-any
  bindRequestHandlers(server: any, session: any, request?: unknown): void;
  // oxlint-disable-next-line typescript/no-explicit-any
  registerTool(definition: any): void;
  // oxlint-disable-next-line typescript/no-explicit-any
  listen(callback: any): unknown;
  // oxlint-disable-next-line typescript/no-explicit-any
  getHandlers(): Map<string, any>;
}

/** One call of a tool of an `McpStrategy`. */
export interface McpNestCall {
  /** The request of the HTTP adapter, such as that of Express; `undefined` for stdio. */
  readonly request: unknown;
  readonly sessionId: string | undefined;
  readonly authInfo: McpCaller['authInfo'];
}

/** The options of `guardedStrategy`. */
export interface GuardedStrategyOptions {
  /** The context of one call. It runs before the Nest guards of the tool. A throw refuses the call. */
  readonly context: (call: McpNestCall) => ToolContext | Promise<ToolContext>;
  /** Results with images, audio or binary resources. Default `record`. */
  readonly notText?: NotText;
  /** Lists a tool of this name, with which a client gets the outcome of its parked call by `approvalId`. */
  readonly outcomeTool?: string;
  /**
   * The request that guards, scopes and roles of an approved call get, as it runs later and on any instance. Default:
   * none, so a tool that needs a user fails when it is approved.
   */
  readonly approvedRequest?: (tool: string, args: ToolArguments) => unknown;
}

interface Definition {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: ToolParameters;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

interface ToolRequest {
  readonly method: 'tools/call';
  readonly params: { readonly name: string; readonly arguments?: unknown };
}

interface Listed {
  readonly tools: readonly { readonly name: string }[];
}

interface Server {
  readonly server: { setRequestHandler(method: string, handler: unknown, ...rest: unknown[]): unknown };
}

/** The handlers of `tools/list` and `tools/call`, as the strategy sets them for one server. */
interface ToolHandlers {
  readonly list: (request: unknown, caller: McpCaller) => Listed;
  readonly call: (request: ToolRequest, caller: McpCaller | ApprovedCaller) => Promise<McpResult>;
}

/** What an approved call has instead of the caller of a request. */
interface ApprovedCaller {
  readonly mcpReq: { readonly signal: unknown };
}

/** Runs the tool with the arguments of the firewall, in the request of the model. */
type RunInRequest = (args: ToolArguments) => Promise<McpResult>;

/** One scope for each engine, so that a tool whose strategy is built again counts as the same code. */
const scopes = new WeakMap<Guardrails, CallScope<RunInRequest>>();
const NO_PARAMETERS: ToolParameters = { type: 'object', properties: {} };
const OUTSIDE_REQUESTS = { transport: 'streamable-http', stateless: true, era: 'legacy' };
/** The key of the metadata of `@Tool()`. */
const TOOL_METADATA = 'mcp:tool';
/** Nest loads `reflect-metadata`, which this package does not import. */
const metadata = Reflect as unknown as { getMetadata(key: string, of: object): Definition };
const INVALID_PARAMS = -32_602;

/**
 * Guards all tools of an `McpStrategy`: those of controllers, and those that are registered later. Call it before the
 * strategy is connected. Returns the strategy.
 */
export function guardedStrategy<Strategy extends McpStrategyLike>(
  strategy: Strategy,
  guardrails: Guardrails,
  options: GuardedStrategyOptions,
): Strategy {
  if (typeof (strategy as Partial<McpStrategyLike>).bindRequestHandlers !== 'function') {
    throw new Error(
      'guardedStrategy needs an `McpStrategy` of @rekog/mcp-nest 2. Run: npm install @rekog/mcp-nest@2',
    );
  }
  const bind = strategy.bindRequestHandlers.bind(strategy);
  const register = strategy.registerTool.bind(strategy);
  const listen = strategy.listen.bind(strategy);
  const tools = new Map<string, Tool>();
  /** Names of the tools of controllers. The strategy calls these where another tool has the same name. */
  const declared = new Set<string>();
  const calls = scopes.get(guardrails) ?? new CallScope<RunInRequest>();
  scopes.set(guardrails, calls);

  /** `handler` is the function of the host. */
  const add = (name: string, handler: object, definition: Definition, isDeclared = false): void => {
    const { description, parameters = NO_PARAMETERS, annotations } = definition;
    if (declared.has(name) || (isDeclared && tools.has(name)))
      throw new Error(`Two tools are named ${name}. Rename one of them.`);
    if (isDeclared) declared.add(name);
    if (name === options.outcomeTool) throw new Error(`The tool ${name} has the name of \`outcomeTool\`.`);
    const tool: Tool = {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(annotations !== undefined && { annotations }),
      execute: calls.executeOf(handler, (args, runInRequest, { signal }) =>
        runInRequest === undefined ? runApproved(name, args, signal) : runInRequest(args),
      ),
    };
    guardrails.guardTool(tool, {});
    tools.set(name, tool);
  };

  const runApproved = async (name: string, args: ToolArguments, signal: unknown): Promise<McpResult> => {
    const server: Server = { server: { setRequestHandler: () => undefined } };
    const request = options.approvedRequest?.(name, args);
    const handlers = toolHandlers(server, () => bind(server, OUTSIDE_REQUESTS, request));
    if (handlers === null) throw new Error(`The tool ${name} is no longer registered.`);
    const result = await handlers.call(callOf(name, args), { mcpReq: { signal } });
    if (result.isError === true) throw new Error(errorText(result));
    return result;
  };

  return Object.assign(strategy, {
    /** Declares the tools of controllers on every instance, so that each of them can run an approved call. */
    listen(callback: unknown): unknown {
      for (const { extras } of strategy.getHandlers().values()) {
        if (extras?.mcpType !== 'tool') continue;
        const definition = metadata.getMetadata(TOOL_METADATA, extras.mcpMethodRef);
        const name = definition.name ?? extras.mcpMethodKey;
        add(name, extras.mcpMethodRef, definition, true);
      }
      return listen(callback);
    },

    registerTool(definition: Definition & { readonly name: string; readonly handler: object }): void {
      add(definition.name, definition.handler, definition);
      register(definition);
    },

    bindRequestHandlers(server: Server, session: { readonly sessionId?: string }, request?: unknown): void {
      const handlers = toolHandlers(server, () => bind(server, session, request));
      if (handlers === null) return;
      const callBy = ({ sessionId, authInfo, http }: McpCaller): McpNestCall => ({
        request,
        sessionId: sessionId ?? session.sessionId,
        authInfo: authInfo ?? http?.authInfo,
      });
      server.server.setRequestHandler('tools/list', (_: unknown, caller: McpCaller) =>
        shownList(handlers.list(_, caller)),
      );
      server.server.setRequestHandler('tools/call', (wanted: ToolRequest, caller: McpCaller) =>
        guardedCallOf(handlers, wanted, caller, callBy(caller)),
      );
    },
  });

  /** Without owner keys, and without output schemas, because a refused or parked call has no such result. */
  function shownList({ tools: listed, ...rest }: Listed): object {
    const shown = listed.map(
      ({ outputSchema: _notPromised, ...tool }: { name: string; outputSchema?: unknown }) => {
        const guarded = tools.get(tool.name);
        const inputSchema = guarded && guardrails.modelParameters(guarded);
        return inputSchema ? { ...tool, inputSchema } : tool;
      },
    );
    const { outcomeTool } = options;
    return {
      ...rest,
      tools: outcomeTool === undefined ? shown : [...shown, { name: outcomeTool, ...OUTCOME_TOOL }],
    };
  }

  async function guardedCallOf(
    handlers: ToolHandlers,
    wanted: ToolRequest,
    caller: McpCaller,
    call: McpNestCall,
  ): Promise<McpResult> {
    const { name, arguments: args = {} } = wanted.params;
    const { outcomeTool } = options;
    if (name === outcomeTool) {
      const { approvalId } = args as { approvalId?: unknown };
      return outcomeResult(guardrails, approvalId, await options.context(call));
    }
    // The strategy lists the tools that the caller may use by scopes and roles; others must not be parked either.
    const isListed = handlers.list({ method: 'tools/list' }, caller).tools.some((tool) => tool.name === name);
    const tool = isListed ? tools.get(name) : undefined;
    if (tool === undefined) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: INVALID_PARAMS });
    const context = await options.context(call);
    const runInRequest: RunInRequest = (scoped) =>
      handlers.call({ ...wanted, params: { ...wanted.params, arguments: scoped } }, caller);
    const result = await calls.run(runInRequest, () =>
      guardedResult(guardrails, tool, args, context, options.notText ?? 'record'),
    );
    return outcomeTool === undefined ? result : withWayToOutcome(result, outcomeTool);
  }
}

/** The first text of a result that is an error. */
function errorText({ content }: McpResult): string {
  const [first] = content;
  return typeof first?.['text'] === 'string' ? first['text'] : 'The tool failed.';
}

const callOf = (name: string, args: ToolArguments): ToolRequest => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

/** The handlers of tools that `bind` sets on the server. They are not set. `null`: there are no tools. */
function toolHandlers({ server }: Server, bind: () => void): ToolHandlers | null {
  const set = server.setRequestHandler.bind(server);
  const found: Partial<Record<string, unknown>> = {};
  server.setRequestHandler = (method, handler, ...rest) => {
    if (method === 'tools/list' || method === 'tools/call') found[method] = handler;
    else set(method, handler, ...rest);
  };
  try {
    bind();
  } finally {
    server.setRequestHandler = set;
  }
  const { 'tools/list': list, 'tools/call': call } = found;
  return list === undefined || call === undefined ? null : ({ list, call } as ToolHandlers);
}
