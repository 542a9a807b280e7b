import type { Dialect } from '../dialects/dialect.js';
import { tablesOf, type TableNaming } from '../tables.js';

/** `YYYY-MM-DDTHH`, in UTC: its order is that of time, in words that every database understands. */
const HOUR = 'hour varchar(13) collate "C" not null';

/** `line` is a digest of the columns behind it: one key however long their texts are. '' stands for none. */
const LINE = `line bytea not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      rule_id text not null,
      application text not null,
      decisions bigint not null`;

/** What the append folds together, so that no reading has to count. Rows are full of room: they change in place. */
export function rollupTables(_dialect: Dialect, naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  return [
    `create table ${tables.hours} (${HOUR} primary key, min_id bigint not null, max_id bigint not null)
      with (fillfactor = 50)`,
    `create table ${tables.hourly} (${HOUR}, ${LINE}, primary key (hour, line)) with (fillfactor = 70)`,
    `create table ${tables.daily} (day varchar(10) collate "C" not null, ${LINE}, primary key (day, line))
      with (fillfactor = 70)`,
    `create table ${tables.rulesets} (${HOUR},
      ruleset_version text not null,
      attempts bigint not null,
      last_seen_at timestamptz(3) not null,
      primary key (hour, ruleset_version)) with (fillfactor = 50)`,
    `create table ${tables.ruleHits} (${HOUR},
      rule_id text not null,
      hits bigint not null,
      primary key (hour, rule_id)) with (fillfactor = 70)`,
  ];
}
