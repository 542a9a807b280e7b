import { isTransient } from '#contracts/common/errors.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Approval, NewApproval, RunEnd, RunResult } from '#contracts/approvals/approvals.js';
import type {
  ApprovalStore,
  BuildEvidence,
  ClaimCommand,
  DecideCommand,
  DecideResult,
  ReminderKind,
  ResolveCommand,
} from '#contracts/stores/approvals.store.js';
import type { Decision } from '#contracts/audit/record.js';
import type {
  RuleCatalog,
  CurrentSettings,
  DecisionDraft,
  DecisionRecorder,
  PreparedDecision,
} from '../../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { approvalEvidence, proposedBy, type PendingStep } from './approval-evidence.js';
import type { OutcomeWaiters } from './outcome-waiters.js';

export interface RunOutcome {
  readonly status: RunEnd;
  readonly result: RunResult;
}

const HAS_CHANGED: ReadonlySet<DecideResult['kind']> = new Set(['decided', 'voted']);

const NOTHING: RunResult = { result: null, error: null };

interface EvidenceTerms {
  /** Default: the settings in force. */
  readonly settings?: Settings;
  /** Added to the evidence. */
  readonly record?: Partial<DecisionDraft>;
  /** For a step that leaves the approval pending. */
  readonly stepOf?: (approval: Approval) => PendingStep | null;
}

/** Evidence that commits with a transition, and its event for after the commit. */
interface PendingEvidence {
  readonly evidence: BuildEvidence;
  publish(): void;
}

interface ApprovalTransitionsOptions {
  readonly store: ApprovalStore;
  readonly recorder: DecisionRecorder;
  readonly ruleCatalog: RuleCatalog;
  readonly settings: CurrentSettings;
  readonly waiters: OutcomeWaiters;
}

/**
 * Performs the transitions of approvals: each commits with its evidence, then its event is published, then waiting
 * code is resolved.
 */
export class ApprovalTransitions {
  constructor(private readonly options: ApprovalTransitionsOptions) {}

  /** `record` is added to the evidence. */
  async park(
    call: NewApproval,
    settings: Settings,
    record: Partial<DecisionDraft> = {},
  ): ReturnType<ApprovalStore['park']> {
    const pending = this.evidenceFor({ settings, record });
    const parked = await this.options.store.park(
      call,
      pending.evidence,
      settings.get('hitl.max_open_per_principal'),
    );
    if (parked?.created === true) this.published(parked.approval, pending);
    return parked;
  }

  async decide(tokenHash: string, command: Omit<DecideCommand, 'evidence'>): Promise<DecideResult> {
    const vote: PendingStep = { step: 'voted', actorId: command.actorId };
    const pending = this.evidenceFor({
      stepOf: ({ status }) => (status === 'pending' ? vote : null),
    });
    const decided = await this.options.store.decide(tokenHash, { ...command, evidence: pending.evidence });
    const hasChanged = decided.kind === 'expired' ? decided.moved : HAS_CHANGED.has(decided.kind);
    if (hasChanged && decided.kind !== 'unknown') this.published(decided.approval, pending);
    return decided;
  }

  /** Only this instance has the result, so a short outage of the store must not lose it. */
  async finish({ id, fence }: Approval, { status, result }: RunOutcome): Promise<Approval | null> {
    const pending = this.evidenceFor();
    const finished = await retryWhileUnavailable(async (isFirst) => {
      const done = await this.options.store.finish(id, fence, status, result, pending.evidence);
      if (done !== null || isFirst) return done;
      // An earlier attempt may have committed, and its answer may be lost.
      const found = await this.options.store.find(id);
      return found?.fence === fence && found.status === status ? found : null;
    });
    return this.published(finished, pending);
  }

  markUnknown({ id, fence }: Approval, result: RunResult): Promise<Approval | null> {
    return this.take((evidence) => this.options.store.markUnknown(id, fence, result, evidence));
  }

  /** approved → executing; or → superseded, where the stored approval fails `isUnchanged`. */
  async claim(
    { id }: Approval,
    terms: Omit<ClaimCommand, 'objection'>,
    isUnchanged: (approval: Approval) => boolean,
  ): Promise<Approval | null> {
    const pending = this.evidenceFor();
    const supersedingEvidence = (approval: Approval): Decision | null =>
      isUnchanged(approval) ? null : pending.evidence({ ...approval, status: 'superseded' });
    const claimed = await this.options.store.claim(id, { ...terms, objection: supersedingEvidence });
    return claimed?.status === 'superseded' ? this.published(claimed, pending) : claimed;
  }

  supersede({ id }: Pick<Approval, 'id'>, result: RunResult = NOTHING): Promise<Approval | null> {
    return this.take((evidence) => this.options.store.supersede(id, result, evidence));
  }

  expire({ id }: Pick<Approval, 'id'>): Promise<Approval | null> {
    return this.take((evidence) => this.options.store.expire(id, evidence));
  }

  remind({ id }: Pick<Approval, 'id'>, kind: ReminderKind, afterMs: number): Promise<Approval | null> {
    const step: PendingStep = { step: kind, actorId: null };
    return this.take((evidence) => this.options.store.remind(id, kind, afterMs, evidence), {
      stepOf: () => step,
    });
  }

  /** `null`: no longer pending. Code that waits for the superseded call then waits for the proposal. */
  async propose(
    { id }: Pick<Approval, 'id'>,
    call: NewApproval,
    actorId: string,
    settings: Settings,
    record: Partial<DecisionDraft>,
  ): Promise<Approval | null> {
    const superseded = this.evidenceFor();
    const proposed = this.evidenceFor({ settings, record, stepOf: () => proposedBy(actorId) });
    const command = { call, evidence: proposed.evidence, supersession: superseded.evidence };
    const result = await this.options.store.propose(id, command);
    if (result === null) return null;
    this.published(result.superseded, superseded);
    return this.published(result.proposed, proposed);
  }

  resolve(id: number, command: Omit<ResolveCommand, 'evidence'>): Promise<Approval | null> {
    return this.take((evidence) => this.options.store.resolve(id, { ...command, evidence }));
  }

  private async take(
    step: (evidence: BuildEvidence) => Promise<Approval | null>,
    terms?: EvidenceTerms,
  ): Promise<Approval | null> {
    const pending = this.evidenceFor(terms);
    return this.published(await step(pending.evidence), pending);
  }

  private published(approval: Approval | null, pending: PendingEvidence): Approval | null {
    if (approval === null) return null;
    pending.publish();
    this.options.waiters.settle(approval);
    return approval;
  }

  private evidenceFor({
    settings = this.options.settings.current(),
    record = {},
    stepOf = () => null,
  }: EvidenceTerms = {}): PendingEvidence {
    let prepared: PreparedDecision | null = null;
    return {
      evidence: (approval) => {
        const version = this.options.ruleCatalog.rulesetVersion(settings);
        const ruling = approvalEvidence(approval, settings, version, stepOf(approval));
        // A retried transaction builds the evidence again; only the last one is committed.
        prepared = this.options.recorder.prepare({ ...ruling, ...record }, settings);
        return prepared.decision;
      },
      publish: () => prepared?.publish(null),
    };
  }
}

const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/** Retries for about eight seconds while the store is unavailable. An earlier attempt may have succeeded. */
async function retryWhileUnavailable<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt === 0);
    } catch (error) {
      const wait = PAUSES_MS[attempt];
      if (wait === undefined || !isTransient(error)) throw error;
      await pause(wait);
    }
  }
}
