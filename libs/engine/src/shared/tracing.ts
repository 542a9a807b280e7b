// What a tracer such as OpenTelemetry gets: runs, streams, screenings and decisions.
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ControlMode, Outcome } from '#contracts/common/control-mode.js';
import type { ToolCallOutcome } from '#contracts/firewall/firewall.js';

/** How the run of an approved call ended; a text where no result was recorded. */
export type RunEnding = string | { readonly status: string };

/** How a sanitized stream ended. */
export type StreamEnding =
  | {
      readonly outcome: Outcome;
      readonly mode: ControlMode;
      readonly findings: readonly unknown[];
      /** Without the time in which the stream waited for its source. */
      readonly durationUs: number;
      /** `truncated`: the reader left before the end, or the source failed. */
      readonly alteration?: string | undefined;
    }
  | { readonly error: unknown };

/** How long the parts of one screening took, in microseconds. */
export interface ScreeningTimes {
  /** All rules together, because they are matched in one pass; `null` where the text was too long for them. */
  readonly rulesUs: number | null;
  /** The classifier and each screener of the host, until its result, its failure or its time limit. They run at the same time. */
  readonly screeners: readonly { readonly id: string; readonly us: number }[];
}

/** The mode of the control that decided a guarded call, and its rule. */
export interface CallDecision {
  readonly mode: ControlMode;
  /** A rule of the policy or of the screening; `null` where no rule decided. */
  readonly ruleId: string | null;
}

/** Traces and measures what the callers of `Guardrails` do not see. */
export interface Tracer {
  /** W3C `traceparent` of the current span; `null` without one. */
  traceParent(): string | null;
  /** Wraps the run of an approved call. */
  run<Ending extends RunEnding>(
    approval: Pick<Approval, 'id' | 'tool' | 'traceParent'>,
    run: () => Promise<Ending>,
  ): Promise<Ending>;
  /** Called when a stream begins. The returned function is called once, at its end. */
  stream(): (ending: StreamEnding) => void;
  /** Called after a text was screened. */
  screened(times: ScreeningTimes): void;
}

/** The tracer of an engine; without one nothing is traced. */
export class Tracing {
  private tracer: Tracer | null = null;
  private readonly decisions = new WeakMap<ToolCallOutcome, CallDecision>();

  /** Returns a function that removes the tracer. */
  use(tracer: Tracer): () => void {
    this.tracer = tracer;
    return () => {
      if (this.tracer === tracer) this.tracer = null;
    };
  }

  traceParent(): string | null {
    return this.tracer?.traceParent() ?? null;
  }

  run<Ending extends RunEnding>(approval: Approval, run: () => Promise<Ending>): Promise<Ending> {
    return this.tracer === null ? run() : this.tracer.run(approval, run);
  }

  stream(): (ending: StreamEnding) => void {
    return this.tracer?.stream() ?? (() => undefined);
  }

  screened(times: ScreeningTimes): void {
    this.tracer?.screened(times);
  }

  /** Keeps what decided a call beside its outcome, which hosts pass on. */
  decided<Result extends ToolCallOutcome>(
    outcome: Result,
    mode: ControlMode,
    ruleId: string | null = null,
  ): Result {
    this.decisions.set(outcome, { mode, ruleId });
    return outcome;
  }

  decisionOf(outcome: ToolCallOutcome): CallDecision | null {
    return this.decisions.get(outcome) ?? null;
  }
}
