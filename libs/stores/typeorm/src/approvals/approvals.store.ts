import { IsNull } from 'typeorm';
import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalSummary,
  NewApproval,
  RunEnd,
  RunResult,
} from '../../../../contracts/src/approvals.js';
import {
  ApprovalStore,
  type ApprovalFilter,
  type BuildEvidence,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type ResolveCommand,
  type StuckKind,
} from '../../../../contracts/src/approvals.store.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
import type { Database } from '../database.js';
import { pendingNow, settled, stuck, untold } from './approval-conditions.js';
import { executing, expired, finished, resolved } from './approval-steps.js';
import { approvalHistory, approvalIds, approvalPage } from './approval-pages.js';
import { claimCall } from './claim-call.js';
import { decideCall } from './decide-call.js';
import { parkCall, type Parked } from './park-call.js';
import { transition, type ApprovalValues, type ApprovalWhere } from './transition.js';

export class TypeormApprovalStore extends ApprovalStore {
  constructor(private readonly database: Database) {
    super();
  }

  override park(call: NewApproval, evidence: BuildEvidence, maxOpen: number): Promise<Parked> {
    return this.database.transaction((manager) => parkCall(this.database, manager, call, evidence, maxOpen));
  }

  override pending(page: PageRequest): Promise<Page<Approval>> {
    return approvalPage(this.database, pendingNow(this.database.dialect), page);
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

  override decide(tokenHash: string, command: DecideCommand): Promise<DecideResult> {
    return this.database.transaction((manager) => decideCall(this.database, manager, tokenHash, command));
  }

  override claim(id: number, command: ClaimCommand): Promise<Approval | null> {
    return this.database.transaction((manager) => claimCall(this.database, manager, id, command));
  }

  override claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null> {
    return this.move({ id, fence, ...this.lost() }, executing(this.database.dialect, leaseMs));
  }

  override async renew(id: number, fence: number, leaseMs: number): Promise<boolean> {
    const leaseUntil = (): string => this.database.dialect.fromNow(String(leaseMs));
    return (await this.set({ id, fence, status: 'executing' }, { leaseUntil })) > 0;
  }

  override finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const values = finished(this.database.dialect, end, result);
    return this.move({ id, fence, status: 'executing' }, values, evidence);
  }

  override giveUp(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const values = finished(this.database.dialect, 'outcome_unknown', result);
    return this.move({ id, fence, ...this.lost() }, values, evidence);
  }

  override supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null> {
    const values = finished(this.database.dialect, 'superseded', result);
    return this.move({ id, status: 'approved' }, values, evidence);
  }

  override expire(id: number, evidence: BuildEvidence): Promise<Approval | null> {
    const { dialect } = this.database;
    return this.move({ id, ...stuck(dialect, 'overdue') }, expired(dialect), evidence);
  }

  override resolve(id: number, command: ResolveCommand): Promise<Approval | null> {
    const values = resolved(this.database.dialect, command);
    return this.move({ id, status: 'outcome_unknown' }, values, command.evidence);
  }

  override stuck(kind: StuckKind, forMs: number, page: PageRequest): Promise<Page<ApprovalId>> {
    return approvalIds(this.database, stuck(this.database.dialect, kind, forMs), page);
  }

  override async settled(ids: readonly number[]): Promise<readonly ApprovalId[]> {
    if (ids.length === 0) return [];
    return this.database.read(this.database.entities.approval, (rows) =>
      rows.find({ where: settled(ids), select: { id: true } }),
    );
  }

  override async untold(graceMs: number, limit: number): Promise<readonly ApprovalId[]> {
    const where = [...untold(this.database.dialect, graceMs)];
    return this.database.read(this.database.entities.approval, (rows) =>
      rows.find({ where, select: { id: true }, order: { finishedAt: 'ASC' }, take: limit }),
    );
  }

  /** Taken first and read then: what cannot be read is in nobody's way until its lease ends. */
  override async takeOutcome(id: number, leaseMs: number): Promise<Approval | null> {
    const { dialect } = this.database;
    const due = untold(dialect, 0).map((condition) => ({ ...condition, id }));
    const tellingUntil = (): string => dialect.fromNow(String(leaseMs));
    const taken = await this.set(due, { tellingUntil, notifyAttempts: () => 'tellings + 1' });
    return taken === 0 ? null : this.find(id);
  }

  override async tellAgain(id: number, status: ApprovalStatus, inMs: number): Promise<void> {
    const tellingUntil = (): string => this.database.dialect.fromNow(String(inMs));
    await this.set({ id, status, toldAt: IsNull() }, { tellingUntil });
  }

  override async told(id: number, status: ApprovalStatus): Promise<void> {
    await this.set({ id, status }, { toldAt: () => this.database.dialect.now });
  }

  override async encryptedToken(id: number): Promise<string | null> {
    const found = await this.database.read(this.database.entities.approval, (rows) =>
      rows.findOne({ where: { id }, select: { id: true, encryptedToken: true } }),
    );
    return found?.encryptedToken ?? null;
  }

  override async forgetToken(id: number): Promise<void> {
    await this.set({ id }, { encryptedToken: null });
  }

  private lost(): ApprovalWhere {
    return stuck(this.database.dialect, 'lost');
  }

  private findBy(where: ApprovalWhere): Promise<Approval | null> {
    return this.database.read(this.database.entities.approval, (rows) => rows.findOneBy(where));
  }

  /** One transition, with its evidence where it leaves any. */
  private move(
    from: ApprovalWhere | ApprovalWhere[],
    values: ApprovalValues,
    evidence?: BuildEvidence,
  ): Promise<Approval | null> {
    return this.database.transaction((manager) => transition(this.database, manager, from, values, evidence));
  }

  /** A single update that nobody has to be told of; answers how many rows it changed. */
  private set(where: ApprovalWhere | ApprovalWhere[], values: ApprovalValues): Promise<number> {
    return this.database.statement(async (manager) => {
      const update = manager.createQueryBuilder().update(this.database.entities.approval);
      const { affected } = await update.set(values).where(where).execute();
      return affected ?? 0;
    });
  }
}
