import { ConfigurationError } from '#contracts/common/errors.js';
import type { NotText, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { digestOf } from '#engine/json/plain-json.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import { type ToolSayings, withSayings } from '#adapters/shared/guarded-call.js';
import { guardedResult, type McpResult } from './mcp-results.js';

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly [other: string]: unknown;
}

/** The part of a `Client` that is used; that of the SDK 1.x and of `@modelcontextprotocol/client` 2.x have it. */
export interface McpClientLike {
  listTools(params?: { cursor?: string }): Promise<{ tools: object[]; nextCursor?: string | undefined }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
}

/** The options of `guardedClient`. */
export interface GuardedClientOptions extends Pick<ToolSayings, 'describe'> {
  /**
   * The digest of each tool that may be called, by name. A tool that is missing here, or whose definition changed, is
   * refused, and the error contains its digest. Default: no tool is pinned.
   */
  readonly pins?: Readonly<Record<string, string>>;
  /** Results with images, audio or binary resources. Default `record`. */
  readonly notText?: NotText;
}

/** A client whose tools are guarded. */
export interface GuardedClient {
  /** The tools for the model, without owner keys. Refused tools are left out. */
  readonly listed: readonly McpTool[];
  /** Why a tool is refused, by name. */
  readonly refused: ReadonlyMap<string, string>;
  /** The tools for the option `tools` of the engine. */
  readonly tools: readonly Tool[];
  /** Like `callTool` of the client, for the principal of `context`. Throws if the tool is refused or unknown. */
  callTool(call: { name: string; arguments?: unknown }, context: ToolContext): Promise<McpResult>;
}

const calls = new CallScope<undefined>();

/** One function for each tool of a client, so that the engine recognizes the same code in every request. */
const functions = new WeakMap<McpClientLike, Map<string, object>>();

/**
 * Guards the tools of an MCP server in its client. The definitions of the tools are read, screened as documents and
 * compared with their pins once; call it again after the server changed its list.
 */
export async function guardedClient(
  client: McpClientLike,
  guardrails: Guardrails,
  { pins, notText = 'record', describe = {} }: GuardedClientOptions = {},
): Promise<GuardedClient> {
  const listed: McpTool[] = [];
  const refused = new Map<string, string>();
  const tools = new Map<string, Tool>();
  for (const definition of await allTools(client)) {
    const { name, description, inputSchema, annotations } = definition;
    const why = tools.has(name)
      ? 'the server lists two tools of this name'
      : (whyNotPinned(definition, pins) ?? (await whyBlocked(guardrails, definition)));
    if (why !== null) {
      tools.delete(name);
      refused.set(name, why);
      continue;
    }
    if (refused.has(name)) continue;
    const tool: Tool = {
      name,
      ...(description !== undefined && { description }),
      parameters: inputSchema,
      ...(annotations !== undefined && { annotations }),
      execute: calls.executeOf(functionOf(client, name), (args) =>
        client.callTool({ name, arguments: { ...args } }),
      ),
    };
    const parameters = shownParameters(guardrails, tool);
    if (parameters === null) {
      refused.set(name, 'its `inputSchema` is no JSON Schema that can be used');
      continue;
    }
    tools.set(name, withSayings(tool, { describe }));
    listed.push({ ...checkedMembers(definition), inputSchema: parameters });
  }
  return {
    listed: listed.filter(({ name }) => tools.has(name)),
    refused,
    tools: [...tools.values()],
    callTool: async ({ name, arguments: args = {} }, context) => {
      const tool = tools.get(name);
      if (tool === undefined) {
        const why = refused.get(name) ?? 'the server does not list it';
        throw new Error(`The MCP tool ${JSON.stringify(name)} is refused: ${why}.`);
      }
      return guardedResult(guardrails, tool, args, context, notText);
    },
  };
}

/** `null`: the schema of the server cannot be used. */
function shownParameters(guardrails: Guardrails, tool: Tool) {
  try {
    return guardrails.modelParameters(tool);
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

/** SHA-256 over the definition of a tool, for `pins`. */
export function digestOfTool(definition: McpTool): string {
  // Through JSON, which leaves out undefined members.
  return `sha256:${digestOf(JSON.parse(JSON.stringify(checkedMembers(definition))))}`;
}

/** The members that are screened and pinned. Only these are listed, so no other member reaches the model. */
const CHECKED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

function checkedMembers(definition: McpTool) {
  const members = CHECKED.map((name) => [name, definition[name]] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as McpTool;
}

function whyNotPinned(definition: McpTool, pins: GuardedClientOptions['pins']) {
  if (pins === undefined) return null;
  let digest: string;
  try {
    digest = digestOfTool(definition);
  } catch {
    return 'its definition has no canonical JSON, so it cannot be pinned';
  }
  if (!Object.hasOwn(pins, definition.name))
    return `it is not pinned. Check its definition, then pin ${digest}`;
  return pins[definition.name] === digest ? null : `its definition changed. Check it, then pin ${digest}`;
}

/** The texts of the definition that the model reads: names, descriptions, examples. */
async function whyBlocked(guardrails: Guardrails, definition: McpTool) {
  const { name, title = '', description = '', ...others } = checkedMembers(definition);
  const text = [
    name,
    title,
    description,
    ...Object.values(others).map((member) => JSON.stringify(member)),
  ].join('\n');
  const verdict = await guardrails.screen(text, { origin: 'document' });
  return verdict.blocked ? `its definition was blocked by ${verdict.ruleId ?? 'the input screening'}` : null;
}

/** A server could list pages without end. */
const MAX_PAGES = 1_000;

async function allTools(client: McpClientLike): Promise<McpTool[]> {
  const definitions: McpTool[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    definitions.push(...(page.tools as McpTool[]));
    cursor = page.nextCursor;
    if (cursor === undefined) return definitions;
  }
  throw new Error(
    `The MCP server lists its tools on more than ${MAX_PAGES} pages. Connect to a server with fewer tools.`,
  );
}

function functionOf(client: McpClientLike, name: string) {
  const ofClient = functions.get(client) ?? new Map<string, object>();
  functions.set(client, ofClient);
  const created = ofClient.get(name) ?? {};
  ofClient.set(name, created);
  return created;
}
