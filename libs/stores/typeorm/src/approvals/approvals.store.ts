import { In, LessThan } from 'typeorm';
import {
  ApprovalStore,
  type Approval,
  type ApprovalStatus,
  type DecideCommand,
  type DecideResult,
  type NewApproval,
  type RunEnd,
  type RunResult,
} from '../../../../contracts/src/approvals.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
import type { Database } from '../database.js';
import { pageOf } from '../pages.js';
import { parkCall, type Parked } from './park-call.js';
import { pendingNow, pendingTooLong } from './pending-now.js';
import {
  approvalRows,
  transition,
  type ApprovalValues,
  type ApprovalWhere,
  type BuildEvidence,
} from './transition.js';

export class TypeormApprovalStore extends ApprovalStore {
  constructor(private readonly database: Database) {
    super();
  }

  override park(call: NewApproval, evidence: BuildEvidence, maxOpen: number): Promise<Parked> {
    return this.database.transaction((manager) => parkCall(this.database, manager, call, evidence, maxOpen));
  }

  override async pending(page: PageRequest): Promise<Page<Approval>> {
    const before: ApprovalWhere = page.cursor === undefined ? {} : { id: LessThan(page.cursor) };
    const where = { ...pendingNow(this.database.dialect), ...before };
    const found = await this.database.read(this.database.entities.approval, (rows) =>
      rows.find({ where, order: { id: 'DESC' }, take: page.limit + 1 }),
    );
    return pageOf(found, page);
  }

  override find(id: number): Promise<Approval | null> {
    return this.database.read(this.database.entities.approval, (rows) => rows.findOneBy({ id }));
  }

  override findByTokenHash(tokenHash: string): Promise<Approval | null> {
    return this.database.read(this.database.entities.approval, (rows) => rows.findOneBy({ tokenHash }));
  }

  override decide(
    tokenHash: string,
    { verdict, actor, reason, evidence }: DecideCommand,
  ): Promise<DecideResult> {
    const { database } = this;
    const { dialect } = database;
    return database.transaction(async (manager) => {
      const decided = await transition(
        database,
        manager,
        { tokenHash, ...pendingNow(dialect) },
        {
          status: verdict,
          decision: verdict,
          decidedBy: actor.id,
          decidedAt: () => dialect.now,
          reason,
          openKey: null,
        },
        evidence,
      );
      if (decided !== null) return { kind: 'decided', approval: decided };

      const expired = await transition(
        database,
        manager,
        { tokenHash, ...pendingTooLong(dialect) },
        { status: 'expired', openKey: null },
        evidence,
      );
      if (expired !== null) return { kind: 'expired', approval: expired, moved: true };

      const approval = await approvalRows(database, manager).findOneBy({ tokenHash });
      if (approval === null) return { kind: 'unknown' };
      return approval.status === 'expired'
        ? { kind: 'expired', approval, moved: false }
        : { kind: 'already_decided', approval };
    });
  }

  override claim(id: number): Promise<Approval | null> {
    return this.database.transaction((manager) =>
      transition(this.database, manager, { id, status: 'approved' }, { status: 'executing' }),
    );
  }

  override finish(
    id: number,
    end: RunEnd,
    { result, error }: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    // A run in progress ends in any way; an approved call that has not begun can only be superseded.
    const status = end === 'superseded' ? In<ApprovalStatus>(['executing', 'approved']) : 'executing';
    const finishedAt = (): string => this.database.dialect.now;
    const values = { status: end, result, error, finishedAt } as ApprovalValues;
    return this.database.transaction((manager) =>
      transition(this.database, manager, { id, status }, values, evidence),
    );
  }
}
