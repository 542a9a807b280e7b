// Results of guarded calls in the form of the protocol, and the tool that returns the outcome of a pending call.
import { GuardrailsError } from '#contracts/common/errors.js';
import {
  guardedCall,
  isOutcomeOf,
  outcomeWithin,
  resumedText,
  type CallAnswer,
} from '#adapters/shared/guarded-call.js';
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
const REFUSED = 'nest-guardrails/refused';
const PARKED = 'nest-guardrails/parked';

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
  return answer.status === 'parked'
    ? { ...textResult(answer.message), _meta: { [PARKED]: answer } }
    : { ...errorResult(answer.message), _meta: { [REFUSED]: answer } };
}

/** A tool cannot pretend that its call is pending or was refused. */
function withoutOwnMeta(result: McpResult) {
  const { _meta } = result;
  if (_meta === undefined || !(REFUSED in _meta || PARKED in _meta)) return result;
  const { [REFUSED]: _refused, [PARKED]: _parked, ...others } = _meta;
  return { ...result, _meta: others };
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

function typeOf(part: McpContent) {
  const { mimeType, resource } = part as { mimeType?: string; resource?: { mimeType?: string } };
  return mimeType ?? resource?.mimeType ?? part.type;
}

/** The definition of the tool with which a client gets the outcome of its pending call. */
export const OUTCOME_TOOL = {
  description: 'Returns the outcome of a call that waited for approval.',
  inputSchema: {
    type: 'object',
    properties: { approvalId: { type: 'integer' } },
    required: ['approvalId'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** The model does not see `_meta`, so the text of a pending call contains how to ask for its outcome. */
export function withWayToOutcome(result: McpResult, outcomeTool: string): McpResult {
  const { approvalId } = (result._meta?.[PARKED] ?? {}) as { readonly approvalId?: number };
  if (approvalId === undefined) return result;
  const text = `Ask for the outcome with ${outcomeTool}, approvalId ${approvalId}.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

export async function outcomeResult(
  guardrails: Guardrails,
  approvalId: unknown,
  context: ToolContext,
): Promise<McpResult> {
  const isId = Number.isSafeInteger(approvalId) && (approvalId as number) > 0;
  if (!isId) return errorResult('`approvalId` must be the number that the pending call returned.');
  try {
    const outcome = await outcomeWithin(guardrails, approvalId as number);
    if (outcome === null) return textResult('There is no outcome yet. Ask again later.');
    if (!isOutcomeOf(context, outcome)) return errorResult('There is no such call.');
    const text = await resumedText(guardrails, outcome, context);
    return outcome.status === 'executed' ? textResult(text) : errorResult(text);
  } catch (error) {
    if (error instanceof GuardrailsError && error.code === 'not_found')
      return errorResult('There is no such call.');
    throw error;
  }
}

function textResult(text: string): McpResult {
  return { content: [{ type: 'text', text }] };
}

function errorResult(text: string): McpResult {
  return { ...textResult(text), isError: true };
}
