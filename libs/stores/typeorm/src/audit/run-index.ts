/**
 * Runs as lists show them. Appends write only which run an entry belongs to, into a queue; folding it into one row per run
 * takes the work off the hot path.
 */
import type { AuditListItem } from '#contracts/audit/entry.js';
import { CONTROL_KEYS, OUTCOMES, type ControlKey } from '#contracts/common/control-mode.js';
import type { PageRequest } from '#contracts/common/page.js';
import { previewOf } from '#contracts/common/text.js';
import { RUN_STEPS, RunIndex, type RunFilter } from '#contracts/audit/run-index.js';
import type { RunData, RunListData } from '#contracts/audit/runs.api.js';
import { RUN_LABELS } from '#contracts/runs/run.store.js';
import { auditListItem, listColumns, previewColumn, type AuditListRow } from './audit-list.js';
import type { Database } from '../database/database.js';
import {
  fitsIndex,
  pageOf,
  principalEquals,
  textEquals,
  withinPage,
  withinTimes,
} from '../database/list-filters.js';
import { NOW, raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

/** Entries that one statement folds. */
const LIMIT = 2_000;

type RunRow = Record<ControlKey | 'label' | 'principal_ref', number | null> &
  Omit<RunData, 'controls' | 'outcome' | 'label' | 'started_at' | 'last_at'> & {
    readonly outcome: number;
    readonly started_at: Date;
    readonly last_at: Date;
  };

export class TypeormRunIndex extends RunIndex {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(filter: RunFilter, page: PageRequest): Promise<RunListData> {
    const conditions = [...runConditions(this.database.tables, filter), ...withinPage('r.id', page)];
    const [rows, as_of] = await this.read(conditions, page.limit + 1);
    const { entries, next_cursor } = pageOf(rows, page);
    return { runs: entries.map(runData), next_cursor, as_of };
  }

  override async find(id: number) {
    const [[row], as_of] = await this.read([sql`r.id = ${id}`], 1);
    return row === undefined ? null : { run: runData(row), entries: await this.steps(row), as_of };
  }

  private async steps(run: RunRow): Promise<readonly AuditListItem[]> {
    const { tables } = this.database;
    const steps = await this.database.read<AuditListRow>(
      sql`select ${listColumns(tables)} from ${tables.evidence} e
        where ${textEquals('e.run_id', run.run_id)} and e.application is not distinct from ${run.application}
          and ${run.principal_ref === null ? raw('e.principal_ref is null') : sql`e.principal_ref = ${run.principal_ref}`}
          and e.id >= ${run.id}
        order by e.id desc limit ${RUN_STEPS}`,
    );
    return steps.map(auditListItem).toReversed();
  }

  /** A time and the rows that it is about come from one snapshot. A replica may not have what is folded now. */
  private async read(
    conditions: readonly Sql[],
    limit: number,
  ): Promise<readonly [rows: readonly RunRow[], asOf: string]> {
    const { tables } = this.database;
    // Without a fold the list is older, as its time says, and the timer warns.
    await foldRuns(this.database).catch(() => undefined);
    const rows = await this.database.read<RunRow & { readonly as_of: Date }>(
      sql`select complete.as_of, run.* from (select ${asOf(tables)} as as_of) complete
        left join lateral (
          select r.*, (select p.name from ${tables.principals} p where p.id = r.principal_ref) as principal_id,
            (select ${raw(previewColumn('c'))} from ${tables.content} c where c.evidence_id = r.prompt_id) as said,
            (select label from ${tables.runs} memory where memory.key = r.key) as label
          from ${tables.runRows} r ${where(conditions)} order by r.id desc limit ${limit}) run on true
        order by run.id desc`,
    );
    const [{ as_of }] = rows as [(typeof rows)[0] & object];
    return [rows.filter(({ id }) => id !== null), as_of.toISOString()];
  }
}

/** A standby has what was committed before its last transaction. Entries in the queue are in no row yet. */
function asOf({ evidence, runQueue }: Tables): Sql {
  return sql`least(
      case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), to_timestamp(0)) else ${NOW} end,
      (select occurred_at - interval '1 millisecond' from ${evidence}
        where id = (select min(evidence_id) from ${runQueue})))`;
}

function runConditions(
  tables: Tables,
  { outcome, control, application, principal_id: principal, run_id: runId, from, to }: RunFilter,
): readonly Sql[] {
  return [
    ...(outcome === undefined ? [] : [sql`r.outcome = ${OUTCOMES.indexOf(outcome)}`]),
    // The outcome of a run is at least that of each control. No index would find that no row has both.
    ...(outcome === 'allowed' && control !== undefined ? [raw('false')] : []),
    ...CONTROL_KEYS.filter((key) => key === control).map((key) => raw(`r.${key} > 0`)),
    ...(application === undefined ? [] : [textEquals('r.application', application)]),
    ...(principal === undefined ? [] : [principalEquals('r.principal_ref', principal, tables)]),
    ...(runId === undefined ? [] : [textEquals('r.run_id', runId)]),
    ...withinTimes({ from, to }, { id: 'r.id', time: 'r.started_at' }, tables),
  ];
}

function runData(row: RunRow): RunData {
  const worst = (rank: number | null): RunData['outcome'] | null => OUTCOMES[rank ?? -1] ?? null;
  const { id, run_id, application, principal_id, entries } = row;
  return {
    id,
    run_id,
    application,
    principal_id,
    said: row.said === null ? null : previewOf(row.said),
    outcome: worst(row.outcome) ?? 'blocked',
    controls: Object.fromEntries(CONTROL_KEYS.map((key) => [key, worst(row[key])])) as RunData['controls'],
    label: RUN_LABELS[row.label ?? 0] ?? 'suspect',
    entries,
    started_at: row.started_at.toISOString(),
    last_at: row.last_at.toISOString(),
  };
}

/** Resolves to whether more may be in the queue. */
export async function foldRuns(database: Database): Promise<boolean> {
  const { tables } = database;
  const [row] = await database.query<{ folded: number; stepped: string[] }>(foldStatement(tables));
  if (row?.stepped[0] !== undefined) {
    const keys = sql`r.key = any(${row.stepped}::text[])`;
    // Apart from the fold, which it must not undo where a run is too long for it.
    await database.transaction(async (transaction) => {
      await transaction.query(sql`select from ${tables.runRows} r where ${keys} order by key for update`);
      await transaction.query(latestSteps(tables, keys));
    });
  }
  return row?.folded === LIMIT;
}

const CONTROLS = CONTROL_KEYS.join(', ');
const WORST = CONTROL_KEYS.map((key) => `max(rank) filter (where control = '${key}')`).join(', ');
const WORST_OF_CONFLICT = ['outcome', 'hitl_alone', ...CONTROL_KEYS]
  .map((name) => `${name} = greatest(existing.${name}, excluded.${name})`)
  .join(', ');
const RANK = raw(
  `(case e.outcome ${OUTCOMES.map((outcome, rank) => `when '${outcome}' then ${rank}`).join(' ')} end)::smallint`,
);

/**
 * Several instances may fold at once: each takes entries that no other one has, and changes rows in the order of their keys.
 * Entries may commit out of order, so the first one can come later than another of its run.
 */
function foldStatement({ runQueue, runRows, evidence }: Tables): Sql {
  return sql`with taken as (
      delete from ${runQueue} where evidence_id = any(array(
        select evidence_id from ${runQueue} order by evidence_id limit ${LIMIT} for update skip locked))
      returning evidence_id, key),
    entries as (
      select taken.key, e.*, ${RANK} as rank
      from taken join ${evidence} e on e.id = taken.evidence_id),
    folded as (
      insert into ${runRows} as existing
        (key, id, run_id, application, principal_ref, prompt_id, outcome, hitl_alone, ${raw(CONTROLS)}, entries,
          started_at, last_at)
      select key, min(id), min(run_id), min(application), max(principal_ref),
        min(id) filter (where control = 'input_screen' and origin = 'prompt'), max(rank),
        max(rank) filter (where control = 'hitl' and approval_id is null), ${raw(WORST)}, count(*), (array_agg(occurred_at order by id))[1], max(occurred_at)
      from entries group by key order by key
      on conflict (key) do update set
        started_at = case when excluded.id < existing.id then excluded.started_at else existing.started_at end,
        id = least(existing.id, excluded.id), prompt_id = least(existing.prompt_id, excluded.prompt_id),
        ${raw(WORST_OF_CONFLICT)}, entries = existing.entries + excluded.entries,
        last_at = greatest(existing.last_at, excluded.last_at))
    select count(*) as folded, array(select distinct key from entries where approval_id is not null) as stepped from taken`;
}

/**
 * Of an approval only the latest step counts, and none of one that another approval supersedes. After the rows are locked, so
 * that it sees the steps that another instance has folded. Ids that are in no index keep the worst step.
 */
function latestSteps({ runRows, evidence }: Tables, keys: Sql): Sql {
  return sql`update ${runRows} run
    set hitl = greatest(hitl_alone, worst.rank),
      outcome = coalesce(greatest(tool_firewall, input_screen, output_handler, hitl_alone, worst.rank), 0)
    from (select key, max(rank) filter (where approval_step is distinct from 'superseded') as rank from (
        select distinct on (r.key, e.approval_id) r.key, e.approval_step, ${RANK} as rank
        from ${runRows} r join ${evidence} e on ${raw(fitsIndex('e.run_id'))} and e.run_id = r.run_id
          and e.application is not distinct from r.application and e.principal_ref is not distinct from r.principal_ref
          and e.id >= r.id and e.control = 'hitl' and e.approval_id is not null
        where ${keys}
        order by r.key, e.approval_id, e.id desc) latest
      group by key) worst
    where run.key = worst.key`;
}
