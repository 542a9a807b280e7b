import type { Decision } from './audit.js';
import type { ControlKey, ControlMode, Outcome } from './control-mode.js';
import type { DecisionEventName } from './decision-events.js';
import type { NewRejection } from './firewall.js';
import type { OutputCount, Rendering } from './output.js';
import type { DecisionContext, MatchedRule, Origin } from './screening.js';
import type { Settings } from './settings/settings.js';

/** What a control ruled, before hygiene: the one thing that every control hands to the recorder. */
export interface Ruling {
  readonly event: DecisionEventName;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: ControlMode;
  readonly origin: Origin;
  /** The text that was judged, as the caller sent it. */
  readonly text: string;
  /** Where the text is JSON, the value it holds: the escapes of JSON would hide from the detectors what they look for. */
  readonly json?: unknown;
  readonly context: DecisionContext;
  readonly rulesetVersion: string;
  readonly durationUs: number;
  readonly ruleId?: string | null;
  /** UTF-16 spans of `text`, the deciding rule's first. */
  readonly matchedRules?: readonly MatchedRule[];
  readonly erroredRuleIds?: readonly string[];
  readonly errored?: boolean;
  /** Longer than may be judged: only its head is kept. */
  readonly tooLong?: boolean;
  readonly tool?: string;
  /** All violations, as they were found: the recorder cleans and caps them. */
  readonly rejection?: Pick<NewRejection, 'violations' | 'enforced'>;
  /** Of a decision about an output. */
  readonly rendering?: Rendering;
  readonly outputCounts?: readonly OutputCount[];
  readonly approvalId?: number;
  readonly actorId?: string;
}

/** A decision ready to be committed, and the word to spread once it is. */
export interface PreparedDecision {
  readonly decision: Decision;
  announce(auditId: number | null): void;
}

/** The one path by which every decision of every control reaches evidence, statistics and events. */
export abstract class DecisionRecorder {
  /** Answers the evidence's id, or `null` where the write policy does not wait for it. Strict: no audit, no pass. */
  abstract record(ruling: Ruling, settings: Settings): Promise<number | null>;

  /** For decisions that commit together with something else. */
  abstract prepare(ruling: Ruling, settings: Settings): PreparedDecision;
}
