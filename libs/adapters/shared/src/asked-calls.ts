import type { ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { type CallAnswer, outcomeWithin, resultOf, resumedText } from './guarded-call.js';

/** Guards a call. `details` is called where the tool runs, and may delay it. `resumes`: an earlier request made the call wait. */
type Guard<Details> = (details: () => Promise<Details>, resumes: boolean) => Promise<CallAnswer>;

/** A guarded call that waits before its tool until the SDK executes it. */
interface AskedCall<Details> {
  readonly answer: Promise<CallAnswer>;
  readonly isParked: Promise<boolean>;
  execute(details: Details): void;
}

/**
 * The calls of one tool, of which an SDK first asks whether they need approval. A call passes the firewall once, when it
 * is asked about. The response of the client decides nothing: an execution returns the outcome of the approval.
 */
export class AskedCalls<Details> {
  private readonly asked = new Map<string, AskedCall<Details>>();

  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: ToolContext,
  ) {}

  /** `resumes`: the SDK asks again about a call that the client answered. */
  isParked(callId: string, input: unknown, resumes: boolean, guard: Guard<Details>): Promise<boolean> {
    const call = this.ask(guard, resumes);
    this.asked.set(keyOf(callId, input), call);
    return call.isParked;
  }

  async execute(callId: string, input: unknown, guard: Guard<Details>, details: Details): Promise<unknown> {
    const key = keyOf(callId, input);
    // A call that was not asked about here was asked about in an earlier request.
    const call = this.asked.get(key) ?? this.ask(guard, true);
    this.asked.delete(key);
    call.execute(details);
    const answer = await call.answer;
    return answer.status === 'parked' ? this.outcomeOf(answer) : resultOf(answer);
  }

  private ask(guard: Guard<Details>, resumes: boolean): AskedCall<Details> {
    let reach!: () => void;
    let execute!: (details: Details) => void;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const executed = new Promise<Details>((resolve) => (execute = resolve));
    const answer = guard(() => {
      reach();
      return executed;
    }, resumes);
    // An error is thrown by the execution, as that of any tool.
    const isParked = answer.then(
      ({ status }) => status === 'parked',
      () => false,
    );
    return { answer, execute, isParked: Promise.race([reached.then(() => false), isParked]) };
  }

  /** The result of a call that was approved and has run, as text; a call that still waits stays pending. */
  private async outcomeOf(parked: Extract<CallAnswer, { status: 'parked' }>) {
    const outcome = await outcomeWithin(this.guardrails, parked.approvalId);
    if (outcome === null) return resultOf(parked);
    const message = await resumedText(this.guardrails, outcome, this.context);
    if (outcome.status === 'executed') return message;
    return resultOf({ status: 'refused', approvalId: null, reason: 'denied', violations: {}, message });
  }
}

/** The key includes the input, because a model chooses the ids of its calls. */
function keyOf(callId: string, input: unknown) {
  return JSON.stringify([callId, input]);
}
