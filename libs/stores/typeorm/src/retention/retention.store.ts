import { randomUUID } from 'node:crypto';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import {
  addCounts,
  assertOldEnough,
  erasureHeld,
  NOTHING_RETAINED,
  recordedScope,
  RETENTION_PARTS,
  type RetentionCounts,
  type RetentionOrder,
  type RetentionPart,
  type RetentionRun,
  type RetentionScope,
} from '#contracts/retention/retention.js';
import { RetentionStore, type HeldRun } from '#contracts/stores/retention.store.js';
import { foldRuns } from '../audit/run-index.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { TypeormTransparencyLog } from '../log/transparency-log.store.js';
import { RETENTION_SETTING } from '../migrations/guard-triggers.js';
import { insertEvents } from '../outbox/event-insert.js';
import { fromNow, toJsonText, NOW, raw, sql, type Sql } from '../database/sql.js';
import { macOf } from '../database/tables.js';
import { evidenceStep } from './evidence.step.js';
import { principalsStep } from './principals.step.js';
import { approvalsStep, eventsStep, outputCountsStep, rejectionsStep } from './record-steps.js';
import {
  firstActiveHold,
  NOTHING_TO_DO,
  waitForAppends,
  type RetentionContext,
  type RetentionStep,
} from './retention-step.js';

type JsonScope =
  Exclude<RetentionScope, { kind: 'before' }> | { readonly kind: 'before'; readonly before: string };

/** How far a run has come. Stored as JSON while the run is open. */
interface RunState {
  readonly scope: JsonScope;
  readonly partsDone: number;
  /** Where the current part continues; `null` at its beginning. */
  readonly cursor: unknown;
  /** See `RetentionContext`. */
  readonly entriesThrough: number;
}

interface RunRow extends Pick<
  RetentionRun,
  'id' | 'actorId' | 'strategy' | 'heldBy' | 'startedAt' | 'finishedAt'
> {
  readonly scope: string;
  readonly counts: string;
  readonly state: string | null;
  readonly lease: string | null;
}

const RUN = raw(
  `id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt", finished_at as "finishedAt",
   state, lease`,
);

/** No request waits for a batch, and a batch that never ends in time would stop retention. */
const IS_SLOW = { isSlow: true };

const STEPS: Readonly<Record<RetentionPart, RetentionStep>> = {
  entries: evidenceStep,
  rejections: rejectionsStep,
  outputCounts: outputCountsStep,
  approvals: approvalsStep,
  events: eventsStep,
  principals: principalsStep,
};

export class TypeormRetentionStore extends RetentionStore {
  /** @param maintenance the same database in the role that may erase and delete, if that is another one */
  constructor(
    private readonly database: Database,
    private readonly maintenance: Database = database,
  ) {
    super();
  }

  override count(order: Pick<RetentionOrder, 'strategy' | 'scope'>) {
    return this.maintenance.transaction(async (transaction) => {
      const context = this.context(transaction, order, 0);
      await assertNotHeld(context);
      return countRecords(context);
    });
  }

  override async setMinimumDays(days: number) {
    const { tables } = this.database;
    const mac = macOf(tables, 'minimum_days', days);
    await this.database.execute(
      sql`update ${tables.retentionLock} set minimum_days = ${days}, mac = ${mac}
        where minimum_days <> ${days} or mac is distinct from coalesce(${mac}, mac)`,
    );
  }

  override begin(order: RetentionOrder, leaseMs: number, everyMs = 0) {
    const { retentionRuns } = this.maintenance.tables;
    const { strategy, scope, actorId } = order;
    const recorded = scope.kind === 'before' ? jsonScope(scope) : recordedScope(scope);
    return this.unlessLeased(async (transaction) => {
      const context = this.context(transaction, order, 0);
      assertOldEnough(scope, ...(await this.minimumDays(transaction)));
      await assertNotHeld(context);
      if (everyMs > 0) {
        const recent = await transaction.query(
          sql`select 1 from ${retentionRuns}
            where actor_id = ${actorId} and started_at > ${fromNow(-everyMs)} limit 1`,
        );
        if (recent.rowCount > 0) return null;
      }
      const entriesThrough = scope.kind === 'principal' ? await newestEntry(context) : 0;
      const state: RunState = { scope: jsonScope(scope), partsDone: 0, cursor: null, entriesThrough };
      return heldRun(
        await readOne(
          transaction,
          sql`insert into ${retentionRuns}
              (actor_id, strategy, scope, counts, started_at, state, lease, lease_until)
            values (${actorId}, ${strategy}, ${toJsonText(recorded)}, ${toJsonText(NOTHING_RETAINED)}, ${NOW},
              ${toJsonText(state)}, ${randomUUID()}, ${fromNow(leaseMs)})
            returning ${RUN}`,
        ),
      );
    });
  }

  override takeOver(leaseMs: number) {
    const { retentionRuns } = this.maintenance.tables;
    return this.unlessLeased(async (transaction) =>
      heldRun(
        await readOne(
          transaction,
          sql`update ${retentionRuns} set lease = ${randomUUID()}, lease_until = ${fromNow(leaseMs)}
            where id = (select min(id) from ${retentionRuns} where finished_at is null)
            returning ${RUN}`,
        ),
      ),
    );
  }

  override async proceed(run: HeldRun, limit: number, leaseMs: number) {
    const { retentionRuns, holds } = this.maintenance.tables;
    // So that a run ends whose first entry is still in the queue. The maintenance role alone may not fold.
    while (await foldRuns(this.database).catch(() => false));
    if (run.strategy === 'purge') await new TypeormTransparencyLog(this.maintenance).catchUp();
    return this.maintenance.transaction(async (transaction) => {
      // Waits for holds that are being set, and makes later ones wait for this batch. It comes before the first
      // statement, so that the transaction sees every committed hold at any isolation level.
      await transaction.query(sql`lock table ${holds} in share row exclusive mode`);
      // The triggers of the tables require that the row of the run is written first.
      const row = await readOne(
        transaction,
        sql`update ${retentionRuns} set lease_until = ${fromNow(leaseMs)}
          where id = ${run.id} and lease = ${run.lease} and finished_at is null
          returning ${RUN}`,
      );
      const current = heldRun(row);
      if (row === undefined || current === null || row.state === null) return null;
      const state = JSON.parse(row.state) as RunState;
      const part = RETENTION_PARTS[state.partsDone];
      if (part === undefined) return { run: current, done: true };
      await transaction.query(sql`select set_config(${RETENTION_SETTING}, ${String(run.id)}, true)`);
      const order = { strategy: run.strategy, scope: scopeOf(state.scope) };
      const context = this.context(transaction, order, run.id, state.entriesThrough);
      // The other parts skip rows under a hold. The last one removes the principal, so a hold stops it.
      const heldBy = part === 'principals' ? await firstActiveHold(context) : null;
      const { counts: more, cursor } =
        heldBy === null ? await STEPS[part].run(context, state.cursor, limit) : NOTHING_TO_DO;
      const next: RunState = { ...state, cursor, partsDone: state.partsDone + Number(cursor === null) };
      const counts = addCounts(current.counts, more);
      await transaction.query(
        sql`update ${retentionRuns}
          set counts = ${toJsonText(counts)}, held_by = ${heldBy}, state = ${toJsonText(next)} where id = ${run.id}`,
      );
      return { run: { ...current, counts, heldBy }, done: next.partsDone === RETENTION_PARTS.length };
    }, IS_SLOW);
  }

  override finish(run: HeldRun) {
    const { retentionRuns } = this.maintenance.tables;
    return this.maintenance.transaction(async (transaction) => {
      const row = await readOne(
        transaction,
        sql`update ${retentionRuns} set finished_at = ${NOW}, state = null, lease = null, lease_until = null
          where id = ${run.id} and lease = ${run.lease} and finished_at is null
          returning ${RUN}`,
      );
      return row === undefined ? null : retentionRun(row);
    });
  }

  override async runs(limit: number) {
    const { retentionRuns } = this.database.tables;
    const rows = await this.database.query<RunRow>(
      sql`select ${RUN} from ${retentionRuns} order by id desc limit ${limit}`,
    );
    return rows.map(retentionRun);
  }

  override async unpublished(limit: number) {
    const { retentionRuns } = this.database.tables;
    const rows = await this.database.query<RunRow>(
      sql`select ${RUN} from ${retentionRuns}
        where finished_at is not null and notified_at is null order by id limit ${limit}`,
    );
    return rows.map(retentionRun);
  }

  override markPublished(runId: number, outgoing: readonly OutgoingEvent[]) {
    const { tables } = this.database;
    return this.database.transaction(async (transaction) => {
      const { rowCount } = await transaction.query(
        sql`update ${tables.retentionRuns} set notified_at = ${NOW}
          where id = ${runId} and finished_at is not null and notified_at is null`,
      );
      if (rowCount === 1) await insertEvents(transaction, tables, outgoing);
      return rowCount === 1;
    });
  }

  /** Runs `work` under a lock. Returns `null` if another instance has leased a run. */
  private unlessLeased(work: (transaction: Transaction) => Promise<HeldRun | null>): Promise<HeldRun | null> {
    const { retentionLock, retentionRuns } = this.maintenance.tables;
    return this.maintenance.transaction(async (transaction) => {
      await transaction.query(sql`select id from ${retentionLock} for update`);
      const leased = await transaction.query(
        sql`select 1 from ${retentionRuns} where finished_at is null and lease_until > ${NOW} limit 1`,
      );
      return leased.rowCount > 0 ? null : work(transaction);
    });
  }

  private async minimumDays(transaction: Transaction): Promise<readonly [days: number, now: Date]> {
    const { rows } = await transaction.query<{ days: number; now: Date }>(
      sql`select minimum_days as days, ${NOW} as now from ${this.maintenance.tables.retentionLock}`,
    );
    const [{ days, now } = { days: 0, now: new Date(0) }] = rows;
    return [days, now];
  }

  private context(
    transaction: Transaction,
    { strategy, scope }: Pick<RetentionOrder, 'strategy' | 'scope'>,
    runId: number,
    entriesThrough = 0,
  ): RetentionContext {
    return { transaction, tables: this.maintenance.tables, strategy, scope, runId, entriesThrough };
  }
}

async function readOne(transaction: Transaction, statement: Sql): Promise<RunRow | undefined> {
  return (await transaction.query<RunRow>(statement)).rows[0];
}

function retentionRun({
  id,
  strategy,
  actorId,
  heldBy,
  startedAt,
  finishedAt,
  scope,
  counts,
}: RunRow): RetentionRun {
  return {
    id,
    strategy,
    scope: scopeOf(JSON.parse(scope) as JsonScope),
    actorId,
    counts: JSON.parse(counts) as RetentionCounts,
    heldBy,
    startedAt,
    finishedAt,
  };
}

function heldRun(row: RunRow | undefined): HeldRun | null {
  return row === undefined ? null : { ...retentionRun(row), lease: row.lease ?? '' };
}

function jsonScope(scope: RetentionScope): JsonScope {
  return scope.kind === 'before' ? { kind: 'before', before: scope.before.toISOString() } : scope;
}

function scopeOf(scope: JsonScope): RetentionScope {
  return scope.kind === 'before' ? { kind: 'before', before: new Date(scope.before) } : scope;
}

/** No entry with this or a lower id is committed later. */
async function newestEntry(context: RetentionContext) {
  await waitForAppends(context);
  const { rows } = await context.transaction.query<{ newest: number | null }>(
    sql`select max(id) as newest from ${context.tables.evidence}`,
  );
  return rows[0]?.newest ?? 0;
}

async function assertNotHeld(context: RetentionContext) {
  const hold = await firstActiveHold(context);
  if (hold !== null) throw erasureHeld(hold);
}

async function countRecords(context: RetentionContext): Promise<RetentionCounts> {
  let counts = NOTHING_RETAINED;
  for (const part of RETENTION_PARTS) counts = addCounts(counts, await STEPS[part].count(context));
  return counts;
}
