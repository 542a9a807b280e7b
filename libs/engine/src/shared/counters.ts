// What this process counts for metrics.
import { type ControlKey, CONTROL_KEYS, type Outcome } from '#contracts/common/control-mode.js';
import type { DecisionRecord } from '#contracts/screening/screening.js';

/** Upper bounds of the durations, in seconds. */
export const DURATION_BOUNDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;

/** A histogram of durations. */
export class Durations {
  private readonly counts = DURATION_BOUNDS.map(() => 0);
  private total = 0;
  private sum = 0;

  add(microseconds: number): void {
    const seconds = microseconds / 1e6;
    this.total += 1;
    this.sum += seconds;
    for (const [index, bound] of DURATION_BOUNDS.entries()) {
      if (seconds <= bound) this.counts[index] = (this.counts[index] ?? 0) + 1;
    }
  }

  /** How many were at most as long as each bound. */
  get upTo(): readonly number[] {
    return this.counts;
  }

  get count(): number {
    return this.total;
  }

  get sumSeconds(): number {
    return this.sum;
  }
}

/** Counts the decisions of this process since its start. */
export class DecisionCounts {
  private readonly outcomes = new Map<`${ControlKey} ${Outcome}`, number>();
  private readonly durations = new Map(CONTROL_KEYS.map((control) => [control, new Durations()]));

  add({ control, outcome, durationUs }: DecisionRecord): void {
    const key = `${control} ${outcome}` as const;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
    this.durations.get(control)?.add(durationUs);
  }

  of(control: ControlKey, outcome: Outcome): number {
    return this.outcomes.get(`${control} ${outcome}`) ?? 0;
  }

  durationsOf(control: ControlKey): Durations {
    return this.durations.get(control) ?? new Durations();
  }
}
