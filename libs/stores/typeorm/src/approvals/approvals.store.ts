import { In, type FindManyOptions, type Repository } from 'typeorm';
import { OUTCOME_STATUSES, type ApprovalId, type NewApproval } from '#contracts/approvals/approvals.js';
import {
  ApprovalStore,
  type ApprovalChange,
  type ApprovalCommand,
  type ApprovalFilter,
  type BuildEvidence,
  type CallFilter,
  type CallIdentity,
  type PendingRequest,
  type ReminderKind,
  type StuckKind,
} from '#contracts/stores/approvals.store.js';
import { isTransient } from '#contracts/common/errors.js';
import type { PageRequest } from '#contracts/common/page.js';
import { approvalOf, next } from '#engine/controls/approvals/life-cycle.js';
import { appendDecision } from '../audit/decision-writer.js';
import type { Database } from '../database/database.js';
import {
  approvalHistory,
  approvalIds,
  approvalPage,
  callsOf,
  later,
  riskiest,
  WHERE_APPROVED,
  wherePending,
  whereStuck,
  whereToNotify,
  whereToRemind,
} from './approval-lists.js';
import { findApproval, lockApproval, saveApproval } from './approval-rows.js';
import type { ApprovalColumns } from '../database/approval.entity.js';
import { findLastCall, findSameCall, parkCall, proposeCall } from './park-call.js';

export class TypeormApprovalStore extends ApprovalStore {
  constructor(private readonly database: Database) {
    super();
  }

  override park(call: NewApproval, evidence: BuildEvidence, maxOpen: number) {
    return this.database.transaction((transaction) =>
      parkCall(this.database, transaction, call, evidence, maxOpen),
    );
  }

  override findSame(call: CallIdentity) {
    return this.read(({ manager }) => findSameCall(this.database, manager, call));
  }

  override findLast(call: CallIdentity) {
    return this.read(({ manager }) => findLastCall(this.database, manager, call));
  }

  override pending(request: PendingRequest, filter: CallFilter = {}) {
    const list = request.sort === 'risk' ? riskiest : approvalPage;
    return list(this.database, { ...callsOf(filter), ...wherePending() }, request);
  }

  override async approvedArguments(filter: CallFilter, take: number) {
    const where = { ...callsOf(filter), ...WHERE_APPROVED };
    const select = { id: true, arguments: true } as const;
    const rows = await this.read((all) => all.find({ where, select, order: { id: 'DESC' }, take }));
    return rows.map(({ arguments: args }) => args);
  }

  override history(filter: ApprovalFilter, page: PageRequest) {
    return approvalHistory(this.database, filter, page);
  }

  override find(id: number) {
    return this.read((rows) => findApproval(this.database, rows, { id }));
  }

  override findByTokenHash(tokenHash: string) {
    return this.read((rows) => findApproval(this.database, rows, { tokenHash }));
  }

  override async change(id: number, command: ApprovalCommand, evidence: BuildEvidence) {
    try {
      return await this.changed(id, command, evidence);
    } catch (error) {
      if (command.kind === 'claimNotification' && !isTransient(error))
        await this.postponeNotification(id, command.leaseMs);
      throw error;
    }
  }

  private changed(
    id: number,
    command: ApprovalCommand,
    evidence: BuildEvidence,
  ): Promise<ApprovalChange | null> {
    return this.database.transaction(async (transaction) => {
      const locked = await lockApproval(this.database, transaction, id);
      if (locked === null) return null;
      const result = next(locked.row, command, locked.now);
      if (result.kind === 'refused') return { ...result, approval: approvalOf(locked.row) };
      const approval = await saveApproval(this.database, transaction, locked.row, result.row);
      const { step } = result;
      if (step !== null) await appendDecision(transaction, this.database, evidence(approval, step));
      return { kind: 'changed', approval, step };
    });
  }

  /** A row that cannot be read gets its lease as well: otherwise it would be due every second, before newer ones. */
  private async postponeNotification(id: number, leaseMs: number) {
    const due = whereToNotify(0).map((where) => ({ ...where, id }));
    const lease = { notifyLeaseUntil: () => later(leaseMs), notifyAttempts: () => 'notify_attempts + 1' };
    await this.read((rows) => rows.createQueryBuilder().update().set(lease).where(due).execute());
  }

  override propose(id: number, call: NewApproval, evidence: BuildEvidence) {
    return this.database.transaction((transaction) =>
      proposeCall(this.database, transaction, id, call, evidence),
    );
  }

  override dueReminders(kind: ReminderKind, afterMs: number, limit: number) {
    return this.ids({ where: whereToRemind(kind, afterMs), order: { id: 'ASC' }, take: limit });
  }

  override stuck(kind: StuckKind, forMs: number, page: PageRequest) {
    return approvalIds(this.database, whereStuck(kind, forMs), page);
  }

  override async settled(ids: readonly number[]) {
    return ids.length === 0
      ? []
      : this.ids({ where: { id: In([...ids]), status: In([...OUTCOME_STATUSES]) } });
  }

  override dueNotifications(graceMs: number, limit: number) {
    return this.ids({ where: whereToNotify(graceMs), order: { finishedAt: 'ASC' }, take: limit });
  }

  override async encryptedToken(id: number) {
    const select = { id: true, encryptedToken: true } as const;
    const row = await this.read((rows) => rows.findOne({ where: { id }, select }));
    return row?.encryptedToken ?? null;
  }

  private ids(options: FindManyOptions<ApprovalColumns>): Promise<readonly ApprovalId[]> {
    return this.read((rows) => rows.find({ ...options, select: { id: true } }));
  }

  private read<Result>(work: (rows: Repository<ApprovalColumns>) => Promise<Result>): Promise<Result> {
    return this.database.repository(this.database.entities.approval, work);
  }
}
