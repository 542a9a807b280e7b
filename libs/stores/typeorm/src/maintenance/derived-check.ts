import { hourOf, KEPT_MS } from '../budgets/budgets.store.js';
import type { Transaction } from '../database/connection-pool.js';
import { evidenceNotHeld } from '../retention/retention-step.js';
import { fromNow, raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import type { Discrepancy, Findings } from './findings.js';

const MOST = 1_000;

/** Recomputes every table that repeats or adds up rows of others, because reads trust them, and finds missing leaves. */
export async function checkDerivedTables(
  transaction: Transaction,
  tables: Tables,
  findings: Findings,
): Promise<void> {
  const report = async (differing: Sql, kind: Discrepancy = 'counts') => {
    const { rows } = await transaction.query<{ message: string }>(
      sql`select message from (${differing}) differing order by message limit ${MOST}`,
    );
    for (const { message } of rows) findings.add(kind, null, message);
  };
  await report(idRanges(tables));
  await report(countDifferences(tables, decisionCounts(tables)));
  await report(countDifferences(tables, outputSums(tables)));
  await report(budgetHours(tables));
  await report(copies(tables));
  await report(missingLeaves(tables), 'log');
  try {
    await report(countDifferences(tables, ruleHits(tables)));
    await report(outputCounts(tables));
  } catch (error) {
    // A superuser can store a text that is no JSON. The transaction has failed, so nothing is read after this.
    findings.add(
      'altered',
      null,
      `The matches or findings of audit_evidence cannot be read: ${String(error)}.`,
    );
  }
}

const UNITS = raw(`(values ('day', 10), ('hour', 13), ('minute', 16)) units (unit, size)`);

const MINUTE_OF_ROW = raw(`to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')`);

/** A range that is too narrow hides rows from lists. One that is too wide hides none, and remains after a purge. */
const idRanges = (tables: Tables): Sql => sql`
  select format('audit_id_ranges: the %s %s (UTC) has the ids %s to %s, but its entries have %s to %s.',
    unit, time, coalesce(min_id::text, 'none'), coalesce(max_id::text, 'none'), first, last) as message
  from (
    select unit, substr(time, 1, size) as time, min(first) as first, max(last) as last
    from (select ${MINUTE_OF_ROW} as time, min(id) as first, max(id) as last from ${tables.evidence} group by 1) rows
      join ${UNITS} on unit <> 'day'
    group by 1, 2) found
  left join ${tables.idRanges} ranges using (unit, time)
  where min_id is null or first < min_id or last > max_id`;

/**
 * Compares counts with rows: in each group, and in total. Counts still include rows that retention deleted, of which only
 * the number in each hour is recorded.
 *
 * @param both counts and rows: `source, unit, time, kind, name, counted, found`
 */
const countDifferences = ({ removedHours }: Tables, both: Sql): Sql => sql`
  select format('%s: %s counts of the %s %s (UTC) differ from the rows, such as %s.', source, count(*), unit, each.time,
    min(format('%s %s: counted %s, found %s%s', kind, name, counted, found,
      ', and ' || removed || ' entries were deleted by retention'))) as message
  from (
    select *, sum(counted - found) over (partition by source, unit, time, kind) as extra
    from (
      select source, unit, time, kind, name, sum(counted)::bigint as counted, sum(found)::bigint as found
      from (${both}) both_sides
      group by 1, 2, 3, 4, 5) named) each
  left join (
    select hour as time, removed from ${removedHours}
    union all select substr(hour, 1, 10), sum(removed) from ${removedHours} group by 1) gone
    on gone.time = substr(each.time, 1, case unit when 'day' then 10 else 13 end)
  where counted < found or (counted <> found or extra = 0) and case
    when source in ('audit_hourly', 'audit_daily') then extra <> coalesce(removed, 0)
    else extra <> 0 and removed is null end
  group by source, unit, each.time`;

/** New counts are not moved to the other tables yet, so they are added to each of them. */
const decisionCounts = (tables: Tables): Sql => {
  const name = raw('json_build_array(control, outcome, rule_id, application, ruleset_version)::text');
  const each = raw(`cross join lateral
    (values ('allowed', allowed), ('observed', observed), ('blocked', blocked)) each (outcome, n)`);
  const source = raw(
    `case unit when 'day' then 'audit_daily' when 'hour' then 'audit_hourly' else 'audit_fine_counts' end`,
  );
  return sql`
    select ${source} as source, unit, substr(time, 1, size) as time,
      case grouping(rule_id, application, ruleset_version)
        when 6 then 'total' when 5 then 'application' when 3 then 'rule' else 'pair' end as kind,
      ${name} as name, sum(counted) as counted, sum(found) as found
    from (
      select time, control, rule_id, application, ruleset_version, outcome, n as counted, 0 as found
      from ${tables.newCounts} ${each} where n <> 0
      union all
      select ${MINUTE_OF_ROW}, control, coalesce(rule_id, ''), coalesce(application, ''), ruleset_version, outcome,
        0, count(*)
      from ${tables.evidence} group by 1, 2, 3, 4, 5, 6) single
    cross join ${UNITS}
    group by unit, size, substr(time, 1, size), control, outcome,
      grouping sets ((ruleset_version), (rule_id), (application), (rule_id, application))
    having size <= 13 or grouping(rule_id, application, ruleset_version) in (6, 1)
    union all
    select ${source}, unit, time, kind, ${name}, n, 0
    from (
      select 'day' as unit, day as time, * from ${tables.daily}
      union all select 'hour', hour, * from ${tables.hourly}
      union all select unit, time, time, kind, group_hash, control, rule_id, application, ruleset_version, allowed,
        observed, blocked, last_seen_at from ${tables.fineCounts}) moved ${each} where n <> 0`;
};

const outputSums = (tables: Tables): Sql => sql`
  select 'output_sums' as source, unit, time, kind, json_build_array(detector, enforced)::text as name,
    count as counted, 0 as found
  from ${tables.outputSums}
  union all
  select 'output_sums', unit, substr(time, 1, size), kind, json_build_array(detector, enforced)::text, 0, count
  from (
    select ${MINUTE_OF_ROW} as time, kind, detector, enforced, sum(count) as count
    from ${tables.outputCounts} group by 1, 2, 3, 4) single
  cross join ${UNITS}`;

const ruleHits = (tables: Tables): Sql => sql`
  select 'rule_hits' as source, unit, time, kind, rule_id as name, n as counted, 0 as found
  from ${tables.ruleHits} cross join lateral (values ('hits', hits), ('silenced', silenced)) each (kind, n)
  union all
  select 'rule_hits', unit, substr(time, 1, size), kind, rule, 0, count(distinct id)
  from (
    select id, ${MINUTE_OF_ROW} as time, matched ->> 'ruleId' as rule,
      case when matched ->> 'exception' = 'true' then 'silenced' else 'hits' end as kind
    from ${tables.evidence} cross join jsonb_array_elements(matched_rules::jsonb) matched
    where control = 'input_screen' and matched_rules <> '[]'
      and matched ->> 'notJudged' is distinct from 'true') matches
  join ${UNITS} on unit <> 'day'
  group by 2, 3, 4, 5`;

/** The findings of an entry are limited in number, but each kind and detector is among them. */
const outputCounts = ({ outputCounts: counts, evidence }: Tables): Sql => sql`
  select format('output_counts: the counts of entry %s differ from its findings.', id) as message
  from (
    select id, kind, detector, sum(counted) as counted, sum(found) as found
    from (
      select evidence_id as id, kind, detector, count as counted, 0 as found from ${counts}
      union all
      select id, finding ->> 'kind', finding ->> 'detector', 0, 1
      from ${evidence} cross join jsonb_array_elements(findings::jsonb) finding
      where control = 'output_handler') single
    group by 1, 2, 3) each
  left join ${evidence} e using (id)
  group by id, finding_count
  having bool_or(counted < found or found = 0) or sum(counted) is distinct from finding_count`;

/** Reservations that no window reaches any more are deleted apart from the sum of their hour. */
const budgetHours = ({ reservations, budgetHours: hours }: Tables): Sql => sql`
  select format('budget_hours: budget %s has the sum %s in the hour %s, but its reservations add up to %s.', budget,
    coalesce(counted, 0), to_char(to_timestamp(hour * 3600) at time zone 'UTC', 'YYYY-MM-DD"T"HH24'),
    coalesce(found, 0)) as message
  from (select budget, hour, amount as counted from ${hours}) sums
  full join (
    select budget, ${hourOf(raw('reserved_at'))} as hour, sum(amount) as found from ${reservations} group by 1, 2) rows
    using (budget, hour)
  where hour > ${hourOf(fromNow(-KEPT_MS))} and coalesce(counted, 0) <> coalesce(found, 0)`;

/**
 * Lists find entries by the digest of the principal, and statistics find reviews by the copy of the rule id. Runs by age
 * skip what is recorded as anonymized.
 */
const copies = (tables: Tables): Sql => sql`
  select format('principals: the digest of principal %s is not that of the name.', id) as message
  from ${tables.principals} where digest <> sha256(convert_to(name, 'UTF8'))
  union all
  select format('audit_reviews: review %s of entry %s does not name the rule of the entry, or the entry is missing.',
    r.id, r.evidence_id)
  from ${tables.reviews} r left join ${tables.evidence} e on e.id = r.evidence_id
  where e.id is null or r.rule_id is distinct from e.rule_id
  union all
  select format('retention_lock: the texts up to entry %s are recorded as erased, but that of entry %s is not.',
    anonymized_through, min(evidence_id))
  from ${tables.retentionLock} join ${tables.content} c on evidence_id <= anonymized_through
  where holds_released = (select count(*) from ${tables.holds} where released_at is not null)
    and storage <> 'erased' and ${evidenceNotHeld({ tables }, 'c')}
  group by anonymized_through`;

/** Rows that the log has passed, or all of them where there is no log although one was kept. */
const missingLeaves = (tables: Tables): Sql => sql`
  with operations as (
    select 'setting_change' as kind, id, occurred_at as time from ${tables.settingChanges}
    union all select 'hold', id, set_at from ${tables.holds}
    union all select 'review', id, reviewed_at from ${tables.reviews})
  select format('The %s %s of %s has no leaf in the log, although later ones have one.', kind, id, time) as message
  from operations
  where time < ${fromNow(-600_000)}
    and id < (select max(refs[1]) from ${tables.leaves} leaf where leaf.kind = operations.kind)
    and not exists (select 1 from ${tables.leaves} leaf where leaf.kind = operations.kind and refs[1] = id)
  union all
  select 'The log is missing, or has neither a keyed digest nor a checkpoint, although an instance kept one: it was removed.'
    || ' After a rotation of the secret, start an instance, which seals it, and verify again.'
  from ${tables.logState}
  where seal = '' and not exists (select 1 from ${tables.checkpoints}) and exists (
    select 1 from operations
    where time < (select max(occurred_at) from ${tables.evidence}) - interval '1 minute' and (
      time > (select min(occurred_at) from ${tables.outbox} where mac is not null)
      or kind = 'setting_change' and id = (select max(id) from ${tables.settingChanges})
        and exists (select 1 from ${tables.settingsRevision} where mac is not null)))`;
