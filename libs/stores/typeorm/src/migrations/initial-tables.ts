import { fitsIndex } from '../list-filters.js';
import { tablesOf, type TableNaming } from '../tables.js';
import { approvalTables, budgetTables } from './approval-tables.js';
import { auditTables, firewallTables, logTables, reviewTables } from './audit-tables.js';
import { ID, TIME, type IndexOf, type TableTexts } from './columns.js';
import { countTables, outputTables } from './count-tables.js';
import { outboxTables } from './event-tables.js';
import {
  appendOnly,
  decidedOnce,
  recordOnce,
  releasedOnce,
  reviewedOnce,
  votedOnce,
} from './guard-triggers.js';
import { keepHeldRows } from './held-row-triggers.js';
import { retentionTables } from './retention-tables.js';

/** All statements that create the tables, their indexes and their triggers. */
export function initialTables(naming: TableNaming): readonly string[] {
  const tables = Object.fromEntries(
    Object.entries(tablesOf(naming)).map(([key, name]) => [key, name.text]),
  ) as TableTexts;
  const index: IndexOf = (name, definition) => `create index "${naming.tablePrefix}${name}" on ${definition}`;
  return [
    ...retentionTables(tables, index),
    ...recordOnce(naming, 'retentionRuns'),
    ...releasedOnce(naming, 'holds'),
    ...auditTables(tables, index),
    ...appendOnly(naming, 'evidence'),
    ...reviewTables(tables, index),
    ...reviewedOnce(naming, 'reviews'),
    ...countTables(tables),
    ...firewallTables(tables, index),
    ...appendOnly(naming, 'rejections'),
    ...outputTables(tables, index),
    ...approvalTables(tables, index),
    ...decidedOnce(naming, 'approvals'),
    ...votedOnce(naming, 'approvalVotes'),
    ...budgetTables(tables, index),
    ...settingsTables(tables, index),
    ...appendOnly(naming, 'settingChanges'),
    ...logTables(tables, naming),
    ...appendOnly(naming, 'leaves'),
    ...appendOnly(naming, 'checkpoints'),
    ...outboxTables(tables, naming, index),
    ...keepHeldRows(naming),
  ];
}

function settingsTables(t: TableTexts, index: IndexOf): readonly string[] {
  return [
    `create table ${t.settings} ("key" varchar(400) primary key, value text not null)`,
    // One row, locked by the instance that changes settings.
    `create table ${t.settingsRevision} (id integer primary key, revision bigint not null)`,
    `insert into ${t.settingsRevision} (id, revision) values (1, 0)`,
    `create table ${t.settingChanges} (
      id ${ID},
      actor_id text not null,
      "key" varchar(400) not null,
      old_value text,
      new_value text,
      request_id text,
      occurred_at ${TIME} not null)`,
    index('setting_changes_by_key', `${t.settingChanges} ("key", id desc)`),
    index(
      'setting_changes_by_actor',
      `${t.settingChanges} (actor_id, id desc) where ${fitsIndex('actor_id')}`,
    ),
    index('setting_changes_by_time', `${t.settingChanges} (occurred_at)`),
  ];
}
