import type { ApprovalOutcome } from '#contracts/approvals.js';
import { GuardrailsError } from '#contracts/errors.js';
import type { Tool, ToolCallOutcome, ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { rememberResult } from './prompt-screening.js';
import { type NotText, readParts, type ReadResult } from './read-parts.js';

/** The answer to one call of the model, before it gets the form of a framework. `message` is text for the model. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  | {
      readonly kind: 'refused';
      readonly reason: Extract<ToolCallOutcome, { status: 'refused' }>['reason'];
      readonly violations: Readonly<Record<string, string>>;
      readonly message: string;
    }
  | {
      readonly kind: 'parked';
      readonly approvalId: number;
      readonly reference: string;
      readonly expiresAt: string;
      readonly message: string;
    };

type Refused = Extract<CallAnswer, { kind: 'refused' }>;
type Parked = Extract<CallAnswer, { kind: 'parked' }>;

/** What a guarded tool returns where it did not run, or its result was blocked. `message` is text for the model. */
export type GuardedResult =
  | (Omit<Refused, 'kind'> & { readonly guardrails: 'refused' })
  | (Omit<Parked, 'kind'> & { readonly guardrails: 'parked' });

/** The result of the tool, or a `GuardedResult`. */
export function resultOf(answer: CallAnswer): unknown {
  if (answer.kind === 'result') return answer.value;
  const { kind, ...rest } = answer;
  return { guardrails: kind, ...rest };
}

export interface CallOptions {
  /** How a result is read for the screening. Default: `readParts`. */
  readonly read?: (result: unknown) => ReadResult | Promise<ReadResult>;
  readonly notText?: NotText;
  /** As in `GuardOptions`. */
  readonly resumes?: boolean;
}

/**
 * Guards one call, and screens its result before the model gets it. Throws what the tool throws, or another error if the
 * message is blocked, because frameworks show it to the model.
 */
export async function guardedCall(
  guardrails: Guardrails,
  tool: Tool,
  args: unknown,
  context: ToolContext,
  { read = readParts, notText = 'record', resumes = false }: CallOptions = {},
): Promise<CallAnswer> {
  const reading: { result?: Promise<ReadResult> } = {};
  const readOnce = (result: unknown): Promise<ReadResult> =>
    (reading.result ??= (async () => read(result))());
  const guarded = guardrails.guardTool(tool, context, {
    resumes,
    readResult: async (result) => markedText(await readOnce(result)),
  });
  const remember = (text: string): void => rememberResult(guardrails, context, tool.name, text);
  const outcome = await guarded.execute(args).catch(async (error: unknown) => {
    const shown = await shownError(guardrails, tool, context, error);
    if (shown instanceof Error) remember(shown.message);
    throw shown;
  });
  if (outcome.status !== 'executed') remember(outcome.message);
  if (outcome.status === 'parked') {
    const { approvalId, reference, expiresAt } = outcome.parked;
    return {
      kind: 'parked',
      approvalId,
      reference,
      expiresAt: expiresAt.toISOString(),
      message: outcome.message,
    };
  }
  if (outcome.status === 'refused') {
    const { reason, violations, message } = outcome;
    return { kind: 'refused', reason, violations, message };
  }
  // An unreadable result was refused before, unless its screening is off or observes.
  const result = await readOnce(outcome.result).catch(() => null);
  if (notText === 'refuse' && result?.notText.length !== 0) {
    remember(NOT_TEXT_RESULT);
    return { kind: 'refused', reason: 'result', violations: {}, message: NOT_TEXT_RESULT };
  }
  if (result !== null) remember(markedText(result));
  return { kind: 'result', value: outcome.result };
}

export const NOT_TEXT_RESULT = 'The result was refused because it contains parts that are not text.';

/** Errors of the guardrails contain no text of a tool. */
async function shownError(
  guardrails: Guardrails,
  { name: tool }: Tool,
  context: ToolContext,
  error: unknown,
): Promise<unknown> {
  if (error instanceof GuardrailsError) return error;
  const text = error instanceof Error ? error.message : (JSON.stringify(error) ?? String(error));
  const verdict = await guardrails.screen(text, { ...context, origin: 'tool_result', tool });
  return verdict.blocked ? new Error(verdict.refusalMessage ?? 'The error of the tool was blocked.') : error;
}

/** How long one call waits for the outcome of its approval. */
const MAX_WAIT_MS = 2_000;

/** The outcome of a parked call; `null`: there is none yet. */
export async function outcomeWithin(
  guardrails: Guardrails,
  approvalId: number,
): Promise<ApprovalOutcome | null> {
  try {
    return await guardrails.approvalOutcome(approvalId, AbortSignal.timeout(MAX_WAIT_MS));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return null;
    throw error;
  }
}

/**
 * The text with which a conversation continues after a parked call was decided. Its result is screened.
 *
 * @throws where the call was parked for another caller: its id may come from a client.
 */
export async function resumedText(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<string> {
  if (!isOutcomeOf(context, outcome)) {
    throw new Error(
      `The outcome of approval ${outcome.approvalId} belongs to another caller. Pass the context of its call: the same principalId and application, and for an anonymous caller the same runId.`,
    );
  }
  const result = outcome.status === 'executed' ? `\n${JSON.stringify(outcome.result) ?? ''}` : '';
  const text = `${outcome.tool}: ${outcome.message}${result}`;
  const verdict = await guardrails.screen(text, {
    ...context,
    origin: 'tool_result',
    tool: outcome.tool,
  });
  const shown = verdict.blocked
    ? `${outcome.tool}: ${verdict.refusalMessage ?? 'The result was blocked.'}`
    : text;
  rememberResult(guardrails, context, outcome.tool, shown);
  return shown;
}

/**
 * Only the principal of the call gets its outcome, in its application; an anonymous caller, within its run. Anonymous
 * callers without a run cannot be distinguished, so none of them gets an outcome.
 */
export function isOutcomeOf(
  { principalId, application, runId }: ToolContext,
  outcome: ApprovalOutcome,
): boolean {
  if ((application ?? null) !== outcome.application) return false;
  if (outcome.principalId !== null) return outcome.principalId === principalId;
  return principalId === undefined && outcome.runId !== null && outcome.runId === runId;
}

/** The text that is screened and recorded. */
export function markedText({ text, notText }: ReadResult): string {
  return [text, ...notText.map((type) => `[not screened: ${type}]`)].join('\n');
}
