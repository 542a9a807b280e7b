import type { ControlKey } from './control-mode.js';

export interface ControlActivity {
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
  /** Decisions in each of the trailing twelve hours, oldest first. */
  readonly spark: readonly number[];
}

export interface RulesetActivity {
  readonly rulesetVersion: string;
  /** Screenings under this version in the trailing 24 hours. */
  readonly attempts: number;
  readonly lastSeenAt: Date;
}

/** Exact over the trailing 24 hours before `asOf`. */
export interface Activity {
  readonly controls: Readonly<Record<ControlKey, ControlActivity>>;
  readonly pendingApprovals: number;
  /** Of `input_screen`, the latest seen first. */
  readonly rulesets: readonly RulesetActivity[];
}

export abstract class OverviewStore {
  abstract activity(asOf: Date): Promise<Activity>;
}
