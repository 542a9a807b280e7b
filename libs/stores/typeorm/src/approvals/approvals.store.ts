import { IsNull } from 'typeorm';
import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalSummary,
  NewApproval,
  RunEnd,
  RunResult,
} from '#contracts/approvals/approvals.js';
import {
  ApprovalStore,
  type ApprovalFilter,
  type BuildEvidence,
  type CallFilter,
  type CallIdentity,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type ProposeCommand,
  type ReminderKind,
  type ResolveCommand,
  type StuckKind,
} from '#contracts/stores/approvals.store.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import type { Database } from '../database/database.js';
import {
  wherePending,
  whereSettled,
  whereStuck,
  executionValues,
  expiryValues,
  runEndValues,
  resolutionValues,
  transition,
  type ApprovalValues,
  type ApprovalWhere,
  approvalRows,
  whereClaimable,
  decisionValues,
  endValues,
  keepHistory,
  reminderValues,
  setLater,
  whereToNotify,
  whereToRemind,
} from './approval-transitions.js';
import { approvalHistory, approvalIds, approvalPage, callsOf } from './approval-lists.js';
import { withVotes, writeVote } from './approval-votes.js';
import { findLastCall, findSameCall, parkCall, proposeCall, type Parked } from './park-call.js';
import { GuardrailsError } from '#contracts/common/errors.js';

export class TypeormApprovalStore extends ApprovalStore {
  constructor(private readonly database: Database) {
    super();
  }

  override park(call: NewApproval, evidence: BuildEvidence, maxOpen: number): Promise<Parked> {
    return this.database.transaction((transaction) =>
      parkCall(this.database, transaction, call, evidence, maxOpen),
    );
  }

  override findSame(call: CallIdentity): Promise<Approval | null> {
    return this.database.repository(this.database.entities.approval, ({ manager }) =>
      findSameCall(this.database, manager, call),
    );
  }

  override findLast(call: CallIdentity): Promise<Approval | null> {
    return this.database.repository(this.database.entities.approval, ({ manager }) =>
      findLastCall(this.database, manager, call),
    );
  }

  override pending(page: PageRequest, filter: CallFilter = {}): Promise<Page<Approval>> {
    return approvalPage(this.database, { ...callsOf(filter), ...wherePending() }, page);
  }

  override history(filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalSummary>> {
    return approvalHistory(this.database, filter, page);
  }

  override find(id: number): Promise<Approval | null> {
    return this.findBy({ id });
  }

  override findByTokenHash(tokenHash: string): Promise<Approval | null> {
    return this.findBy({ tokenHash });
  }

  /** Votes or decides, or expires a call that is overdue, or returns the earlier decision. */
  override decide(tokenHash: string, { evidence, ...command }: DecideCommand): Promise<DecideResult> {
    const { vote } = command;
    return this.database.transaction(async (transaction) => {
      const pending = { tokenHash, ...wherePending(), ...(vote && { voteCount: vote.afterCount }) };
      const addVote = (id: number): Promise<void> =>
        vote ? writeVote(this.database, transaction, id, command, vote) : Promise.resolve();
      const values = decisionValues(command);
      const won = await transition(this.database, transaction, pending, values, evidence, addVote);
      if (won !== null) return { kind: vote?.isLast === false ? 'voted' : 'decided', approval: won };

      const overdue = { tokenHash, ...whereStuck('overdue') };
      const moved = await transition(this.database, transaction, overdue, expiryValues(), evidence);
      if (moved !== null) return { kind: 'expired', approval: moved, moved: true };

      const row = await approvalRows(this.database, transaction.manager).findOneBy({ tokenHash });
      if (row === null) return { kind: 'unknown' };
      const approval = await withVotes(this.database, transaction.manager, row);
      if (approval.status === 'pending' && vote && approval.voteCount !== vote.afterCount)
        return { kind: 'outdated', approval };
      // The call was neither pending nor overdue when the two updates ran, which is possible only if time went back.
      if (approval.status === 'pending')
        throw GuardrailsError.storeUnavailable(new Error('The clock of the database was set back.'));
      return approval.status === 'expired'
        ? { kind: 'expired', approval, moved: false }
        : { kind: 'already_decided', approval };
    });
  }

  /** Grants the run, unless the call changed since its approval. */
  override claim(id: number, { leaseMs, withinMs, objection }: ClaimCommand): Promise<Approval | null> {
    return this.database.transaction(async (transaction) => {
      const from = { id, ...whereClaimable(withinMs) };
      const claimed = await transition(this.database, transaction, from, executionValues(leaseMs));
      const evidence = claimed === null ? null : objection(claimed);
      if (claimed === null || evidence === null) return claimed;
      // `executing` was never visible to others, so the fence goes back.
      const superseded = { ...endValues('superseded'), fence: claimed.fence - 1 };
      return transition(this.database, transaction, { id }, superseded, () => evidence);
    });
  }

  override claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null> {
    return this.move({ id, fence, ...whereStuck('lost') }, executionValues(leaseMs));
  }

  override async renew(id: number, fence: number, leaseMs: number): Promise<boolean> {
    const renewed = await this.update({ id, fence, status: 'executing' }, { leaseUntil: setLater(leaseMs) });
    return renewed > 0;
  }

  override finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    return this.move({ id, fence, status: 'executing' }, runEndValues(end, result), evidence);
  }

  override markUnknown(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    return this.database.transaction(async (transaction) => {
      // A restored call passes through `executing`, as the guard of the table demands.
      const restored = { id, fence, ...whereStuck('restored') };
      const claimed = await transition(this.database, transaction, restored, executionValues(0));
      const lost = { id, fence: claimed?.fence ?? fence, ...whereStuck('lost') };
      return transition(this.database, transaction, lost, runEndValues('outcome_unknown', result), evidence);
    });
  }

  override supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null> {
    return this.move({ id, status: 'approved' }, runEndValues('superseded', result), evidence);
  }

  override expire(id: number, evidence: BuildEvidence): Promise<Approval | null> {
    return this.move({ id, ...whereStuck('overdue') }, expiryValues(), evidence);
  }

  override dueReminders(kind: ReminderKind, afterMs: number, limit: number): Promise<readonly ApprovalId[]> {
    return this.database.repository(this.database.entities.approval, (rows) =>
      rows.find({
        where: whereToRemind(kind, afterMs),
        select: { id: true },
        order: { id: 'ASC' },
        take: limit,
      }),
    );
  }

  override remind(
    id: number,
    kind: ReminderKind,
    afterMs: number,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    return this.move({ id, ...whereToRemind(kind, afterMs) }, reminderValues(kind), evidence);
  }

  override propose(
    id: number,
    command: ProposeCommand,
  ): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null> {
    return this.database.transaction((transaction) => proposeCall(this.database, transaction, id, command));
  }

  override resolve(id: number, command: ResolveCommand): Promise<Approval | null> {
    return this.move({ id, status: 'outcome_unknown' }, resolutionValues(command), command.evidence);
  }

  override stuck(kind: StuckKind, forMs: number, page: PageRequest): Promise<Page<ApprovalId>> {
    return approvalIds(this.database, whereStuck(kind, forMs), page);
  }

  override async settled(ids: readonly number[]): Promise<readonly ApprovalId[]> {
    if (ids.length === 0) return [];
    return this.database.repository(this.database.entities.approval, (rows) =>
      rows.find({ where: whereSettled(ids), select: { id: true } }),
    );
  }

  override dueNotifications(graceMs: number, limit: number): Promise<readonly ApprovalId[]> {
    return this.database.repository(this.database.entities.approval, (rows) =>
      rows.find({
        where: [...whereToNotify(graceMs)],
        select: { id: true },
        order: { finishedAt: 'ASC' },
        take: limit,
      }),
    );
  }

  /** The lease is taken before the row is read, so an unreadable row is not retried until the lease ends. */
  override async claimNotification(id: number, leaseMs: number): Promise<Approval | null> {
    const due = whereToNotify(0).map((condition) => ({ ...condition, id }));
    const taken = await this.update(due, {
      notifyLeaseUntil: setLater(leaseMs),
      notifyAttempts: () => 'notify_attempts + 1',
    });
    return taken === 0 ? null : this.find(id);
  }

  override async retryNotification(id: number, status: ApprovalStatus, inMs: number): Promise<void> {
    await this.update(
      { id, status, notifiedAt: IsNull() },
      { notifyLeaseUntil: setLater(inMs), decidedIn: keepHistory },
    );
  }

  override async markNotified(id: number, status: ApprovalStatus): Promise<void> {
    await this.update({ id, status }, { notifiedAt: setLater(0) });
  }

  override async encryptedToken(id: number): Promise<string | null> {
    const found = await this.database.repository(this.database.entities.approval, (rows) =>
      rows.findOne({ where: { id }, select: { id: true, encryptedToken: true } }),
    );
    return found?.encryptedToken ?? null;
  }

  private findBy(where: ApprovalWhere): Promise<Approval | null> {
    return this.database.repository(this.database.entities.approval, async (rows) => {
      const row = await rows.findOneBy(where);
      return row === null ? null : withVotes(this.database, rows.manager, row);
    });
  }

  private move(
    from: ApprovalWhere | ApprovalWhere[],
    values: ApprovalValues,
    evidence?: BuildEvidence,
  ): Promise<Approval | null> {
    return this.database.transaction((transaction) =>
      transition(this.database, transaction, from, values, evidence),
    );
  }

  /** An update without evidence. Returns how many rows changed. */
  private update(where: ApprovalWhere | ApprovalWhere[], values: ApprovalValues): Promise<number> {
    return this.database.repository(this.database.entities.approval, async (rows) => {
      const { affected } = await rows.createQueryBuilder().update().set(values).where(where).execute();
      return affected ?? 0;
    });
  }
}
