import { guardedCall, type CallAnswer } from '#adapters/shared/guarded-call.js';
import type { NotText, ReadResult, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import { textsIn } from '#engine/tools/read-parts.js';
import type { Guardrails } from '#engine/guardrails.js';

/** A result of a tool, as the protocol defines it. */
export interface McpResult {
  content: McpContent[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [other: string]: unknown;
}

type McpContent = { type: 'text'; text: string } | { type: string; [other: string]: unknown };

/** Members of `_meta` of a result: why a call was refused, or how its approval is found. */
export const REFUSED = 'nest-guardrails/refused';
export const PARKED = 'nest-guardrails/parked';

/** A guarded call as a result of the protocol. A pending call is not an error. */
export async function guardedResult(
  guardrails: Guardrails,
  tool: Tool,
  args: unknown,
  context: ToolContext,
  notText: NotText,
): Promise<McpResult> {
  const answer = await guardedCall(guardrails, tool, args, context, { readResult, notText });
  return resultOf(answer);
}

function resultOf(answer: CallAnswer): McpResult {
  if (answer.status === 'result') return withoutOwnMeta(answer.value as McpResult);
  const content = [{ type: 'text' as const, text: answer.message }];
  return answer.status === 'parked'
    ? { content, _meta: { [PARKED]: answer } }
    : { content, _meta: { [REFUSED]: answer }, isError: true };
}

/** A tool cannot pretend that its call is pending or was refused. */
function withoutOwnMeta(result: McpResult): McpResult {
  const { _meta } = result;
  if (_meta === undefined || !(REFUSED in _meta || PARKED in _meta)) return result;
  const { [REFUSED]: _refused, [PARKED]: _parked, ...kept } = _meta;
  return { ...result, _meta: kept };
}

function readResult(result: unknown): ReadResult {
  const {
    content = [],
    structuredContent,
    isError: _isError,
    ...others
  } = withoutOwnMeta((result ?? {}) as McpResult) as Partial<McpResult>;
  const parts = content.map(readPart);
  const rest = [structuredContent, ...(Object.keys(others).length > 0 ? [others] : [])];
  const texts = [...parts.flatMap(({ texts: own }) => own), ...jsonOf(...rest)];
  return { text: texts.join('\n'), notText: parts.flatMap(({ notText }) => notText) };
}

/** Texts as they are, also in the data, and the JSON of all other members except binary data. */
function readPart(part: McpContent): {
  readonly texts: readonly string[];
  readonly notText: readonly string[];
} {
  if (part.type === 'resource_link') return { texts: [JSON.stringify(part)], notText: [] };
  const { type: _type, mimeType: _mimeType, text, data, resource, ...others } = part as PartMembers;
  const { mimeType: _other, text: inside, blob, ...about } = resource ?? {};
  const texts = [text, inside].filter((each) => typeof each === 'string');
  const decoded = [...textsIn(data), ...textsIn(blob)];
  const isBinary = texts.length === 0 || data !== undefined || blob !== undefined;
  return {
    texts: [
      ...texts,
      ...decoded,
      ...jsonOf(...[others, about].filter((each) => Object.keys(each).length > 0)),
    ],
    notText: isBinary ? [typeOf(part)] : [],
  };
}

/** The members of the parts of the protocol. */
interface PartMembers extends Record<string, unknown> {
  readonly text?: string;
  readonly data?: unknown;
  readonly resource?: { readonly text?: string; readonly blob?: unknown } & Record<string, unknown>;
}

function jsonOf(...values: readonly unknown[]): readonly string[] {
  return values.filter((value) => value !== undefined).map((value) => JSON.stringify(value));
}

function typeOf(part: McpContent): string {
  const { mimeType, resource } = part as { mimeType?: string; resource?: { mimeType?: string } };
  return mimeType ?? resource?.mimeType ?? part.type;
}
