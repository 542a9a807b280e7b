import type { ControlKey } from './control-mode.js';

export interface ControlActivity {
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
  /** Decisions in each of twelve UTC clock hours, oldest first; `asOf` lies in the last one, which counts as a whole. */
  readonly spark: readonly number[];
}

export interface RulesetActivity {
  readonly rulesetVersion: string;
  /** Screenings under this version in the trailing 24 hours. */
  readonly attempts: number;
  readonly lastSeenAt: Date;
}

/** Exact over the trailing 24 hours: after `asOf` − 24 h, up to and including `asOf`. */
export interface Activity {
  readonly controls: Readonly<Record<ControlKey, ControlActivity>>;
  /** By the store's own clock. */
  readonly pendingApprovals: number;
  /** Of `input_screen`, the latest seen first; of those seen at the same moment, by their names. */
  readonly rulesets: readonly RulesetActivity[];
}

export abstract class OverviewStore {
  abstract activity(asOf: Date): Promise<Activity>;

  /**
   * Rule id → decisions of `input_screen` in which it matched, over the same 24 hours: whether or not it decided
   * or anything was blocked, and once however often it matched within one text. Who never matched is missing.
   */
  abstract ruleHits(asOf: Date): Promise<ReadonlyMap<string, number>>;
}
