import type { Dialect } from '../dialects/dialect.js';
import { GROWING_ID, indexNaming, tablesOf, type TableNaming } from '../tables.js';

export function settingsTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  const index = indexNaming(naming);
  return [
    `create table ${tables.settings} (key varchar(400) primary key, value text not null)`,
    `create table ${tables.settingsState} (id integer primary key, revision bigint not null)`,
    `insert into ${tables.settingsState} (id, revision) values (1, 0)`,
    `create table ${tables.settingChanges} (
      id ${GROWING_ID},
      actor_id text not null,
      key varchar(400) not null,
      old_value text,
      new_value text,
      request_id text,
      occurred_at timestamptz(3) not null)`,
    `create index ${index('setting_changes_by_key')} on ${tables.settingChanges} (key, id desc)`,
    ...dialect.appendOnly(naming, 'settingChanges'),
  ];
}
