import type { ApprovalNotifier } from '../../../contracts/src/approval-notifier.js';
import type { Approval } from '../../../contracts/src/approvals.js';
import type { ApprovalStore } from '../../../contracts/src/approvals.store.js';
import type { Clock } from '../../../contracts/src/clock.js';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import type { CallReview, ToolCatalogue } from '../../../contracts/src/firewall.js';
import type { Redactor } from '../../../contracts/src/output.js';
import type { DecisionRecorder } from '../../../contracts/src/recorder.js';
import type { Rulebook } from '../../../contracts/src/screening.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { SettingValues } from '../../../contracts/src/settings/settings.schema.js';
import type { Diagnostics } from '../diagnostics.js';
import { ApprovalChecks } from './approval-checks.js';
import { ApprovalDesk } from './approval-desk.js';
import { ApprovalKeys } from './approval-keys.js';
import { ApprovalNotifierSink } from './approval-notifier.sink.js';
import { ApprovalOutcomes } from './approval-outcomes.js';
import { ApprovalParking } from './approval-parking.js';
import { ApprovalRecovery } from './approval-recovery.js';
import { ApprovalRunner } from './approval-runner.js';
import { ApprovalSteps } from './approval-steps.js';
import { OutcomeWaiters } from './outcome-waiters.js';
import type { StepWatch } from './step-watch.js';

/** A process that ends waits this long for handlers that were told of an outcome. */
const HANDLERS_MS = 5_000;

export interface ApprovalsNeeds {
  readonly store: ApprovalStore;
  readonly keys: ApprovalKeys | null;
  readonly tools: ToolCatalogue;
  readonly review: CallReview;
  readonly policyRevision: (settings: Settings) => string;
  readonly recorder: DecisionRecorder;
  readonly rulebook: Rulebook;
  readonly redactor: Redactor;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly watch: StepWatch;
}

export interface Approvals {
  readonly desk: ApprovalDesk;
  readonly parking: ApprovalParking;
  readonly outcomes: ApprovalOutcomes;
  readonly recovery: ApprovalRecovery;
  /** Resolves when approved calls that run here have ended. */
  stop(): Promise<void>;
}

/** The room's own parts, put together. */
export function createApprovals(needs: ApprovalsNeeds): Approvals {
  const { store, keys, tools, review, policyRevision, recorder, rulebook, redactor, settings } = needs;
  const { clock, diagnostics, watch } = needs;
  const notes = new Set<Promise<void>>();
  const waiters = new OutcomeWaiters((approval) => {
    const note = noteTold(store, approval, diagnostics).finally(() => notes.delete(note));
    notes.add(note);
  });
  const steps = new ApprovalSteps(store, recorder, rulebook, settings, waiters, watch);
  const checks = new ApprovalChecks(keys, tools, review, settings, policyRevision);
  const runner = new ApprovalRunner(store, steps, checks, redactor, settings, diagnostics, watch);
  const outcomes = new ApprovalOutcomes(store, waiters, steps, clock, diagnostics);
  return {
    desk: new ApprovalDesk(store, steps, runner, checks, tools, keys, settings),
    parking: new ApprovalParking(keys, tools, steps, redactor, policyRevision),
    outcomes,
    recovery: new ApprovalRecovery(keys, store, tools, steps, runner, settings, diagnostics),
    stop: async () => {
      await runner.idle();
      await outcomes.stop(HANDLERS_MS);
      await Promise.all(notes);
    },
  };
}

/** `null`: without the secret nobody can be asked. */
export function approvalKeys(configured: SettingValues): ApprovalKeys | null {
  const secret = configured['hitl.token_secret'];
  return secret === null ? null : new ApprovalKeys(secret, configured['hitl.token_delivery']);
}

export function notifierSinks(
  notifier: ApprovalNotifier | null | undefined,
  store: ApprovalStore,
  keys: ApprovalKeys | null,
): readonly EventSink[] {
  return notifier == null || keys === null ? [] : [new ApprovalNotifierSink(notifier, store, keys.tokens)];
}

/** Where it cannot be noted, a handler may be told of it as well: told twice is better than not at all. */
async function noteTold(
  store: ApprovalStore,
  { id, status }: Approval,
  diagnostics: Diagnostics,
): Promise<void> {
  try {
    await store.told(id, status);
  } catch {
    diagnostics.warn('that an outcome was told could not be noted', { approval: id });
  }
}
