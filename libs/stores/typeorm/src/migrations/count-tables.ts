import { DAY, fill, HOUR, ID, TIME, type IndexOf, type TableTexts } from './columns.js';

/** Counts that every append updates, so that no read has to count rows. */
export function countTables(t: TableTexts): readonly string[] {
  // group_hash is a digest of the four columns after it, which may be too long for a key. '' means none.
  const group = `group_hash bytea not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      rule_id text not null,
      application text not null,
      decisions bigint not null`;
  return [
    `create table ${t.idRanges} (${HOUR} primary key, min_id bigint not null, max_id bigint not null) ${fill(50)}`,
    `create table ${t.hourly} (${HOUR}, ${group}, primary key (hour, group_hash)) ${fill(70)}`,
    `create table ${t.daily} (${DAY}, ${group}, primary key (day, group_hash)) ${fill(70)}`,
    // A year has a few thousand rows here, however many rules and applications there are.
    `create table ${t.dailyTotals} (
      ${DAY},
      control varchar(20) not null,
      outcome varchar(10) not null,
      decisions bigint not null,
      primary key (day, control, outcome)) ${fill(50)}`,
    `create table ${t.rulesets} (
      ${HOUR},
      ruleset_version text not null,
      attempts bigint not null,
      last_seen_at ${TIME} not null,
      primary key (hour, ruleset_version)) ${fill(50)}`,
    `create table ${t.ruleHits} (
      ${HOUR},
      rule_id text not null,
      hits bigint not null,
      silenced bigint not null,
      primary key (hour, rule_id)) ${fill(70)}`,
  ];
}

/** Single counts serve the edges of a time window, hourly counts the whole hours in between. */
export function outputTables(t: TableTexts, index: IndexOf): readonly string[] {
  const count = `kind varchar(40) not null,
      detector text not null,
      enforced boolean not null,
      count bigint not null`;
  return [
    `create table ${t.outputCounts} (
      id ${ID},
      evidence_id bigint not null,
      occurred_at ${TIME} not null,
      ${count})`,
    index('output_counts_by_time', `${t.outputCounts} (occurred_at desc)`),
    `create table ${t.outputHourly} (
      ${HOUR},
      ${count},
      primary key (hour, kind, detector, enforced)) ${fill(70)}`,
  ];
}
