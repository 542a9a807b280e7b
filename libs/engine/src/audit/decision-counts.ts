import { type ControlKey, CONTROL_KEYS, type Outcome } from '#contracts/control-mode.js';
import type { DecisionRecord } from '#contracts/screening.js';

/** Upper bounds of the durations, in seconds. */
export const DURATION_BOUNDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;

/** Durations of the decisions of one control. */
export interface Durations {
  /** Decisions up to each bound, and all of them. */
  readonly upTo: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
}

/** Counts the decisions of this process since its start. */
export class DecisionCounts {
  private readonly outcomes = new Map<`${ControlKey} ${Outcome}`, number>();
  private readonly durations = new Map(
    CONTROL_KEYS.map((control) => [control, { upTo: DURATION_BOUNDS.map(() => 0), count: 0, sumSeconds: 0 }]),
  );

  add({ control, outcome, durationUs }: DecisionRecord): void {
    const key = `${control} ${outcome}` as const;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
    const durations = this.durations.get(control);
    if (durations === undefined) return;
    const seconds = durationUs / 1e6;
    durations.count += 1;
    durations.sumSeconds += seconds;
    for (const [index, bound] of DURATION_BOUNDS.entries()) {
      if (seconds <= bound) durations.upTo[index] = (durations.upTo[index] ?? 0) + 1;
    }
  }

  of(control: ControlKey, outcome: Outcome): number {
    return this.outcomes.get(`${control} ${outcome}`) ?? 0;
  }

  durationsOf(control: ControlKey): Durations {
    return this.durations.get(control) ?? { upTo: [], count: 0, sumSeconds: 0 };
  }
}
