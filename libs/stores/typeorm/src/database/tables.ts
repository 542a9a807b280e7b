import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import type { LogSeal } from '#contracts/log/transparency-log.js';
import { CONTENT_COLUMNS, EVIDENCE_COLUMNS } from './entry-columns.js';
import { raw, toJsonText, type Column, type Sql } from './sql.js';

/** Where the tables of one installation are, and how their names begin. */
export interface TableNaming {
  readonly tablePrefix: string;
  /** `undefined`: the search path of the connection decides. */
  readonly schema: string | undefined;
}

const namesOf = (columns: readonly Column<never>[]) => columns.map(([name]) => name).join(' ');

/**
 * Names of the tables, and the columns of those that have no entity. The check on opening compares both with the
 * database.
 */
const TABLES = {
  principals: ['principals', 'id digest name'],
  evidence: ['audit_evidence', `id day principal_ref writer sequence row_hash ${namesOf(EVIDENCE_COLUMNS)}`],
  content: ['audit_content', `evidence_id ${namesOf(CONTENT_COLUMNS)}`],
  writers: ['audit_writers', 'writer sequence last_id ended'],
  appendLock: ['append_lock', 'id'],
  idRanges: ['audit_id_ranges', 'unit time min_id max_id'],
  newCounts: [
    'audit_new_counts',
    'time group_hash control rule_id application ruleset_version allowed observed blocked last_seen_at',
  ],
  fineCounts: [
    'audit_fine_counts',
    'unit kind time group_hash control rule_id application ruleset_version allowed observed blocked last_seen_at',
  ],
  hourly: [
    'audit_hourly',
    'kind hour group_hash control rule_id application ruleset_version allowed observed blocked last_seen_at',
  ],
  daily: [
    'audit_daily',
    'kind day group_hash control rule_id application ruleset_version allowed observed blocked last_seen_at',
  ],
  countState: ['count_state', 'id'],
  ruleHits: ['rule_hits', 'unit time rule_id hits silenced'],
  rejections: [
    'firewall_rejections',
    'evidence_id tool principal_ref application violations violation_count enforced occurred_at',
  ],
  outputCounts: ['output_counts', 'id evidence_id occurred_at kind detector enforced count'],
  outputSums: ['output_sums', 'unit time kind detector enforced count'],
  reviews: ['audit_reviews', ''],
  approvals: ['approvals', ''],
  runs: [
    'runs',
    'key parent run_id principal_digest salt hashes is_full label untrusted_by suspect_by expires_at',
  ],
  runQueue: ['run_queue', 'evidence_id key'],
  runRows: [
    'run_rows',
    `id key run_id application principal_ref prompt_id outcome hitl_alone ${CONTROL_KEYS.join(' ')} entries started_at last_at`,
  ],
  budgets: ['budgets', 'budget owner'],
  reservations: ['budget_reservations', 'reference budget amount reserved_at mac'],
  budgetHours: ['budget_hours', 'budget hour amount'],
  approvalVotes: ['approval_votes', ''],
  settings: ['settings', ''],
  settingsRevision: ['settings_revision', 'id revision mac'],
  settingChanges: ['setting_changes', ''],
  retentionRuns: [
    'retention_runs',
    'id actor_id strategy scope counts held_by started_at finished_at notified_at state lease lease_until',
  ],
  retentionLock: ['retention_lock', 'id anonymized_through holds_released minimum_days mac'],
  holds: ['holds', ''],
  removedHours: ['removed_hours', 'hour removed'],
  removedRanges: ['removed_ranges', 'writer first_sequence last_sequence run_id'],
  leaves: ['log_leaves', 'index kind refs times hashes'],
  logState: ['log_state', 'id size through_id frontier seal'],
  logWriters: ['log_writers', 'writer sequence'],
  checkpoints: ['log_checkpoints', 'size root time note'],
  outbox: [
    'outbox',
    'position sequence event_id name subject severity occurred_at payload audit_id sinks mac',
  ],
  outboxSequence: ['outbox_sequence', 'id last_sequence'],
  deliveries: [
    'outbox_deliveries',
    'sink subject position attempts queued_at due_at lease last_error dead_at',
  ],
  migrations: ['migrations', ''],
} as const satisfies Readonly<Record<string, readonly [name: string, columns: string]>>;

export type TableKey = keyof typeof TABLES;

export const TABLE_KEYS = Object.keys(TABLES) as readonly TableKey[];

/** Quoted and qualified names, for statements. */
export type Tables = Readonly<Record<TableKey, Sql>>;

/** The secret of the process, by its tables, which every statement has. */
export const seals = new WeakMap<Tables, LogSeal>();

/**
 * The keyed digest of what a row contains: only values that the process had before it wrote the row, because the database
 * could change what it returns. `null` without a secret.
 */
export function macOf(tables: Tables, ...fields: readonly unknown[]): string | null {
  return seals.get(tables)?.(toJsonText(fields)) ?? null;
}

export function tablesOf(naming: TableNaming): Tables {
  const entries = TABLE_KEYS.map((key) => [key, raw(qualifiedName(naming, tableName(naming, key)))]);
  return Object.fromEntries(entries) as Tables;
}

/** The name without quotes and schema, as in the catalogue. */
export function tableName({ tablePrefix }: TableNaming, key: TableKey): string {
  return `${tablePrefix}${TABLES[key][0]}`;
}

export function qualifiedName({ schema }: TableNaming, name: string): string {
  return schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;
}

/** Columns of the tables without an entity, as `table.column`. */
export function columnsWithoutEntity(naming: TableNaming): readonly string[] {
  return TABLE_KEYS.flatMap((key) =>
    TABLES[key][1]
      .split(' ')
      .flatMap((column) => (column === '' ? [] : `${tableName(naming, key)}.${column}`)),
  );
}
