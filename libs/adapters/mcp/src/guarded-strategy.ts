import type {
  NotText,
  Tool,
  ToolArguments,
  ToolContext,
  ToolParameters,
} from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import type { McpCaller } from './guarded-server.js';
import {
  guardedResult,
  type McpResult,
  OUTCOME_TOOL,
  outcomeResult,
  withWayToOutcome,
} from './mcp-results.js';

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
  /** Lists a tool of this name, with which a client gets the outcome of its pending call by `approvalId`. */
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

type NamedDefinition = Definition & { readonly name: string; readonly handler: object };

interface Session {
  readonly sessionId?: string;
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

/** What an approved call gets instead of a caller. */
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
  const guard = new StrategyGuard(strategy, guardrails, options);
  return Object.assign(strategy, {
    listen: (callback: unknown) => guard.listen(callback),
    registerTool: (definition: NamedDefinition) => guard.registerTool(definition),
    bindRequestHandlers: (server: Server, session: Session, request?: unknown) =>
      guard.bindRequestHandlers(server, session, request),
  });
}

class StrategyGuard {
  private readonly original: Pick<McpStrategyLike, 'bindRequestHandlers' | 'registerTool' | 'listen'>;
  private readonly tools = new Map<string, Tool>();
  /** Names of the tools of controllers. The strategy calls these where another tool has the same name. */
  private readonly declared = new Set<string>();
  private readonly calls: CallScope<RunInRequest>;

  constructor(
    private readonly strategy: McpStrategyLike,
    private readonly guardrails: Guardrails,
    private readonly options: GuardedStrategyOptions,
  ) {
    this.original = {
      bindRequestHandlers: strategy.bindRequestHandlers.bind(strategy),
      registerTool: strategy.registerTool.bind(strategy),
      listen: strategy.listen.bind(strategy),
    };
    this.calls = scopes.get(guardrails) ?? new CallScope<RunInRequest>();
    scopes.set(guardrails, this.calls);
  }

  /** Declares the tools of controllers on every instance, so that each of them can run an approved call. */
  listen(callback: unknown): unknown {
    for (const { extras } of this.strategy.getHandlers().values()) {
      if (extras?.mcpType !== 'tool') continue;
      const definition = metadata.getMetadata(TOOL_METADATA, extras.mcpMethodRef);
      this.declare(definition.name ?? extras.mcpMethodKey, extras.mcpMethodRef, definition);
    }
    return this.original.listen(callback);
  }

  registerTool(definition: NamedDefinition): void {
    this.add(definition.name, definition.handler, definition);
    this.original.registerTool(definition);
  }

  bindRequestHandlers(server: Server, session: Session, request: unknown): void {
    const handlers = this.handlersOf(server, session, request);
    if (handlers === null) return;
    const callBy = ({ sessionId, authInfo, http }: McpCaller): McpNestCall => ({
      request,
      sessionId: sessionId ?? session.sessionId,
      authInfo: authInfo ?? http?.authInfo,
    });
    server.server.setRequestHandler('tools/list', (_: unknown, caller: McpCaller) =>
      this.shownList(handlers.list(_, caller)),
    );
    server.server.setRequestHandler('tools/call', (toolRequest: ToolRequest, caller: McpCaller) =>
      this.guardedCall(handlers, toolRequest, caller, callBy(caller)),
    );
  }

  private declare(name: string, handler: object, definition: Definition) {
    if (this.tools.has(name)) throw duplicateTool(name);
    this.add(name, handler, definition);
    this.declared.add(name);
  }

  /** `handler` is the function of the host. */
  private add(name: string, handler: object, definition: Definition): void {
    const { description, parameters = NO_PARAMETERS, annotations } = definition;
    if (this.declared.has(name)) throw duplicateTool(name);
    if (name === this.options.outcomeTool)
      throw new Error(`The tool ${name} has the name of \`outcomeTool\`.`);
    const tool: Tool = {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(annotations !== undefined && { annotations }),
      execute: this.calls.executeOf(handler, (args, runInRequest, { signal }) =>
        runInRequest === undefined ? this.runApproved(name, args, signal) : runInRequest(args),
      ),
    };
    this.guardrails.guardTool(tool, {});
    this.tools.set(name, tool);
  }

  private async runApproved(name: string, args: ToolArguments, signal: unknown) {
    const server: Server = { server: { setRequestHandler: () => undefined } };
    const request = this.options.approvedRequest?.(name, args);
    const handlers = this.handlersOf(server, OUTSIDE_REQUESTS, request);
    if (handlers === null) throw new Error(`The tool ${name} is no longer registered.`);
    const result = await handlers.call(callOf(name, args), { mcpReq: { signal } });
    if (result.isError === true) throw new Error(errorText(result));
    return result;
  }

  private handlersOf(server: Server, session: object, request: unknown) {
    return toolHandlers(server, () => this.original.bindRequestHandlers(server, session, request));
  }

  /** Without owner keys, and without output schemas, because a refused or pending call has no such result. */
  private shownList({ tools: listed, ...rest }: Listed): object {
    const shown = listed.map(
      ({ outputSchema: _notPromised, ...tool }: { name: string; outputSchema?: unknown }) => {
        const guarded = this.tools.get(tool.name);
        const inputSchema = guarded && this.guardrails.modelParameters(guarded);
        return inputSchema ? { ...tool, inputSchema } : tool;
      },
    );
    const { outcomeTool } = this.options;
    return {
      ...rest,
      tools: outcomeTool === undefined ? shown : [...shown, { name: outcomeTool, ...OUTCOME_TOOL }],
    };
  }

  private async guardedCall(
    handlers: ToolHandlers,
    request: ToolRequest,
    caller: McpCaller,
    call: McpNestCall,
  ): Promise<McpResult> {
    const { name, arguments: args = {} } = request.params;
    const { outcomeTool, notText = 'record' } = this.options;
    if (name === outcomeTool) {
      const { approvalId } = args as { approvalId?: unknown };
      return outcomeResult(this.guardrails, approvalId, await this.options.context(call));
    }
    // The strategy lists the tools that the caller may use by scopes and roles; calls of others must not wait either.
    const isListed = handlers.list({ method: 'tools/list' }, caller).tools.some((tool) => tool.name === name);
    const tool = isListed ? this.tools.get(name) : undefined;
    if (tool === undefined) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: INVALID_PARAMS });
    const context = await this.options.context(call);
    const runInRequest: RunInRequest = (scoped) =>
      handlers.call({ ...request, params: { ...request.params, arguments: scoped } }, caller);
    const result = await this.calls.run(runInRequest, () =>
      guardedResult(this.guardrails, tool, args, context, notText),
    );
    return outcomeTool === undefined ? result : withWayToOutcome(result, outcomeTool);
  }
}

function duplicateTool(name: string) {
  return new Error(`Two tools are named ${name}. Rename one of them.`);
}

/** The first text of a result that is an error. */
function errorText({ content }: McpResult) {
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
  const handlers: Partial<Record<string, unknown>> = {};
  server.setRequestHandler = (method, handler, ...rest) => {
    if (method === 'tools/list' || method === 'tools/call') handlers[method] = handler;
    else set(method, handler, ...rest);
  };
  try {
    bind();
  } finally {
    server.setRequestHandler = set;
  }
  const { 'tools/list': list, 'tools/call': call } = handlers;
  return list === undefined || call === undefined ? null : ({ list, call } as ToolHandlers);
}
