import { isTransient } from '../../../contracts/src/errors.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Approval, NewApproval, RunEnd, RunResult } from '../../../contracts/src/approvals.js';
import type {
  ApprovalStore,
  BuildEvidence,
  ClaimCommand,
  DecideCommand,
  DecideResult,
  ResolveCommand,
} from '../../../contracts/src/approvals.store.js';
import type { Decision } from '../../../contracts/src/audit.js';
import type { RuleCatalog } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { CurrentSettings, DecisionRecorder, PreparedDecision } from '../ports.js';
import { approvalEvidence } from './approval-evidence.js';
import type { OutcomeWaiters } from './outcome-waiters.js';

export interface RunOutcome {
  readonly status: RunEnd;
  readonly result: RunResult;
}

const NOTHING: RunResult = { result: null, error: null };

/** Evidence that commits with a step, and the word that follows once it has. */
interface PendingEvidence {
  readonly evidence: BuildEvidence;
  announce(): void;
}

/** Takes the steps of approvals: each commits with its evidence, then it is announced, then whoever waits is told. */
export class ApprovalTransitions {
  constructor(
    private readonly store: ApprovalStore,
    private readonly recorder: DecisionRecorder,
    private readonly rulebook: RuleCatalog,
    private readonly settings: CurrentSettings,
    private readonly waiters: OutcomeWaiters,
  ) {}

  async park(call: NewApproval, settings: Settings): ReturnType<ApprovalStore['park']> {
    const evidenceFor = this.witness(settings);
    const parked = await this.store.park(
      call,
      evidenceFor.evidence,
      settings.get('hitl.max_open_per_principal'),
    );
    if (parked?.created === true) this.announced(parked.approval, evidenceFor);
    return parked;
  }

  async decide(tokenHash: string, command: Omit<DecideCommand, 'evidence'>): Promise<DecideResult> {
    const witness = this.witness();
    const decided = await this.store.decide(tokenHash, { ...command, evidence: witness.evidence });
    if (decided.kind === 'decided' || (decided.kind === 'expired' && decided.moved))
      this.announced(decided.approval, witness);
    return decided;
  }

  /** What a run came to is known here alone: a store that is away for a moment must not lose it. */
  async finish({ id, fence }: Approval, { status, result }: RunOutcome): Promise<Approval | null> {
    const witness = this.witness();
    const finished = await retryWhileUnavailable(async (isFirst) => {
      const done = await this.store.finish(id, fence, status, result, witness.evidence);
      if (done !== null || isFirst) return done;
      // The attempt before may have committed, and only its answer was lost.
      const found = await this.store.find(id);
      return found?.fence === fence && found.status === status ? found : null;
    });
    return this.announced(finished, witness);
  }

  giveUp({ id, fence }: Approval, result: RunResult): Promise<Approval | null> {
    return this.take((evidence) => this.store.giveUp(id, fence, result, evidence));
  }

  /** approved → executing; or → superseded, where what is in the store by then does not stand. */
  async claim(
    { id }: Approval,
    terms: Omit<ClaimCommand, 'objection'>,
    stands: (approval: Approval) => boolean,
  ): Promise<Approval | null> {
    const witness = this.witness();
    const objection = (approval: Approval): Decision | null =>
      stands(approval) ? null : witness.evidence({ ...approval, status: 'superseded' });
    const claimed = await this.store.claim(id, { ...terms, objection });
    return claimed?.status === 'superseded' ? this.announced(claimed, witness) : claimed;
  }

  supersede({ id }: Pick<Approval, 'id'>, result: RunResult = NOTHING): Promise<Approval | null> {
    return this.take((evidence) => this.store.supersede(id, result, evidence));
  }

  expire({ id }: Pick<Approval, 'id'>): Promise<Approval | null> {
    return this.take((evidence) => this.store.expire(id, evidence));
  }

  resolve(id: number, command: Omit<ResolveCommand, 'evidence'>): Promise<Approval | null> {
    return this.take((evidence) => this.store.resolve(id, { ...command, evidence }));
  }

  private async take(step: (evidence: BuildEvidence) => Promise<Approval | null>): Promise<Approval | null> {
    const witness = this.witness();
    return this.announced(await step(witness.evidence), witness);
  }

  private announced(approval: Approval | null, witness: PendingEvidence): Approval | null {
    if (approval === null) return null;
    witness.announce();
    this.waiters.settle(approval);
    return approval;
  }

  private witness(settings = this.settings.current()): PendingEvidence {
    let prepared: PreparedDecision | null = null;
    return {
      evidence: (approval) => {
        const ruling = approvalEvidence(approval, settings, this.rulebook.rulesetVersion(settings));
        // A retried transaction builds it again: only the last one was committed.
        prepared = this.recorder.prepare(ruling, settings);
        return prepared.decision;
      },
      announce: () => prepared?.announce(null),
    };
  }
}

const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/** Tries again for some seconds where the store is away. What was tried before may have happened all the same. */
export async function retryWhileUnavailable<Result>(
  work: (isFirst: boolean) => Promise<Result>,
): Promise<Result> {
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
