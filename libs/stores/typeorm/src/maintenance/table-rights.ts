import { tableNaming, type TablePlace } from '../database/options.js';
import { TABLE_KEYS, tablesOf, type TableKey } from '../database/tables.js';

export const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;

/** A right on a table. */
export type Privilege = (typeof PRIVILEGES)[number];

/** What a running application needs. It needs no other right. */
export const TABLE_RIGHTS: Readonly<Record<TableKey, readonly Privilege[]>> = {
  principals: ['SELECT', 'INSERT', 'UPDATE'],
  evidence: ['SELECT', 'INSERT'],
  content: ['SELECT', 'INSERT'],
  writers: ['SELECT', 'INSERT', 'UPDATE'],
  // An append locks the table, which needs UPDATE.
  appendLock: ['SELECT', 'UPDATE'],
  idRanges: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  hourly: ['SELECT', 'INSERT', 'UPDATE'],
  daily: ['SELECT', 'INSERT', 'UPDATE'],
  newCounts: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  fineCounts: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  countState: ['SELECT', 'UPDATE'],
  ruleHits: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  rejections: ['SELECT', 'INSERT'],
  outputCounts: ['SELECT', 'INSERT'],
  outputSums: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  retentionRuns: ['SELECT', 'UPDATE'],
  retentionLock: ['SELECT', 'UPDATE'],
  holds: ['SELECT', 'INSERT', 'UPDATE'],
  removedHours: ['SELECT'],
  removedRanges: ['SELECT'],
  reviews: ['SELECT', 'INSERT'],
  approvals: ['SELECT', 'INSERT', 'UPDATE'],
  budgets: ['SELECT', 'INSERT', 'UPDATE'],
  // Rows are locked, which needs UPDATE.
  reservations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  budgetHours: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  approvalVotes: ['SELECT', 'INSERT', 'UPDATE'],
  settings: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  settingsRevision: ['SELECT', 'UPDATE'],
  settingChanges: ['SELECT', 'INSERT'],
  leaves: ['SELECT', 'INSERT'],
  logState: ['SELECT', 'UPDATE'],
  logWriters: ['SELECT', 'INSERT', 'UPDATE'],
  checkpoints: ['SELECT', 'INSERT'],
  outbox: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  outboxSequence: ['SELECT', 'UPDATE'],
  deliveries: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  migrations: ['SELECT'],
};

const COUNTS = ['allowed', 'observed', 'blocked', 'last_seen_at'];

/** The only columns that an application may update in these tables. */
const UPDATABLE_COLUMNS: Readonly<Partial<Record<TableKey, readonly string[]>>> = {
  // The update returns the row of a name that another instance inserted.
  principals: ['name'],
  writers: ['sequence', 'last_id'],
  appendLock: ['id'],
  idRanges: ['min_id', 'max_id'],
  hourly: COUNTS,
  daily: COUNTS,
  newCounts: COUNTS,
  fineCounts: COUNTS,
  countState: ['seconds_since'],
  ruleHits: ['hits', 'silenced'],
  outputSums: ['count'],
  budgets: ['owner'],
  // Rows are locked, which needs UPDATE of one column.
  reservations: ['reference'],
  budgetHours: ['amount'],
  approvalVotes: ['voided_at'],
  settings: ['value'],
  settingsRevision: ['revision', 'mac'],
  logState: ['size', 'through_id', 'frontier', 'seal'],
  logWriters: ['sequence'],
  // An event gets its number after the commit. The event itself never changes.
  outbox: ['sequence'],
  outboxSequence: ['last_sequence'],
  deliveries: ['attempts', 'queued_at', 'due_at', 'lease', 'last_error', 'dead_at'],
  retentionRuns: ['notified_at'],
  retentionLock: ['minimum_days', 'mac'],
  holds: ['released_by', 'released_at'],
};

/** Rows are written once and never changed. */
export const APPEND_ONLY: readonly TableKey[] = [
  'evidence',
  'rejections',
  'reviews',
  'settingChanges',
  'leaves',
  'checkpoints',
];

/** Triggers refuse every change, or every change of a decided or finished row. */
export const GUARDED: readonly TableKey[] = [
  ...APPEND_ONLY,
  'approvals',
  'approvalVotes',
  'retentionRuns',
  'holds',
];

/** What retention needs, in a role that no application uses. */
export const MAINTENANCE_RIGHTS: Readonly<Partial<Record<TableKey, readonly Privilege[]>>> = {
  writers: ['SELECT'],
  appendLock: ['UPDATE'],
  principals: ['SELECT', 'DELETE'],
  evidence: ['SELECT', 'DELETE'],
  content: ['SELECT', 'UPDATE', 'DELETE'],
  idRanges: ['SELECT'],
  newCounts: ['SELECT'],
  fineCounts: ['SELECT'],
  hourly: ['SELECT'],
  daily: ['SELECT'],
  countState: ['SELECT'],
  ruleHits: ['SELECT'],
  outputSums: ['SELECT'],
  rejections: ['SELECT', 'DELETE'],
  outputCounts: ['SELECT', 'DELETE'],
  reviews: ['SELECT', 'UPDATE', 'DELETE'],
  approvals: ['SELECT', 'UPDATE', 'DELETE'],
  budgets: ['SELECT', 'UPDATE', 'DELETE'],
  // Rows are locked, which needs UPDATE.
  reservations: ['SELECT', 'UPDATE', 'DELETE'],
  budgetHours: ['SELECT', 'UPDATE', 'DELETE'],
  approvalVotes: ['SELECT', 'UPDATE', 'DELETE'],
  settings: ['SELECT'],
  settingChanges: ['SELECT'],
  settingsRevision: ['SELECT'],
  leaves: ['SELECT', 'INSERT'],
  logState: ['SELECT', 'UPDATE'],
  logWriters: ['SELECT', 'INSERT', 'UPDATE'],
  checkpoints: ['SELECT'],
  outbox: ['SELECT', 'DELETE'],
  deliveries: ['SELECT', 'DELETE'],
  retentionRuns: ['SELECT', 'INSERT', 'UPDATE'],
  retentionLock: ['SELECT', 'UPDATE'],
  holds: ['SELECT', 'UPDATE'],
  removedHours: ['SELECT', 'INSERT', 'UPDATE'],
  removedRanges: ['SELECT', 'INSERT', 'UPDATE'],
  migrations: ['SELECT'],
};

/** The database roles that `grantStatements` grants rights to. */
export interface RoleNames {
  /** For running applications. */
  readonly application: string;
  /** Erases, deletes and verifies. */
  readonly maintenance: string;
}

/** SQL that grants two roles what they need, and revokes everything else from them and from public. */
export function grantStatements(
  { application, maintenance }: RoleNames,
  place: TablePlace = {},
): readonly string[] {
  const naming = tableNaming(place);
  const tables = tablesOf(naming);
  const [applicationRole, maintenanceRole] = [quoted(application), quoted(maintenance)];
  const grants = (
    rights: Readonly<Partial<Record<TableKey, readonly Privilege[]>>>,
    role: string,
    columns: typeof UPDATABLE_COLUMNS = {},
  ): string[] =>
    TABLE_KEYS.flatMap((key) => {
      const granted = (rights[key] ?? []).map((privilege) => limited(privilege, columns[key]));
      return granted.length === 0 ? [] : [`grant ${granted.join(', ')} on ${tables[key].text} to ${role};`];
    });
  const all = TABLE_KEYS.map((key) => tables[key].text).join(', ');
  return [
    `revoke all on ${all} from public, ${applicationRole}, ${maintenanceRole};`,
    ...(naming.schema === undefined
      ? []
      : [`grant usage on schema "${naming.schema}" to ${applicationRole}, ${maintenanceRole};`]),
    ...grants(TABLE_RIGHTS, applicationRole, UPDATABLE_COLUMNS),
    ...grants(MAINTENANCE_RIGHTS, maintenanceRole),
  ];
}

function limited(privilege: Privilege, columns: readonly string[] | undefined): string {
  const word = privilege.toLowerCase();
  return privilege === 'UPDATE' && columns !== undefined ? `${word} (${columns.join(', ')})` : word;
}

function quoted(role: string): string {
  return `"${role.replaceAll('"', '""')}"`;
}
