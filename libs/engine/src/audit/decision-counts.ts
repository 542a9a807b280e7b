import { type ControlKey, CONTROL_KEYS, type Outcome } from '#contracts/control-mode.js';
import type { DecisionRecord } from '#contracts/screening.js';
import { Durations } from '../durations.js';

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
