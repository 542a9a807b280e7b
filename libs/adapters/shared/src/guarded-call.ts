// What every adapter does with one call of the model, and with the outcome of a call that was pending.
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type {
  GuardOptions,
  ParkedCall,
  ReadResult,
  Tool,
  ToolCallOutcome,
  ToolContext,
} from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { markedText, readParts, resultText } from '#engine/tools/read-parts.js';
import { asOuterCall, inherited } from './call-scope.js';
import { markScreened, OUTCOME } from './prompt-screening.js';

type Refused = Extract<ToolCallOutcome, { status: 'refused' }>;
type Parked = Omit<Extract<ToolCallOutcome, { status: 'parked' }>, 'parked'> & Omit<ParkedCall, 'outcome'>;

/** The answer to one call of the model, before it gets the form of a framework. `message` is text for the model. */
export type CallAnswer = { readonly status: 'result'; readonly value: unknown } | Refused | Parked;

/** What a guarded tool returns where it did not run, or its result was blocked. `message` is text for the model. */
export type GuardedResult =
  (Refused & { readonly guardrails: 'refused' }) | (Parked & { readonly guardrails: 'parked' });

/** What a host adds to tools of a framework, by their names. */
export interface ToolSayings {
  /**
   * JSON pointers to the parts of a tool's results that no outsider could have written. Values in these parts vouch for
   * arguments of later calls of the run.
   */
  readonly returns?: Readonly<Record<string, NonNullable<Tool['returns']>>>;
  /** The headline of a call for its approvers, by the name of the tool. */
  readonly describe?: Readonly<Record<string, NonNullable<Tool['describe']>>>;
}

export function withSayings(tool: Tool, { returns = {}, describe = {} }: ToolSayings): Tool {
  const { name } = tool;
  return {
    ...tool,
    ...(Object.hasOwn(returns, name) && { returns: returns[name] }),
    ...(Object.hasOwn(describe, name) && { describe: describe[name] }),
  };
}

/** The result of the tool, or a `GuardedResult`. */
export function resultOf(answer: CallAnswer): unknown {
  return answer.status === 'result' ? answer.value : { guardrails: answer.status, ...answer };
}

/**
 * Guards one call, and screens its result before the model gets it. Throws what the tool throws, or another error if the
 * message is blocked, because frameworks show it to the model.
 */
export async function guardedCall(
  guardrails: Guardrails,
  tool: Tool,
  args: unknown,
  given: ToolContext,
  { readResult = readParts, ...options }: GuardOptions = {},
): Promise<CallAnswer> {
  const context = inherited(given);
  const reading: { result?: Promise<string | ReadResult> } = {};
  const readOnce = (result: unknown) => (reading.result ??= (async () => readResult(result))());
  const guarded = guardrails.guardTool(tool, context, {
    ...options,
    readResult: readOnce,
  });
  const mark = (text: string) => markScreened(guardrails, context, tool.name, text);
  const outcome = await asOuterCall(context, () => guarded.execute(args)).catch(async (error: unknown) => {
    const shown = await shownError(guardrails, tool, context, error);
    if (shown instanceof Error) mark(shown.message);
    throw shown;
  });
  if (outcome.status !== 'executed') mark(outcome.message);
  if (outcome.status === 'parked') {
    const { parked, ...call } = outcome;
    return { ...call, ...parked };
  }
  if (outcome.status === 'refused') return outcome;
  const { result } = outcome;
  // A result that cannot be read was refused, unless its screening is off or observes.
  const read = await readOnce(result).catch(() => null);
  if (read !== null) mark(typeof read === 'string' ? read : markedText(read));
  return { status: 'result', value: result };
}

/** Errors of the guardrails contain no text of a tool. */
async function shownError(
  guardrails: Guardrails,
  { name: tool }: Tool,
  context: ToolContext,
  error: unknown,
) {
  if (error instanceof GuardrailsError) return error;
  const text = error instanceof Error ? textOfError(error) : (JSON.stringify(error) ?? String(error));
  const verdict = await guardrails.screen(text, { ...context, origin: 'tool_result', tool });
  return verdict.blocked ? new Error(verdict.refusalMessage ?? 'The error of the tool was blocked.') : error;
}

/** Some frameworks show the message, others the error as text, with its name. */
function textOfError(error: Error) {
  const shown = String(error);
  return shown === `Error: ${error.message}` ? error.message : `${error.message}\n${shown}`;
}

/** How long one call waits for the outcome of its approval. */
const MAX_WAIT_MS = 2_000;

/** The outcome of a pending call; `null`: there is none yet. */
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
 * The text with which a conversation continues after a pending call was decided. Its result is screened.
 *
 * @throws where the call was requested for another caller: its id may come from a client.
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
  const said = `${outcome.tool}: ${outcome.message}`;
  const result = outcome.status === 'executed' ? outcome.result : undefined;
  // Read field by field, as other results are: in JSON every text is in quotation marks.
  const verdict = await guardrails.screen([said, resultText(result)].join('\n'), {
    ...context,
    origin: 'tool_result',
    tool: outcome.tool,
  });
  const shown = verdict.blocked
    ? `${outcome.tool}: ${verdict.refusalMessage ?? 'The result was blocked.'}`
    : [said, ...(result === undefined ? [] : [JSON.stringify(result)])].join('\n');
  markScreened(guardrails, context, outcome.tool, shown);
  markScreened(guardrails, context, OUTCOME, shown);
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
