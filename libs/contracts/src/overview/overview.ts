import type { ControlKey } from '../common/control-mode.js';
import type { TimeWindow } from '../common/page.js';

const MINUTE_MS = 60_000;

/**
 * The last 24 hours. They begin with a whole minute, because decisions are counted by minute: a list of the same window
 * has the same entries.
 */
export function overviewWindow(asOf: Date): TimeWindow {
  const dayAgo = asOf.getTime() - 24 * 60 * MINUTE_MS;
  return { from: new Date(Math.floor(dayAgo / MINUTE_MS) * MINUTE_MS), to: asOf };
}

/** The clock hours that a spark has. */
export const SPARK_HOURS = 12;

/** An approval that expires within this time expires soon. */
export const EXPIRES_SOON_MS = 15 * MINUTE_MS;

/** The decisions of one control in the window. */
export interface ControlActivity {
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
  /**
   * Decisions in each of `SPARK_HOURS` UTC clock hours, oldest first; the last hour contains the end of the window and
   * is counted whole.
   */
  readonly spark: readonly number[];
}

/** A version of the rules that screened texts recently. */
export interface RulesetActivity {
  readonly rulesetVersion: string;
  /** Screenings under this version in the window. */
  readonly attempts: number;
  readonly lastSeenAt: Date;
}

/** The latest first; ties are sorted by name. */
export function latestFirst(one: RulesetActivity, other: RulesetActivity): number {
  const later = other.lastSeenAt.getTime() - one.lastSeenAt.getTime();
  return later || (one.rulesetVersion < other.rulesetVersion ? -1 : 1);
}

/** Now, by the store's clock. */
export interface ApprovalActivity {
  /** Expired approvals are not counted. */
  readonly pending: number;
  /** Pending, and expiring within `EXPIRES_SOON_MS`. */
  readonly expiringSoon: number;
  readonly executing: number;
  readonly outcomeUnknown: number;
  /** When the oldest pending call was requested. */
  readonly oldestPendingAt: Date | null;
}

export interface Activity {
  readonly controls: Readonly<Record<ControlKey, ControlActivity>>;
  readonly approvals: ApprovalActivity;
  /** The rulesets of `input_screen`, in the order of `latestFirst`. */
  readonly rulesets: readonly RulesetActivity[];
}

/** Decisions in which a rule matched; a decision can count in both. */
export interface RuleHits {
  /** Screenings with a match that counted. */
  readonly hits: number;
  /** Screenings with a match that did not count, because of an exception. */
  readonly silenced: number;
}

/** Reads the figures of the overview. They are those of a list over the window, to the millisecond. */
export abstract class OverviewStore {
  abstract activity(window: TimeWindow): Promise<Activity>;

  /** Rule id → decisions of `input_screen` in the window, with any outcome. Rules without a match are missing. */
  abstract ruleHits(window: TimeWindow): Promise<ReadonlyMap<string, RuleHits>>;
}
