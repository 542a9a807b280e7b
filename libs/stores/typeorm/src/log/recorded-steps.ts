import { hash } from 'node:crypto';
import type { LeafKind } from '#contracts/log/transparency-log.js';
import { hashedValue } from '../database/entry-columns.js';
import { raw, sql, type Sql } from '../database/sql.js';
import type { TableKey, Tables } from '../database/tables.js';

/** A step of a record that becomes a leaf, with the columns that its hash covers in this order. */
export interface RecordedStep {
  readonly kind: Exclude<LeafKind, 'evidence'>;
  readonly table: TableKey;
  readonly time: string;
  /** Only columns that nothing changes after the step, and that no retention run erases. */
  readonly columns: readonly string[];
  /** Default: the row exists. */
  readonly hasHappened?: string;
}

/** Names, notes, reasons and arguments that retention erases are left out. A MAC of an approval covers its arguments. */
export const RECORDED_STEPS: readonly RecordedStep[] = [
  {
    kind: 'setting_change',
    table: 'settingChanges',
    time: 'occurred_at',
    columns: ['id', 'actor_id', 'key', 'old_value', 'new_value', 'request_id', 'occurred_at'],
  },
  {
    kind: 'hold',
    table: 'holds',
    time: 'set_at',
    columns: 'id kind run_id application first_id last_id from_time to_time reason set_by set_at'.split(' '),
  },
  {
    kind: 'hold_released',
    table: 'holds',
    time: 'released_at',
    columns: ['id', 'released_by', 'released_at'],
    hasHappened: 'released_at is not null',
  },
  {
    kind: 'review',
    table: 'reviews',
    time: 'reviewed_at',
    columns: ['id', 'evidence_id', 'verdict', 'rule_id', 'actor_id', 'request_id', 'reviewed_at'],
  },
  {
    kind: 'approval',
    table: 'approvals',
    time: 'created_at',
    columns: ['id', 'reference', 'tool', 'tool_fingerprint', 'step_name', 'call_mac', 'created_at'],
  },
  {
    kind: 'approval_decided',
    table: 'approvals',
    time: 'decided_at',
    columns: ['id', 'decision', 'decided_by', 'decided_at', 'decision_mac'],
    hasHappened: 'decided_at is not null',
  },
  {
    kind: 'vote',
    table: 'approvalVotes',
    time: 'voted_at',
    columns: ['id', 'approval_id', 'actor_id', 'voted_at', 'vote_mac'],
  },
  {
    kind: 'retention_run',
    table: 'retentionRuns',
    time: 'finished_at',
    columns: ['id', 'actor_id', 'strategy', 'scope', 'counts', 'held_by', 'started_at', 'finished_at'],
    hasHappened: 'finished_at is not null',
  },
];

export type StepRow = Readonly<Record<string, unknown>> & { readonly id: number };

/** How many ids a row may be behind others that committed before it. */
export const LATE_IDS = 200_000;

/**
 * Rows whose step has happened and has no leaf, oldest first. Where the step is that the row was written, rows far below
 * the last logged one are not read again, so that the time does not grow with the history.
 */
export function unloggedSteps(tables: Tables, step: RecordedStep, limit: number): Sql {
  const { leaves } = tables;
  const columns = step.columns.map((column) => `r."${column}"`).join(', ');
  const isOfKind = sql`kind = ${raw(`'${step.kind}'`)}`;
  const lowest =
    step.hasHappened === undefined
      ? sql`(select coalesce(max(refs[1]), 0) - ${LATE_IDS}::bigint from ${leaves} where ${isOfKind})`
      : raw('0');
  return sql`select ${raw(columns)} from ${tables[step.table]} r
    where r.id > ${lowest} and ${raw(step.hasHappened ?? 'true')} and not exists (
      select 1 from ${leaves} where ${isOfKind} and refs[1] = r.id and refs[1] > ${lowest})
    order by r.id limit ${limit}`;
}

/** Whether a record has no leaf of this kind. Entries have leaves by number: see `isUnloggedEntry`. */
export function hasNoLeaf({ leaves }: Tables, kind: RecordedStep['kind'], ref: string): Sql {
  return sql`not exists (select 1 from ${leaves} leaf where leaf.kind = ${raw(`'${kind}'`)} and leaf.refs[1] = ${raw(ref)})`;
}

/** Whether an entry has no leaf: its writer is logged only up to a lower number. */
export function isUnloggedEntry({ logWriters }: Tables, alias: string): Sql {
  return sql`not exists (select 1 from ${logWriters} logged
    where logged.writer = ${raw(alias)}.writer and logged.sequence >= ${raw(alias)}.sequence)`;
}

/** SHA-256 of the JSON array of the columns. */
export function stepHash(step: RecordedStep, row: StepRow): Buffer {
  return hash('sha256', JSON.stringify(hashedFields(step, row)), 'buffer');
}

export function hashedFields({ columns }: RecordedStep, row: StepRow): readonly unknown[] {
  return columns.map((column) => hashedValue(row[column]));
}
