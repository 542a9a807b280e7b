import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import {
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionPart,
  type RetentionRun,
} from '../../../../contracts/src/retention.js';
import { RetentionStore, type HeldRun } from '../../../../contracts/src/retention.store.js';
import type { Database } from '../database.js';
import { rowsOf } from '../rows.js';
import { jsonText } from '../json-text.js';
import { outgoingParts } from '../outbox/outgoing-insert.js';
import { Parameters } from '../parameters.js';
import { approvalsPart } from './parts/approvals.part.js';
import { entriesPart } from './parts/entries.part.js';
import { eventsPart } from './parts/events.part.js';
import { outputCountsPart } from './parts/output-counts.part.js';
import { principalsPart } from './parts/principals.part.js';
import { rejectionsPart } from './parts/rejections.part.js';
import { heldRunOf, RUN_COLUMNS, runOf, stateOf, type RunColumns } from './retention.rows.js';
import { keptScope, scopeOf, stateAtFirst, type RunState } from './run-state.js';
import { ask, countOf, type RunPart, type RunWork } from './run-work.js';

const PARTS: Readonly<Record<RetentionPart, RunPart>> = {
  entries: entriesPart,
  rejections: rejectionsPart,
  outputCounts: outputCountsPart,
  approvals: approvalsPart,
  events: eventsPart,
  principals: principalsPart,
};

export class TypeormRetentionStore extends RetentionStore {
  constructor(private readonly database: Database) {
    super();
  }

  override count(order: Pick<RetentionOrder, 'strategy' | 'scope'>): Promise<RetentionCounts> {
    return this.database.transaction(async (manager) => {
      const work = this.work(manager, order, 0);
      const counts: Record<RetentionPart, number> = { ...NOTHING_RETAINED };
      for (const part of RETENTION_PARTS) counts[part] = await PARTS[part].count(work);
      return counts;
    });
  }

  override begin(order: RetentionOrder, leaseMs: number, everyMs = 0): Promise<HeldRun | null> {
    const { dialect, tables } = this.database;
    const { strategy, scope, actorId } = order;
    const recorded = scope.kind === 'principal' ? { kind: 'principal' } : keptScope(scope);
    return this.oneAtATime(async (manager) => {
      const rows = await ask<RunColumns>({ manager }, (parameters) => {
        const actor = parameters.text(actorId);
        const since = dialect.fromNow(`-(${parameters.add(everyMs)}::bigint)`);
        return `with begun as (
          insert into ${tables.retentionRuns} (actor_id, strategy, scope, counts, started_at, state, lease, lease_until)
          select ${actor}, ${parameters.add(strategy)}, ${parameters.add(jsonText(recorded))},
            ${parameters.add(jsonText(NOTHING_RETAINED))}, ${dialect.now}, ${parameters.add(jsonText(stateAtFirst(scope)))},
            ${parameters.add(randomUUID())}, ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
          where not exists (
            select 1 from ${tables.retentionRuns}
            where actor_id = ${actor} and started_at > ${since} and ${parameters.add(everyMs)}::bigint > 0)
          returning *) select ${RUN_COLUMNS} from begun`;
      });
      return rows[0] === undefined ? null : heldRunOf(rows[0]);
    });
  }

  override takeOver(leaseMs: number): Promise<HeldRun | null> {
    const { dialect, tables } = this.database;
    return this.oneAtATime(async (manager) => {
      const rows = await ask<RunColumns>(
        { manager },
        (parameters) => `with taken as (
          update ${tables.retentionRuns} set lease = ${parameters.add(randomUUID())},
            lease_until = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
          where id = (select min(id) from ${tables.retentionRuns} where finished_at is null)
          returning *) select ${RUN_COLUMNS} from taken`,
      );
      return rows[0] === undefined ? null : heldRunOf(rows[0]);
    });
  }

  override proceed(
    run: HeldRun,
    limit: number,
    leaseMs: number,
  ): Promise<{ readonly run: HeldRun; readonly done: boolean } | null> {
    return this.database.transaction(async (manager) => {
      const held = await this.hold(manager, run, leaseMs);
      const state = held === null ? null : stateOf(held);
      if (held === null || state === null) return null;
      const part = RETENTION_PARTS[state.partsDone];
      if (part === undefined) return { run: heldRunOf(held), done: true };
      await this.database.dialect.actForRetention(manager, run.id);
      const work = this.work(manager, { strategy: run.strategy, scope: scopeOf(state) }, run.id);
      const { touched, further = {}, cursor } = await PARTS[part].step(work, state.cursor, limit);
      const { counts } = runOf(held);
      const next: RunState = { ...state, cursor, partsDone: state.partsDone + Number(cursor === null) };
      const kept = added(counts, { ...further, [part]: touched });
      await manager.query(
        `update ${this.database.tables.retentionRuns} set counts = $1, state = $2 where id = $3`,
        [jsonText(kept), jsonText(next), run.id],
      );
      return { run: { ...heldRunOf(held), counts: kept }, done: next.partsDone === RETENTION_PARTS.length };
    });
  }

  override finish(run: HeldRun): Promise<RetentionRun | null> {
    const { dialect, tables } = this.database;
    return this.database.statement(async (manager) => {
      const rows = await ask<RunColumns>(
        { manager },
        (parameters) => `with finished as (
          update ${tables.retentionRuns}
          set finished_at = ${dialect.now}, state = null, lease = null, lease_until = null
          where id = ${parameters.add(run.id)} and lease = ${parameters.add(run.lease)} and finished_at is null
          returning *) select ${RUN_COLUMNS} from finished`,
      );
      return rows[0] === undefined ? null : runOf(rows[0]);
    });
  }

  override async runs(limit: number): Promise<readonly RetentionRun[]> {
    const rows = await this.database.rows<RunColumns>(
      `select ${RUN_COLUMNS} from ${this.database.tables.retentionRuns} order by id desc limit $1`,
      [limit],
    );
    return rows.map(runOf);
  }

  override async untold(limit: number): Promise<readonly RetentionRun[]> {
    const rows = await this.database.rows<RunColumns>(
      `select ${RUN_COLUMNS} from ${this.database.tables.retentionRuns}
       where finished_at is not null and told_at is null order by id limit $1`,
      [limit],
    );
    return rows.map(runOf);
  }

  override tell(runId: number, outgoing: readonly OutgoingEvent[]): Promise<boolean> {
    const { dialect, tables } = this.database;
    return this.database.transaction(async (manager) => {
      const told = await countOf(
        { manager },
        (parameters) => `with told as (
          update ${tables.retentionRuns} set told_at = ${dialect.now}
          where id = ${parameters.add(runId)} and finished_at is not null and told_at is null returning 1)
          select count(*) as count from told`,
      );
      if (told === 1 && outgoing.length > 0) {
        const parameters = new Parameters();
        const placed = outgoing.map((event) => ({ event, place: 1 }));
        const parts = outgoingParts(tables, placed, parameters);
        await manager.query(`with ${parts.join(',\n')} select position from outgoing`, parameters.values);
      }
      return told === 1;
    });
  }

  /** `null` where a run is held by anybody. */
  private oneAtATime(work: (manager: EntityManager) => Promise<HeldRun | null>): Promise<HeldRun | null> {
    const { dialect, tables } = this.database;
    return this.database.transaction(async (manager) => {
      await rowsOf(manager, `select id from ${tables.retentionState} for update`);
      const held = await rowsOf(
        manager,
        `select id from ${tables.retentionRuns} where finished_at is null and lease_until > ${dialect.now} limit 1`,
      );
      return held.length > 0 ? null : work(manager);
    });
  }

  /** Writes the run's row, by which the triggers know the transaction. */
  private async hold(manager: EntityManager, run: HeldRun, leaseMs: number): Promise<RunColumns | null> {
    const { dialect, tables } = this.database;
    const rows = await ask<RunColumns>(
      { manager },
      (parameters) => `with held as (
        update ${tables.retentionRuns} set lease_until = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
        where id = ${parameters.add(run.id)} and lease = ${parameters.add(run.lease)} and finished_at is null
        returning *) select ${RUN_COLUMNS} from held`,
    );
    return rows[0] ?? null;
  }

  private work(
    manager: EntityManager,
    { strategy, scope }: Pick<RetentionOrder, 'strategy' | 'scope'>,
    runId: number,
  ): RunWork {
    const { tables, dialect } = this.database;
    return { manager, tables, dialect, strategy, scope, runId };
  }
}

function added(counts: RetentionCounts, more: Partial<RetentionCounts>): RetentionCounts {
  const sums = RETENTION_PARTS.map((part) => [part, counts[part] + (more[part] ?? 0)]);
  return Object.fromEntries(sums) as RetentionCounts;
}
