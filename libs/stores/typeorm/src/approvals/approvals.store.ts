import { In, LessThan, Raw, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm';
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
import type { Decision } from '../../../../contracts/src/audit.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';
import { appendDecision } from '../audit/append-decision.js';
import { rowsOf, type Database } from '../database.js';
import { pageOf } from '../pages.js';
import type { ApprovalRow } from './approvals.entities.js';
import { openKeyOf } from './open-key.js';

type Where = FindOptionsWhere<ApprovalRow>;
type Values = QueryDeepPartialEntity<ApprovalRow>;

export class TypeormApprovalStore extends ApprovalStore {
  constructor(private readonly database: Database) {
    super();
  }

  override park(
    call: NewApproval,
    evidence: (approval: Approval) => Decision,
    maxOpen: number,
  ): Promise<{ readonly approval: Approval; readonly created: boolean } | null> {
    return this.database.transaction(async (manager) => {
      await this.lockParking(manager);
      const openKey = openKeyOf(call);
      if (openKey !== null) {
        const waiting = await this.rows(manager).findOneBy({ openKey, ...this.pendingNow() });
        if (waiting !== null) return { approval: waiting, created: false };
        // One whose time is up no longer keeps this call out; it still waits to be told so, with its evidence.
        await this.rows(manager).update({ openKey }, { openKey: null });
      }
      const { principalId } = call;
      if (principalId !== null) {
        const open = await this.rows(manager).countBy({ principalId, ...this.pendingNow() });
        if (open >= maxOpen) return null;
      }
      const approval = await this.insert(manager, call, openKey);
      await appendDecision(manager, this.database.tables, evidence(approval));
      return { approval, created: true };
    });
  }

  override async pending(page: PageRequest): Promise<Page<Approval>> {
    const before: Where = page.cursor === undefined ? {} : { id: LessThan(page.cursor) };
    const found = await this.database.read(this.database.entities.approval, (rows) =>
      rows.find({ where: { ...this.pendingNow(), ...before }, order: { id: 'DESC' }, take: page.limit + 1 }),
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
    const { now } = this.database.dialect;
    return this.database.transaction(async (manager) => {
      const decided = await this.move(
        manager,
        { tokenHash, ...this.pendingNow() },
        {
          status: verdict,
          decision: verdict,
          decidedBy: actor.id,
          decidedAt: () => now,
          reason,
          openKey: null,
        },
        evidence,
      );
      if (decided !== null) return { kind: 'decided', approval: decided };

      const expired = await this.move(
        manager,
        { tokenHash, status: 'pending', expiresAt: Raw((column) => `${column} <= ${now}`) },
        { status: 'expired', openKey: null },
        evidence,
      );
      if (expired !== null) return { kind: 'expired', approval: expired, moved: true };

      const approval = await this.rows(manager).findOneBy({ tokenHash });
      if (approval === null) return { kind: 'unknown' };
      return approval.status === 'expired'
        ? { kind: 'expired', approval, moved: false }
        : { kind: 'already_decided', approval };
    });
  }

  override claim(id: number): Promise<Approval | null> {
    return this.database.transaction((manager) =>
      this.move(manager, { id, status: 'approved' }, { status: 'executing' }),
    );
  }

  override finish(
    id: number,
    end: RunEnd,
    { result, error }: RunResult,
    evidence: (approval: Approval) => Decision,
  ): Promise<Approval | null> {
    const { now } = this.database.dialect;
    // A run in progress ends in any way; an approved call that has not begun can only be superseded.
    const from = end === 'superseded' ? In<ApprovalStatus>(['executing', 'approved']) : 'executing';
    return this.database.transaction((manager) =>
      this.move(
        manager,
        { id, status: from },
        { status: end, result, error, finishedAt: () => now } as Values,
        evidence,
      ),
    );
  }

  /** The one conditional update behind every transition. `null`: nothing was in that state, and nothing changed. */
  private async move(
    manager: EntityManager,
    from: Where,
    values: Values,
    evidence?: (approval: Approval) => Decision,
  ): Promise<Approval | null> {
    const updated = await this.rows(manager)
      .createQueryBuilder()
      .update()
      .set(values)
      .where(from)
      .returning('id')
      .execute();
    const [row] = updated.raw as { readonly id: string }[];
    if (row === undefined) return null;
    const approval = await this.rows(manager).findOneByOrFail({ id: Number(row.id) });
    if (evidence !== undefined) await appendDecision(manager, this.database.tables, evidence(approval));
    return approval;
  }

  private async insert(manager: EntityManager, call: NewApproval, openKey: string | null): Promise<Approval> {
    const { ttlMs, ...said } = call;
    const { dialect } = this.database;
    const [clock] = await rowsOf<{ now: Date }>(manager, `select ${dialect.now} as now`);
    const createdAt = clock?.now ?? new Date(Number.NaN);
    const inserted = await this.rows(manager).insert({
      ...said,
      openKey,
      status: 'pending',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + ttlMs),
    } as Values);
    return this.rows(manager).findOneByOrFail({ id: Number(inserted.identifiers[0]?.['id']) });
  }

  /** Calls are parked one after the other, so that none slips past the limit or beside its twin. */
  private async lockParking(manager: EntityManager): Promise<void> {
    await rowsOf(manager, `select name from ${this.database.tables.locks} where name = 'parking' for update`);
  }

  private pendingNow(): Where {
    const { now } = this.database.dialect;
    return { status: 'pending', expiresAt: Raw((column) => `${column} > ${now}`) };
  }

  private rows(manager: EntityManager) {
    return manager.getRepository(this.database.entities.approval);
  }
}
