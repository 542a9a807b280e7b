const evidence = 'guardrails_audit_evidence';

/** Columns that a kind of counts has besides the control; the others are null. */
const KINDS = {
  total: ['ruleset_version'],
  rule: ['rule_id'],
  application: ['application'],
  pair: ['rule_id', 'application'],
};
const GROUP = ['kind', 'control', 'rule_id', 'application', 'ruleset_version'];
const GROUP_COLUMNS = GROUP.join(', ');
const OUTCOMES = ['allowed', 'observed', 'blocked'];
const GROUPING = `case grouping(rule_id, application, ruleset_version)
  ${Object.entries({ total: 6, application: 5, rule: 3, pair: 1 })
    .map(([kind, bits]) => `when ${bits} then '${kind}'`)
    .join(' ')} end as kind`;
const groupingSets = (kinds) =>
  `grouping sets (${kinds.map((kind) => `(${KINDS[kind].join(', ')})`).join(', ')})`;
const FINE_KINDS = ['total', 'pair'];

const FORMATS = {
  day: 'YYYY-MM-DD',
  hour: 'YYYY-MM-DD"T"HH24',
  minute: 'YYYY-MM-DD"T"HH24:MI',
};
const LENGTHS = { day: 10, hour: 13, minute: 16 };
const UNITS = ['hour', 'minute'];

const timeOf = (unit) => `to_char(occurred_at at time zone 'UTC', '${FORMATS[unit]}')`;

/** @param select receives the columns `unit` and `time` */
const inEach = (units, select) =>
  units.map((unit) => select(`'${unit}' as unit, ${timeOf(unit)} as time`)).join(' union all ');

const DECIDED = `control, coalesce(rule_id, '') as rule_id, coalesce(application, '') as application, ruleset_version,
  ${OUTCOMES.map((outcome) => `(outcome = '${outcome}')::integer as ${outcome}`).join(', ')},
  occurred_at as last_seen_at`;
const SUM_COLUMNS = [...OUTCOMES, 'last_seen_at'].join(', ');
const SUMS = [
  ...OUTCOMES.map((outcome) => `sum(${outcome})::bigint as ${outcome}`),
  'max(last_seen_at) as last_seen_at',
].join(', ');

/** @param rows have the columns `times`, those of the group, and those of the sums */
const ofEachKind = (times, rows, kinds = Object.keys(KINDS)) =>
  `select ${times}, ${GROUPING}, control, rule_id, application, ruleset_version, ${SUMS}
   from (${rows}) as rows group by ${times}, control, ${groupingSets(kinds)}`;

/** A table of counts together with those that are not moved to it yet. */
const withNew = (table, times, newTimes, kinds) => {
  const rows = newTimes.map(
    (time) =>
      `select ${time}, control, rule_id, application, ruleset_version, ${SUM_COLUMNS} from guardrails_audit_new_counts`,
  );
  return `select ${times}, ${GROUP_COLUMNS}, ${SUMS} from (
     select ${times}, ${GROUP_COLUMNS}, ${SUM_COLUMNS} from ${table}
     union all ${ofEachKind(times, rows.join(' union all '), kinds)}) as counted
   group by ${times}, ${GROUP_COLUMNS}`;
};
const newTime = (unit) => `substr(time, 1, ${LENGTHS[unit]})`;

/** Counts in a table whose rows are of one unit. */
const rollupBy = (table, unit) => ({
  columns: [unit, ...GROUP, ...OUTCOMES, 'last_seen_at'],
  select: ofEachKind(unit, `select ${timeOf(unit)} as ${unit}, ${DECIDED} from ${evidence}`),
  held: withNew(table, unit, [`${newTime(unit)} as ${unit}`]),
});

/**
 * The expected contents of each table of counts, computed from the rows. Tests compare with it, and the benchmark fills
 * the tables with it. `held` selects what a table has, if it has not all of it.
 */
export const ROLLUPS = {
  guardrails_audit_id_ranges: {
    columns: ['unit', 'time', 'min_id', 'max_id'],
    select: inEach(
      UNITS,
      (time) => `select ${time}, min(id) as min_id, max(id) as max_id from ${evidence} group by 2`,
    ),
    held: 'select unit, time, min_id, max_id from guardrails_audit_id_ranges',
  },
  guardrails_audit_fine_counts: {
    columns: ['unit', 'time', ...GROUP, ...OUTCOMES, 'last_seen_at'],
    select: inEach(['minute'], (time) =>
      ofEachKind('unit, time', `select ${time}, ${DECIDED} from ${evidence}`, FINE_KINDS),
    ),
    held: withNew(
      'guardrails_audit_fine_counts',
      'unit, time',
      [`'minute' as unit, ${newTime('minute')} as time`],
      FINE_KINDS,
    ),
  },
  guardrails_audit_hourly: rollupBy('guardrails_audit_hourly', 'hour'),
  guardrails_audit_daily: rollupBy('guardrails_audit_daily', 'day'),
  guardrails_rule_hits: {
    columns: ['unit', 'time', 'rule_id', 'hits', 'silenced'],
    select: inEach(
      UNITS,
      (time) => `select ${time}, matched.rule_id, count(*) filter (where not silenced) as hits,
          count(*) filter (where silenced) as silenced
        from ${evidence}, lateral (
          select distinct element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
          from jsonb_array_elements(matched_rules::jsonb) element) as matched
        where control = 'input_screen' and matched_rules <> '[]' group by 2, 3`,
    ),
    held: 'select unit, time, rule_id, hits, silenced from guardrails_rule_hits',
  },
  guardrails_output_sums: {
    columns: ['unit', 'time', 'kind', 'detector', 'enforced', 'count'],
    select: inEach(
      ['day', ...UNITS],
      (time) => `select ${time}, kind, detector, enforced, sum(count)::bigint as count
        from guardrails_output_counts group by 2, 3, 4, 5`,
    ),
    held: 'select unit, time, kind, detector, enforced, count from guardrails_output_sums',
  },
};

/** Rows of a table of counts that are unexpected or missing. */
export function differencesOf(table) {
  const { select, held } = ROLLUPS[table];
  return `(select 'held' as side, * from ((${held}) except all (${select})) as held)
    union all (select 'missing', * from ((${select}) except all (${held})) as missing)`;
}
