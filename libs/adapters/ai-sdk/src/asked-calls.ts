import type { ModelMessage, Tool as AiTool, ToolModelMessage } from 'ai';
import type { ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { type CallAnswer, type GuardedResult, resultOf, resumedText } from '#adapters/shared/guarded-call.js';

/** Named differently in the versions of the SDK. */
export type ExecutionOptions = Parameters<NonNullable<AiTool['execute']>>[1];

/** Guards a call. `options` is called where the tool runs, and may delay it. */
type Guard = (
  toolCallId: string,
  input: unknown,
  options: () => Promise<ExecutionOptions>,
) => Promise<CallAnswer>;

/** A guarded call that waits before its tool until the SDK executes it. */
interface AskedCall {
  readonly answer: Promise<CallAnswer>;
  readonly isParked: Promise<boolean>;
  execute(options: ExecutionOptions): void;
}

/** How long an execution waits for the outcome of its approved call. */
const MAX_WAIT_MS = 2_000;

/**
 * The calls of one tool, of which the SDK first asks whether they need approval. A call passes the firewall once, when it
 * is asked about. The response of the client decides nothing: an execution returns the outcome of the approval.
 */
export class AskedCalls {
  private readonly asked = new Map<string, AskedCall>();

  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: ToolContext,
    private readonly guard: Guard,
  ) {}

  isParked(toolCallId: string, input: unknown): Promise<boolean> {
    const call = this.ask(toolCallId, input);
    this.asked.set(keyOf(toolCallId, input), call);
    return call.isParked;
  }

  async execute(input: unknown, options: ExecutionOptions): Promise<unknown> {
    const key = keyOf(options.toolCallId, input);
    const call = this.asked.get(key) ?? this.ask(options.toolCallId, input);
    this.asked.delete(key);
    call.execute(options);
    const answer = await call.answer;
    return answer.kind === 'parked' ? this.outcomeOf(answer) : resultOf(answer);
  }

  private ask(toolCallId: string, input: unknown): AskedCall {
    let reach!: () => void;
    let execute!: (options: ExecutionOptions) => void;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const executed = new Promise<ExecutionOptions>((resolve) => (execute = resolve));
    const answer = this.guard(toolCallId, input, () => {
      reach();
      return executed;
    });
    // An error is thrown by the execution, as that of any tool.
    const isParked = answer.then(
      ({ kind }) => kind === 'parked',
      () => false,
    );
    return { answer, execute, isParked: Promise.race([reached.then(() => false), isParked]) };
  }

  /** The result of a call that was approved and has run, as text; a call that still waits stays parked. */
  private async outcomeOf(parked: Extract<CallAnswer, { kind: 'parked' }>): Promise<unknown> {
    try {
      const late = AbortSignal.timeout(MAX_WAIT_MS);
      const outcome = await this.guardrails.approvalOutcome(parked.approvalId, late);
      const message = await resumedText(this.guardrails, outcome, this.context);
      if (outcome.status === 'executed') return message;
      return {
        guardrails: 'refused',
        reason: 'denied',
        violations: {},
        message,
      } satisfies GuardedResult;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') return resultOf(parked);
      throw error;
    }
  }
}

/** With the input, because a model chooses the ids of its calls. */
function keyOf(toolCallId: string, input: unknown): string {
  return JSON.stringify([toolCallId, input]);
}

type Response = Extract<ToolModelMessage['content'][number], { type: 'tool-approval-response' }>;

/**
 * The message that continues after parked calls were decided: a response to each open `tool-approval-request` of the
 * conversation. It only lets the SDK execute the calls; what they return is the outcome of their approvals. `null`: no
 * request is open.
 */
export function approvalResponses(messages: readonly ModelMessage[]): ToolModelMessage | null {
  const open = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-approval-request') open.add(part.approvalId);
      if (part.type === 'tool-approval-response') open.delete(part.approvalId);
    }
  }
  if (open.size === 0) return null;
  const content = [...open].map((approvalId): Response => ({
    type: 'tool-approval-response',
    approvalId,
    approved: true,
  }));
  return { role: 'tool', content };
}
