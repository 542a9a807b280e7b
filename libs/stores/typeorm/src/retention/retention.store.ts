import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import {
  NOTHING_RETAINED,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionRun,
} from '../../../../contracts/src/retention.js';
import { RetentionStore, type HeldRun } from '../../../../contracts/src/retention.store.js';
import type { Database } from '../database.js';
import { perform, rowsOf } from '../rows.js';
import { jsonText } from '../json-text.js';
import { heldRunOf, RUN_COLUMNS, runOf, stateOf, type RunColumns } from './retention.rows.js';
import { keptScope, scopeOf, stateAtFirst, type RunState } from './run-state.js';
import { added, countEach, stepOf } from './run-step.js';
import { ask, changed, type RunWork } from './run-work.js';

export class TypeormRetentionStore extends RetentionStore {
  /** @param keeper the same database, in the role that may erase and delete, where that is another one */
  constructor(
    private readonly database: Database,
    private readonly keeper: Database = database,
  ) {
    super();
  }

  override count(order: Pick<RetentionOrder, 'strategy' | 'scope'>): Promise<RetentionCounts> {
    return this.keeper.transaction((manager) => countEach(this.work(manager, order, 0)));
  }

  override begin(order: RetentionOrder, leaseMs: number, everyMs = 0): Promise<HeldRun | null> {
    const { dialect, tables } = this.keeper;
    const { strategy, scope, actorId } = order;
    const recorded = scope.kind === 'principal' ? { kind: 'principal' } : keptScope(scope);
    return this.oneAtATime(async (manager) => {
      if (everyMs > 0 && (await this.begunWithin(manager, actorId, everyMs))) return null;
      const lease = randomUUID();
      await changed(
        { manager },
        (parameters) => `insert into ${tables.retentionRuns}
            (actor_id, strategy, scope, counts, started_at, state, lease, lease_until)
          values (${parameters.text(actorId)}, ${parameters.add(strategy)}, ${parameters.add(jsonText(recorded))},
            ${parameters.add(jsonText(NOTHING_RETAINED))}, ${dialect.now}, ${parameters.add(jsonText(stateAtFirst(scope)))},
            ${parameters.add(lease)}, ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)})`,
      );
      return this.heldBy(manager, lease);
    });
  }

  override takeOver(leaseMs: number): Promise<HeldRun | null> {
    const { dialect, tables } = this.keeper;
    return this.oneAtATime(async (manager) => {
      const [oldest] = await ask<{ id: string | null }>(
        { manager },
        () => `select min(id) as id from ${tables.retentionRuns} where finished_at is null`,
      );
      if (oldest === undefined || oldest.id === null) return null;
      const { id } = oldest;
      const lease = randomUUID();
      await changed(
        { manager },
        (parameters) => `update ${tables.retentionRuns} set lease = ${parameters.add(lease)},
            lease_until = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
          where id = ${parameters.add(Number(id))}`,
      );
      return this.heldBy(manager, lease);
    });
  }

  override proceed(
    run: HeldRun,
    limit: number,
    leaseMs: number,
  ): Promise<{ readonly run: HeldRun; readonly done: boolean } | null> {
    return this.keeper.transaction(async (manager) => {
      const held = await this.hold(manager, run, leaseMs);
      const state = held === null ? null : stateOf(held);
      if (held === null || state === null) return null;
      const part = RETENTION_PARTS[state.partsDone];
      if (part === undefined) return { run: heldRunOf(held), done: true };
      await this.keeper.dialect.actForRetention(manager, this.keeper.tables.retentionRuns, run.id);
      const work = this.work(manager, { strategy: run.strategy, scope: scopeOf(state) }, run.id);
      const { more, cursor } = await stepOf(part, work, state, limit);
      const next: RunState = { ...state, cursor, partsDone: state.partsDone + Number(cursor === null) };
      const kept = added(runOf(held).counts, more);
      await perform(
        manager,
        `update ${this.keeper.tables.retentionRuns} set counts = $1, state = $2 where id = $3`,
        [jsonText(kept), jsonText(next), run.id],
      );
      return { run: { ...heldRunOf(held), counts: kept }, done: next.partsDone === RETENTION_PARTS.length };
    });
  }

  override finish(run: HeldRun): Promise<RetentionRun | null> {
    const { dialect, tables } = this.keeper;
    return this.keeper.transaction(async (manager) => {
      const finished = await changed(
        { manager },
        (parameters) => `update ${tables.retentionRuns}
          set finished_at = ${dialect.now}, state = null, lease = null, lease_until = null
          where id = ${parameters.add(run.id)} and lease = ${parameters.add(run.lease)} and finished_at is null`,
      );
      if (finished === 0) return null;
      const [row] = await rowsOf<RunColumns>(
        manager,
        `select ${RUN_COLUMNS} from ${tables.retentionRuns} where id = $1`,
        [run.id],
      );
      return row === undefined ? null : runOf(row);
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
      const told = await changed(
        { manager },
        (parameters) => `update ${tables.retentionRuns} set told_at = ${dialect.now}
          where id = ${parameters.add(runId)} and finished_at is not null and told_at is null`,
      );
      if (told === 1) await dialect.writeEvents(manager, tables, outgoing);
      return told === 1;
    });
  }

  /** `null` where a run is held by anybody. */
  private oneAtATime(work: (manager: EntityManager) => Promise<HeldRun | null>): Promise<HeldRun | null> {
    const { dialect, tables } = this.keeper;
    return this.keeper.transaction(async (manager) => {
      await rowsOf(manager, `select id from ${tables.retentionState} for update`);
      const held = await rowsOf(
        manager,
        `select id from ${tables.retentionRuns} where finished_at is null and lease_until > ${dialect.now} limit 1`,
      );
      return held.length > 0 ? null : work(manager);
    });
  }

  private async heldBy(manager: EntityManager, lease: string): Promise<HeldRun | null> {
    const [row] = await rowsOf<RunColumns>(
      manager,
      `select ${RUN_COLUMNS} from ${this.keeper.tables.retentionRuns} where lease = $1`,
      [lease],
    );
    return row === undefined ? null : heldRunOf(row);
  }

  private async begunWithin(manager: EntityManager, actorId: string, milliseconds: number): Promise<boolean> {
    const { dialect, tables } = this.keeper;
    const found = await ask(
      { manager },
      (parameters) => `select 1 from ${tables.retentionRuns}
        where actor_id = ${parameters.text(actorId)}
          and started_at > ${dialect.fromNow(`-(${parameters.add(milliseconds)}::bigint)`)} limit 1`,
    );
    return found.length > 0;
  }

  /** Writes the run's row, by which the triggers know the transaction. */
  private async hold(manager: EntityManager, run: HeldRun, leaseMs: number): Promise<RunColumns | null> {
    const { dialect, tables } = this.keeper;
    const held = await changed(
      { manager },
      (parameters) => `update ${tables.retentionRuns}
        set lease_until = ${dialect.fromNow(`${parameters.add(leaseMs)}::bigint`)}
        where id = ${parameters.add(run.id)} and lease = ${parameters.add(run.lease)} and finished_at is null`,
    );
    if (held === 0) return null;
    const [row] = await rowsOf<RunColumns>(
      manager,
      `select ${RUN_COLUMNS} from ${tables.retentionRuns} where id = $1`,
      [run.id],
    );
    return row ?? null;
  }

  private work(
    manager: EntityManager,
    { strategy, scope }: Pick<RetentionOrder, 'strategy' | 'scope'>,
    runId: number,
  ): RunWork {
    const { tables, dialect } = this.keeper;
    return { manager, tables, dialect, strategy, scope, runId };
  }
}
