import type { ControlKey, Outcome } from '../../../contracts/src/control-mode.js';
import { ControlMode } from '../../../contracts/src/control-mode.js';
import type { DecisionEventName } from '../../../contracts/src/events.js';
import type { NewRejection } from '../../../contracts/src/firewall.js';
import type { OutputCount } from '../../../contracts/src/output.js';
import type { DecisionContext, MatchedRule, Origin } from '../../../contracts/src/screening.js';

/** What a control ruled, before hygiene: the one thing that every control hands to the audit trail. */
export interface Ruling {
  readonly event: DecisionEventName;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: ControlMode;
  readonly origin: Origin;
  /** The text that was judged, as the caller sent it. */
  readonly text: string;
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
  readonly rejection?: Omit<NewRejection, 'principalId' | 'application' | 'occurredAt' | 'tool'>;
  readonly outputCounts?: readonly OutputCount[];
  readonly approvalId?: number;
  readonly actorId?: string;
}
