import type { ApprovalNotifier } from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { EventSink } from '#contracts/events/event-sink.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type {
  CallReview,
  ToolCatalog,
  Redactor,
  CurrentSettings,
  DecisionRecorder,
  Diagnostics,
  RuleCatalog,
} from '../../shared/ports.js';
import { withinTime } from '../../shared/time-limit.js';
import type { Tracing } from '../../shared/tracing.js';
import { ApprovalChecks } from './approval-checks.js';
import { ApprovalService } from './approval-service.js';
import { ApprovalKeys } from './approval-keys.js';
import { ApprovalNotifierSink } from './approval-notifier.sink.js';
import { ApprovalOutcomes } from './approval-outcomes.js';
import { ApprovalParking } from './approval-parking.js';
import { ApprovalQuorum, type ApproverCheck } from './approval-quorum.js';
import { ApprovalRecovery } from './approval-recovery.js';
import { ApprovalRunner } from './approval-runner.js';
import { ApprovalTransitions } from './approval-transitions.js';
import { ApproverRules } from './approver-rules.js';
import { OutcomeNotifier } from './outcome-notifier.js';
import { OutcomeWaiters } from './outcome-waiters.js';

/** Maximum time that `stop` waits for runs and their results. */
const MAX_STOP_MS = 10_000;

interface ApprovalsOptions {
  readonly store: ApprovalStore;
  readonly keys: ApprovalKeys | null;
  readonly tools: ToolCatalog;
  readonly review: CallReview;
  /** `null`: no policy can name an approver group. */
  readonly approvers: ApproverCheck;
  readonly policyRevision: (settings: Settings, tool: string) => string;
  readonly recorder: DecisionRecorder;
  readonly ruleCatalog: RuleCatalog;
  readonly redactor: Redactor;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly tracing: Tracing;
  /** Default ten seconds, half of them for tools to end after their abort signal. */
  readonly maxStopMs?: number | undefined;
}

export interface ApprovalParts {
  readonly service: ApprovalService;
  readonly parking: ApprovalParking;
  readonly outcomes: ApprovalOutcomes;
  readonly outcomeNotifier: OutcomeNotifier;
  readonly recovery: ApprovalRecovery;
  /** Starts nothing more, aborts running tools, and rejects waiting code. */
  beginStop(): void;
  /** Calls `beginStop` and resolves when all work has ended, at most after `maxStopMs`. */
  stop(): Promise<void>;
}

/** Assembles the approval classes. */
export function createApprovals(options: ApprovalsOptions): ApprovalParts {
  const { store, keys, tools, approvers, settings, clock, diagnostics } = options;
  const { maxStopMs = MAX_STOP_MS } = options;
  const outcomeNotifier = new OutcomeNotifier(store, clock, diagnostics);
  const waiters = new OutcomeWaiters(
    (approval) => outcomeNotifier.noteDeliveredToWaiter(approval),
    (approval) => outcomeNotifier.deliverNow(approval),
  );
  const steps = new ApprovalTransitions({ ...options, waiters });
  const quorum = new ApprovalQuorum(keys, approvers);
  const checks = new ApprovalChecks({ ...options, quorum });
  const rules = new ApproverRules({ checks, votes: quorum, approvers, tools, keys, settings });
  const runner = new ApprovalRunner({ ...options, steps, checks, graceMs: maxStopMs / 2 });
  const outcomes = new ApprovalOutcomes({ store, waiters, steps, clock, diagnostics });
  const recovery = new ApprovalRecovery({ keys, store, tools, steps, runner, settings, diagnostics });
  const beginStop = (): void => {
    recovery.beginStop();
    runner.beginStop();
    outcomes.beginStop();
    outcomeNotifier.beginStop();
  };
  return {
    service: new ApprovalService({ store, steps, runner, rules, votes: quorum, tools, keys }),
    parking: new ApprovalParking({ ...options, steps }),
    outcomes,
    outcomeNotifier,
    recovery,
    beginStop,
    stop: async () => {
      beginStop();
      const underWay = Promise.all([runner.idle(), recovery.idle(), outcomeNotifier.idle()]);
      try {
        await withinTime(underWay, maxStopMs);
      } catch {
        diagnostics.warn(
          'approvals: some work did not end before the stop limit; another instance will recover it',
        );
      }
    },
  };
}

/** `null` without `hitl.token_secret`. */
export function approvalKeys(configured: SettingValues): ApprovalKeys | null {
  const secret = configured['hitl.token_secret'];
  return secret === null ? null : new ApprovalKeys(secret, configured['hitl.token_delivery']);
}

export function notifierSinks(
  notifier: ApprovalNotifier | null | undefined,
  store: ApprovalStore,
  keys: ApprovalKeys | null,
  escalateTo: string,
): readonly EventSink[] {
  return notifier == null || keys === null
    ? []
    : [new ApprovalNotifierSink(notifier, store, keys.tokens, escalateTo)];
}
