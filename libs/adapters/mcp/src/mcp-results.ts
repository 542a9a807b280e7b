import {
  guardedCall,
  type CallAnswer,
  type NotText,
  type ReadResult,
} from '#adapters/shared/guarded-call.js';
import type { Tool, ToolContext } from '#contracts/firewall.js';
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

/** A guarded call as a result of the protocol. A parked call is not an error. */
export async function guardedResult(
  guardrails: Guardrails,
  tool: Tool,
  args: unknown,
  context: ToolContext,
  notText: NotText,
): Promise<McpResult> {
  const answer = await guardedCall(guardrails, tool, args, context, { read: readResult, notText });
  return resultOf(answer);
}

function resultOf(answer: CallAnswer): McpResult {
  if (answer.kind === 'result') return withoutOwnMeta(answer.value as McpResult);
  const { kind, message, ...about } = answer;
  const content = [{ type: 'text' as const, text: message }];
  return kind === 'parked'
    ? { content, _meta: { [PARKED]: about } }
    : { content, _meta: { [REFUSED]: about }, isError: true };
}

/** A tool cannot pretend that its call was parked or refused. */
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
    _meta,
    ...others
  } = (result ?? {}) as Partial<McpResult>;
  const texts: string[] = [];
  const notText: string[] = [];
  for (const part of content) {
    const text = textOf(part);
    if (text === null) notText.push(typeOf(part));
    else texts.push(text);
  }
  if (structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  if (Object.keys(others).length > 0) texts.push(JSON.stringify(others));
  return { text: texts.join('\n'), notText };
}

/** A resource link is screened as its JSON. `null`: not text. */
function textOf(part: McpContent): string | null {
  if (part.type === 'text') return String(part['text']);
  if (part.type === 'resource_link') return JSON.stringify(part);
  const { resource } = part as { resource?: { text?: unknown } };
  return part.type === 'resource' && typeof resource?.text === 'string' ? resource.text : null;
}

function typeOf(part: McpContent): string {
  const { mimeType, resource } = part as { mimeType?: string; resource?: { mimeType?: string } };
  return mimeType ?? resource?.mimeType ?? part.type;
}
