import type { Dialect, Index } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

export function settingsTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd } = dialect;
  const tables = tablesOf(naming);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    `create table ${tables.settings} ("key" varchar(400) primary key, value ${type.text} not null)${tableEnd()}`,
    `create table ${tables.settingsState} (id integer primary key, revision bigint not null)${tableEnd()}`,
    `insert into ${tables.settingsState} (id, revision) values (1, 0)`,
    `create table ${tables.settingChanges} (
      id ${type.growingId},
      actor_id ${type.text} not null,
      "key" varchar(400) not null,
      old_value ${type.text},
      new_value ${type.text},
      request_id ${type.text},
      occurred_at ${type.time} not null)${tableEnd()}`,
    index({ name: 'setting_changes_by_key', on: 'settingChanges', columns: ['"key"', 'id desc'] }),
    ...dialect.appendOnly(naming, 'settingChanges'),
  ];
}
