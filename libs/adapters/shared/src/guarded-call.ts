import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { Tool, ToolCallOutcome, ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';

/** Parts that are not text, such as images: `record` records that they were not screened, `refuse` refuses them. */
export type NotText = 'record' | 'refuse';

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

/** The texts of a result that are screened, and the media types of its other parts. */
export interface ReadResult {
  readonly text: string;
  readonly notText: readonly string[];
}

export interface CallOptions {
  /** How a result is read for the screening. Default: as the engine does. */
  readonly read?: (result: unknown) => ReadResult;
  readonly notText?: NotText;
}

/** Guards one call, and screens its result before the model gets it. Throws what the tool throws. */
export async function guardedCall(
  guardrails: Guardrails,
  tool: Tool,
  args: unknown,
  context: ToolContext,
  { read, notText = 'record' }: CallOptions = {},
): Promise<CallAnswer> {
  const options = read && { readResult: (result: unknown) => markedText(read(result)) };
  const outcome = await guardrails.guardTool(tool, context, options).execute(args);
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
  if (notText === 'refuse' && read !== undefined && read(outcome.result).notText.length > 0) {
    const message = 'The result was refused because it contains parts that are not text.';
    return { kind: 'refused', reason: 'result', violations: {}, message };
  }
  return { kind: 'result', value: outcome.result };
}

/**
 * The text with which a conversation continues after a parked call was decided. Its result is screened.
 *
 * @throws where the call was parked for another principal: its id may come from a client.
 */
export async function resumedText(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<string> {
  if (outcome.principalId !== (context.principalId ?? null)) {
    throw new Error(
      `The outcome of approval ${outcome.approvalId} belongs to another principal. Pass the principal of its call.`,
    );
  }
  const result = outcome.status === 'executed' ? `\n${JSON.stringify(outcome.result) ?? ''}` : '';
  const text = `${outcome.tool}: ${outcome.message}${result}`;
  const verdict = await guardrails.screen(text, {
    ...context,
    origin: 'tool_result',
    tool: outcome.tool,
  });
  return verdict.blocked ? `${outcome.tool}: ${verdict.refusalMessage ?? 'The result was blocked.'}` : text;
}

function markedText({ text, notText }: ReadResult): string {
  return [text, ...notText.map((type) => `[not screened: ${type}]`)].join('\n');
}
