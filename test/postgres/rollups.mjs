const evidence = 'guardrails_audit_evidence';
const timeOf = (unit) => `to_char(occurred_at at time zone 'UTC', '${FORMATS[unit]}')`;
const FORMATS = {
  hour: 'YYYY-MM-DD"T"HH24',
  minute: 'YYYY-MM-DD"T"HH24:MI',
  second: 'YYYY-MM-DD"T"HH24:MI:SS',
};
const HOUR = timeOf('hour');
const ROOM = `control, outcome, coalesce(rule_id, '') as rule_id, coalesce(application, '') as application`;

/** The seconds that are still kept. */
const isKept = (unit) =>
  unit === 'second' ? `${timeOf(unit)} >= (select seconds_since from guardrails_count_state)` : 'true';

const inEach = (units, select) =>
  units.map((unit) => select(`'${unit}' as unit, ${timeOf(unit)} as time`, isKept(unit))).join(' union all ');

const UNITS = ['hour', 'minute', 'second'];

/**
 * The expected contents of each table of counts, computed from the rows. Tests compare with it, and the benchmark fills
 * the tables with it.
 */
export const ROLLUPS = {
  guardrails_audit_id_ranges: {
    columns: ['unit', 'time', 'min_id', 'max_id'],
    select: inEach(
      UNITS,
      (time, isKept) =>
        `select ${time}, min(id) as min_id, max(id) as max_id from ${evidence} where ${isKept} group by 2`,
    ),
  },
  guardrails_audit_fine_counts: {
    columns: ['unit', 'time', 'control', 'outcome', 'rule_id', 'application', 'decisions'].concat([
      'ruleset_version',
      'last_seen_at',
    ]),
    select: inEach(
      ['minute', 'second'],
      (time, isKept) => `select ${time}, ${ROOM}, count(*) as decisions, ruleset_version,
          max(occurred_at) as last_seen_at
        from ${evidence} where ${isKept} group by 2, 3, 4, 5, 6, ruleset_version`,
    ),
  },
  guardrails_audit_hourly: {
    columns: ['hour', 'control', 'outcome', 'rule_id', 'application', 'decisions'],
    select: `select ${HOUR} as hour, ${ROOM}, count(*) as decisions from ${evidence} group by 1, 2, 3, 4, 5`,
  },
  guardrails_audit_daily: {
    columns: ['day', 'control', 'outcome', 'rule_id', 'application', 'decisions'],
    select: `select day, ${ROOM}, count(*) as decisions from ${evidence} group by 1, 2, 3, 4, 5`,
  },
  guardrails_audit_daily_totals: {
    columns: ['day', 'control', 'outcome', 'decisions'],
    select: `select day, control, outcome, count(*) as decisions from ${evidence} group by 1, 2, 3`,
  },
  guardrails_ruleset_hourly: {
    columns: ['hour', 'ruleset_version', 'attempts', 'last_seen_at'],
    select: `select ${HOUR} as hour, ruleset_version, count(*) as attempts, max(occurred_at) as last_seen_at
      from ${evidence} where control = 'input_screen' group by 1, 2`,
  },
  guardrails_rule_hits: {
    columns: ['unit', 'time', 'rule_id', 'hits', 'silenced'],
    select: inEach(
      UNITS,
      (time, isKept) => `select ${time}, matched.rule_id, count(*) filter (where not silenced) as hits,
          count(*) filter (where silenced) as silenced
        from ${evidence}, lateral (
          select distinct element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
          from jsonb_array_elements(matched_rules::jsonb) element) as matched
        where control = 'input_screen' and matched_rules <> '[]' and ${isKept} group by 2, 3`,
    ),
  },
  guardrails_output_sums: {
    columns: ['unit', 'time', 'kind', 'detector', 'enforced', 'count'],
    select: inEach(
      UNITS,
      (time, isKept) => `select ${time}, kind, detector, enforced, sum(count)::bigint as count
        from guardrails_output_counts where ${isKept} group by 2, 3, 4, 5`,
    ),
  },
};

/** Rows of a table of counts that are unexpected or missing. */
export function differencesOf(table) {
  const { columns, select } = ROLLUPS[table];
  const isKept = columns.includes('unit')
    ? `where unit <> 'second' or time >= (select seconds_since from guardrails_count_state)`
    : '';
  const held = `select ${columns.join(', ')} from ${table} ${isKept}`;
  return `(select 'held' as side, * from (${held} except all (${select})) as held)
    union all (select 'missing', * from ((${select}) except all ${held}) as missing)`;
}
