import type {
  JsonSchema,
  NotText,
  StandardSchema,
  Tool,
  ToolContext,
  ToolParameters,
} from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import { type ToolSayings, withSayings } from '#adapters/shared/guarded-call.js';
import {
  guardedResult,
  type McpResult,
  OUTCOME_TOOL,
  outcomeResult,
  withWayToOutcome,
} from './mcp-results.js';

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
export interface GuardedServerOptions<Caller> extends Pick<ToolSayings, 'describe'> {
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

type Handler = (...parameters: unknown[]) => McpResult | Promise<McpResult>;

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
  { context, notText = 'record', outcomeTool, describe = {} }: GuardedServerOptions<Caller>,
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
    const tool = withSayings(
      {
        name,
        ...(description !== undefined && { description }),
        parameters: schemas.parametersOf(inputSchema),
        ...(annotations !== undefined && { annotations }),
        execute: calls.executeOf(handler, (args, current, { signal }) => {
          const caller = current ?? { signal };
          return inputSchema === undefined ? handler(caller) : handler(args, caller);
        }),
      },
      { describe },
    );
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
function assertNoTools(server: McpServerLike) {
  const { _registeredTools = {} }: McpServerLike & { readonly _registeredTools?: object } = server;
  const before = Object.keys(_registeredTools);
  if (before.length === 0) return;
  throw new Error(
    `These tools were registered before guardedServer() and would stay unguarded: ${before.join(', ')}. Register them after it.`,
  );
}

/** What a host passes as `inputSchema`: a schema of zod or another library, or an object of zod schemas. */
type InputSchema = StandardSchema | Readonly<Record<string, unknown>>;

interface InputSchemas {
  parametersOf(schema: InputSchema | undefined): ToolParameters;
  /** An `inputSchema` for the SDK that lists this JSON Schema, and passes on the arguments as the model wrote them. */
  shown(schema: JsonSchema | null): unknown;
}

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/** The SDK 1.x reads zod schemas, and `@modelcontextprotocol/server` 2.x reads Standard Schemas. */
async function schemasOf(server: object) {
  const isFirst = 'tool' in server && typeof server.tool === 'function';
  return isFirst ? zodSchemas() : STANDARD_SCHEMAS;
}

/** `inputSchema: {}` is an object of no zod schemas: both SDKs accept it for a tool without parameters. */
const isEmpty = (schema: InputSchema) => !('~standard' in schema) && Object.keys(schema).length === 0;

const STANDARD_SCHEMAS: InputSchemas = {
  parametersOf: (schema) => {
    if (schema === undefined || isEmpty(schema)) return NO_PARAMETERS;
    if ('~standard' in schema) return schema;
    throw new Error(
      'A guarded MCP tool needs a Standard Schema as `inputSchema`, such as z.object({ … }) of zod 4.2 or later.',
    );
  },
  shown: (schema) => ({ '~standard': anything(schema ?? NO_PARAMETERS) }),
};

/** Accepts every value. The SDK requires `output` as well. */
function anything(schema: JsonSchema): object {
  const json = (): JsonSchema => ({ ...schema });
  return {
    version: 1,
    vendor: 'nest-guardrails',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: json, output: json },
  };
}

/** Through the helpers of the SDK, so that its own version of zod is used. */
async function zodSchemas(): Promise<InputSchemas> {
  const [{ normalizeObjectSchema, objectFromShape }, { toJsonSchemaCompat }] = await load();
  type Zod = Parameters<typeof normalizeObjectSchema>[0];
  return {
    parametersOf: (schema) => {
      if (schema === undefined || isEmpty(schema)) return NO_PARAMETERS;
      const zod = normalizeObjectSchema(schema as Zod) ?? (schema as NonNullable<Zod>);
      if (!('~standard' in zod)) {
        throw new Error(
          'A guarded MCP tool needs a zod schema or an object of zod schemas as `inputSchema`, such as { order: z.string() }.',
        );
      }
      const json = () => toJsonSchemaCompat(zod as never, { strictUnions: true, pipeStrategy: 'input' });
      const own = (zod as unknown as StandardSchema)['~standard'];
      const validate = (value: unknown) => own.validate(value);
      return { '~standard': { version: 1, vendor: own.vendor, validate, jsonSchema: { input: json } } };
    },
    shown: (schema) => {
      const open = objectFromShape({}) as unknown as { readonly _zod: OpenZod };
      open._zod.run = (payload) => payload;
      open._zod.toJSONSchema = () => ({ ...(schema ?? NO_PARAMETERS) });
      return open;
    },
  };
}

/** How a zod schema parses, and how it is written as JSON Schema. */
interface OpenZod {
  run: (payload: { value: unknown; issues: unknown[] }) => { value: unknown; issues: unknown[] };
  toJSONSchema: () => unknown;
}

async function load() {
  try {
    return await Promise.all([
      import('@modelcontextprotocol/sdk/server/zod-compat.js'),
      import('@modelcontextprotocol/sdk/server/zod-json-schema-compat.js'),
    ]);
  } catch (cause) {
    throw new Error(
      'nest-guardrails/mcp needs the package of the server. Run: npm install @modelcontextprotocol/sdk@1',
      {
        cause,
      },
    );
  }
}
