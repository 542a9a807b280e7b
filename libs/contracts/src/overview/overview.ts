import type { ControlKey } from '../common/control-mode.js';

/** The decisions of one control in the trailing 24 hours. */
export interface ControlActivity {
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
  /**
   * Decisions in each of twelve UTC clock hours, oldest first; the last hour contains `asOf` and is counted whole.
   */
  readonly spark: readonly number[];
}

/** A version of the rules that screened texts recently. */
export interface RulesetActivity {
  readonly rulesetVersion: string;
  /** Screenings under this version in the trailing 24 hours. */
  readonly attempts: number;
  readonly lastSeenAt: Date;
}

/** Now, by the store's clock. */
export interface ApprovalActivity {
  /** Expired approvals are not counted. */
  readonly pending: number;
  /** Pending, and expiring within 15 minutes. */
  readonly expiringSoon: number;
  readonly executing: number;
  readonly outcomeUnknown: number;
  /** When the oldest pending call was requested. */
  readonly oldestPendingAt: Date | null;
}

/** Exact over the trailing 24 hours: after `asOf` − 24 h, up to and including `asOf`. */
export interface Activity {
  readonly controls: Readonly<Record<ControlKey, ControlActivity>>;
  readonly approvals: ApprovalActivity;
  /** The rulesets of `input_screen`, latest first; ties are sorted by name. */
  readonly rulesets: readonly RulesetActivity[];
}

/** Decisions in which a rule matched; a decision can count in both. */
export interface RuleHits {
  /** Screenings with a match that counted. */
  readonly hits: number;
  /** Screenings with a match that did not count, because of an exception. */
  readonly silenced: number;
}

/** Reads the figures of the overview. */
export abstract class OverviewStore {
  abstract activity(asOf: Date): Promise<Activity>;

  /**
   * Rule id → decisions of `input_screen` in the same 24 hours, with any outcome. Rules without a match are missing.
   */
  abstract ruleHits(asOf: Date): Promise<ReadonlyMap<string, RuleHits>>;
}
