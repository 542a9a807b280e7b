import type { ColumnTypes, Dialect } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

/** `YYYY-MM-DDTHH`, in UTC: its order is that of time, in words that every database understands. */
const hourOf = (type: ColumnTypes): string => `hour ${type.ordered(13)} not null`;

/** `line` is a digest of the columns behind it: one key however long their texts are. '' stands for none. */
const lineOf = (type: ColumnTypes): string => `line ${type.bytes} not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      rule_id ${type.text} not null,
      application ${type.text} not null,
      decisions bigint not null`;

/** What the append folds together, so that no reading has to count. Rows are full of room: they change in place. */
export function rollupTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd } = dialect;
  const tables = tablesOf(naming);
  const hour = hourOf(type);
  const line = lineOf(type);
  return [
    `create table ${tables.hours} (${hour} primary key, min_id bigint not null, max_id bigint not null)${tableEnd(50)}`,
    `create table ${tables.hourly} (${hour}, ${line}, primary key (hour, line))${tableEnd(70)}`,
    `create table ${tables.daily} (day ${type.ordered(10)} not null, ${line}, primary key (day, line))${tableEnd(70)}`,
    // A year of these is a few thousand rows; a year of lines, however many rules and applications there are.
    `create table ${tables.dailyTotals} (
      day ${type.ordered(10)} not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      decisions bigint not null,
      primary key (day, control, outcome))${tableEnd(50)}`,
    `create table ${tables.rulesets} (${hour},
      ruleset_version ${type.key(700)} not null,
      attempts bigint not null,
      last_seen_at ${type.time} not null,
      primary key (hour, ruleset_version))${tableEnd(50)}`,
    `create table ${tables.ruleHits} (${hour},
      rule_id ${type.key(700)} not null,
      hits bigint not null,
      primary key (hour, rule_id))${tableEnd(70)}`,
  ];
}
