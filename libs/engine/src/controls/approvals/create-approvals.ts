// Connects the classes of approvals. The way of a call: parking → service (its decision) → runner → outcomes and notifier.
// Each change of its state is a transition; recovery takes over what a stopped instance left.
import { withinTime } from '../../shared/time-limit.js';
import { ApprovalChecks } from './approval-checks.js';
import { ApprovalService } from './approval-service.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { ApprovalOutcomes } from './approval-outcomes.js';
import { ApprovalParking } from './approval-parking.js';
import { ApprovalQuorum } from './approval-quorum.js';
import { ApprovalRecovery } from './approval-recovery.js';
import { ApprovalRunner } from './approval-runner.js';
import { ApprovalTransitions } from './approval-transitions.js';
import { ApproverRules } from './approver-rules.js';
import { OutcomeNotifier } from './outcome-notifier.js';

/** Maximum time that `stop` waits for runs and their results. */
const MAX_STOP_MS = 10_000;

interface ApprovalsOptions extends ApprovalDependencies {
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
  const { keys, approvers, diagnostics, maxStopMs = MAX_STOP_MS } = options;
  const steps = new ApprovalTransitions({ ...options, settle: (approval) => outcomes.settle(approval) });
  const outcomeNotifier = new OutcomeNotifier({ ...options, steps });
  const quorum = new ApprovalQuorum(keys, approvers);
  const checks = new ApprovalChecks({ ...options, quorum });
  const rules = new ApproverRules({ ...options, checks, quorum });
  const runner = new ApprovalRunner({ ...options, steps, checks, graceMs: maxStopMs / 2 });
  const outcomes = new ApprovalOutcomes({
    ...options,
    steps,
    onDelivered: (approval) => outcomeNotifier.noteDeliveredToWaiter(approval),
    onUnawaited: (approval) => outcomeNotifier.deliverNow(approval),
  });
  const recovery = new ApprovalRecovery({ ...options, steps, runner });
  const beginStop = () => {
    recovery.beginStop();
    runner.beginStop();
    outcomes.beginStop();
    outcomeNotifier.beginStop();
  };
  return {
    service: new ApprovalService({ ...options, steps, runner, rules, quorum }),
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
