import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { tableNaming, type TablePlace } from '../database/options.js';
import { TABLE_KEYS, tablesOf, type TableKey } from '../database/tables.js';

export const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;

/** A right on a table. */
export type Privilege = (typeof PRIVILEGES)[number];

/**
 * What a running application needs, and what retention needs in a role that no application uses, as `grant` says it. Neither
 * needs any other right.
 */
const RIGHTS: Readonly<Record<TableKey, readonly [application: string, maintenance: string]>> = {
  // The update returns the row of a name that another instance inserted.
  principals: ['select, insert, update (name)', 'select, delete'],
  evidence: ['select, insert', 'select, delete'],
  content: ['select, insert', 'select, update, delete'],
  writers: ['select, insert, update (sequence, last_id)', 'select'],
  // An append locks the table, which needs UPDATE.
  appendLock: ['select, update (id)', 'update'],
  idRanges: ['select, insert, update (min_id, max_id)', 'select'],
  hourly: ['select, insert, update (allowed, observed, blocked, last_seen_at)', 'select'],
  daily: ['select, insert, update (allowed, observed, blocked, last_seen_at)', 'select'],
  newCounts: ['select, insert, update (allowed, observed, blocked, last_seen_at), delete', 'select'],
  fineCounts: ['select, insert, update (allowed, observed, blocked, last_seen_at)', 'select'],
  // The row is locked, which needs UPDATE.
  countState: ['select, update (id)', ''],
  ruleHits: ['select, insert, update (hits, silenced)', 'select'],
  rejections: ['select, insert', 'select, delete'],
  outputCounts: ['select, insert', 'select, delete'],
  outputSums: ['select, insert, update (count)', 'select'],
  retentionRuns: ['select, update (notified_at)', 'select, insert, update'],
  retentionLock: ['select, update (minimum_days, mac)', 'select, update'],
  holds: ['select, insert, update (released_by, released_at)', 'select, update'],
  removedHours: ['select', 'select, insert, update'],
  removedRanges: ['select', 'select, insert, update'],
  reviews: ['select, insert', 'select, update, delete'],
  approvals: ['select, insert, update', 'select, update, delete'],
  runs: [
    'select, insert, update (label, untrusted_by, suspect_by, hashes, is_full, expires_at), delete',
    'select, delete',
  ],
  // Rows are locked, which needs UPDATE of one column.
  runQueue: ['select, insert, update (key), delete', 'select, delete'],
  runRows: [
    `select, insert, update (id, prompt_id, outcome, hitl_alone, ${CONTROL_KEYS.join(', ')}, entries, started_at, last_at)`,
    'select, delete',
  ],
  budgets: ['select, insert, update (owner)', 'select, update, delete'],
  // Rows are locked, which needs UPDATE of one column.
  reservations: ['select, insert, update (reference), delete', 'select, update, delete'],
  budgetHours: ['select, insert, update (amount), delete', 'select, update, delete'],
  approvalVotes: ['select, insert, update (voided_at)', 'select, update, delete'],
  settings: ['select, insert, update (value), delete', 'select'],
  settingsRevision: ['select, update (revision, mac)', 'select'],
  settingChanges: ['select, insert', 'select'],
  leaves: ['select, insert', 'select, insert'],
  logState: ['select, update (size, through_id, frontier, seal)', 'select, update'],
  logWriters: ['select, insert, update (sequence)', 'select, insert, update'],
  checkpoints: ['select, insert', 'select'],
  // An event gets its number after the commit. The event itself never changes.
  outbox: ['select, insert, update (sequence), delete', 'select, delete'],
  outboxSequence: ['select, update (last_sequence)', ''],
  deliveries: [
    'select, insert, update (attempts, queued_at, due_at, lease, last_error, dead_at), delete',
    'select, delete',
  ],
  migrations: ['select', 'select'],
};

/** The rights of both roles on a table, without columns. */
export function rightsOn(key: TableKey): Readonly<Record<keyof RoleNames, readonly Privilege[]>> {
  const [application, maintenance] = RIGHTS[key].map((rights) =>
    PRIVILEGES.filter((privilege) => rights.toUpperCase().includes(privilege)),
  ) as unknown as readonly [Privilege[], Privilege[]];
  return { application, maintenance };
}

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
  tablePlace: TablePlace = {},
): readonly string[] {
  const naming = tableNaming(tablePlace);
  const tables = tablesOf(naming);
  const roles = [quoted(application), quoted(maintenance)] as const;
  const grants = roles.flatMap((role, column) =>
    TABLE_KEYS.filter((key) => RIGHTS[key][column] !== '').map(
      (key) => `grant ${RIGHTS[key][column]} on ${tables[key].text} to ${role};`,
    ),
  );
  const all = TABLE_KEYS.map((key) => tables[key].text).join(', ');
  return [
    `revoke all on ${all} from public, ${roles.join(', ')};`,
    ...(naming.schema === undefined
      ? []
      : [`grant usage on schema "${naming.schema}" to ${roles.join(', ')};`]),
    ...grants,
  ];
}

function quoted(role: string) {
  return `"${role.replaceAll('"', '""')}"`;
}
