const evidence = 'guardrails_audit_evidence';
const ROOM = `control, outcome, coalesce(rule_id, '') as rule_id, coalesce(application, '') as application`;
const GROUP = ['control', 'outcome', 'rule_id', 'application'];
const GROUP_COLUMNS = GROUP.join(', ');

const FORMATS = {
  hour: 'YYYY-MM-DD"T"HH24',
  minute: 'YYYY-MM-DD"T"HH24:MI',
  second: 'YYYY-MM-DD"T"HH24:MI:SS',
};
const LENGTHS = { day: 10, hour: 13, minute: 16, second: 19 };
const UNITS = ['hour', 'minute', 'second'];

const timeOf = (unit) => `to_char(occurred_at at time zone 'UTC', '${FORMATS[unit]}')`;
const HOUR = timeOf('hour');

const SINCE = '(select seconds_since from guardrails_count_state)';
/** Older seconds are not read any more. */
const isKept = (unit) => (unit === 'second' ? `${timeOf(unit)} >= ${SINCE}` : 'true');
const IS_KEPT_TIME = `unit <> 'second' or time >= ${SINCE}`;

/** @param select receives the columns `unit` and `time`, and a condition */
const inEach = (units, select) =>
  units.map((unit) => select(`'${unit}' as unit, ${timeOf(unit)} as time`, isKept(unit))).join(' union all ');

/** A table of counts together with the counts that are not moved to it yet. */
const withNew = (table, keys, sums, ofNew) =>
  `select ${[...keys, ...sums.map(({ name, by }) => `${by}(${name}) as ${name}`)].join(', ')}
   from (select ${[...keys, ...sums.map(({ name }) => name)].join(', ')} from ${table} union all ${ofNew}) as counted
   group by ${keys.join(', ')}`;
const DECISIONS = { name: 'decisions', by: 'sum' };
const LAST_SEEN = { name: 'last_seen_at', by: 'max' };
const fromNew = (columns, condition = 'true') =>
  `select ${columns} from guardrails_audit_new_counts where ${condition}`;
const newTime = (unit) => `substr(time, 1, ${LENGTHS[unit]})`;

const FINE = ['unit', 'time', ...GROUP, 'ruleset_version'];

/**
 * The expected contents of each table of counts, computed from the rows. Tests compare with it, and the benchmark fills
 * the tables with it. `held` selects what a table has, if it has not all of it.
 */
export const ROLLUPS = {
  guardrails_audit_id_ranges: {
    columns: ['unit', 'time', 'min_id', 'max_id'],
    select: inEach(
      UNITS,
      (time, condition) =>
        `select ${time}, min(id) as min_id, max(id) as max_id from ${evidence} where ${condition} group by 2`,
    ),
    held: `select unit, time, min_id, max_id from guardrails_audit_id_ranges where ${IS_KEPT_TIME}`,
  },
  guardrails_audit_fine_counts: {
    columns: [...FINE, 'decisions', 'last_seen_at'],
    select: inEach(
      ['minute', 'second'],
      (time, condition) => `select ${time}, ${ROOM}, ruleset_version, count(*) as decisions,
          max(occurred_at) as last_seen_at
        from ${evidence} where ${condition} group by 2, 3, 4, 5, 6, ruleset_version`,
    ),
    held: `select * from (${withNew(
      'guardrails_audit_fine_counts',
      FINE,
      [DECISIONS, LAST_SEEN],
      ['minute', 'second']
        .map((unit) =>
          fromNew(`'${unit}', ${newTime(unit)}, ${GROUP_COLUMNS}, ruleset_version, decisions, last_seen_at`),
        )
        .join(' union all '),
    )}) as fine where ${IS_KEPT_TIME}`,
  },
  guardrails_audit_hourly: {
    columns: ['hour', ...GROUP, 'decisions'],
    select: `select ${HOUR} as hour, ${ROOM}, count(*) as decisions from ${evidence} group by 1, 2, 3, 4, 5`,
    held: withNew(
      'guardrails_audit_hourly',
      ['hour', ...GROUP],
      [DECISIONS],
      fromNew(`${newTime('hour')}, ${GROUP_COLUMNS}, decisions`),
    ),
  },
  guardrails_audit_daily: {
    columns: ['day', ...GROUP, 'decisions'],
    select: `select day, ${ROOM}, count(*) as decisions from ${evidence} group by 1, 2, 3, 4, 5`,
    held: withNew(
      'guardrails_audit_daily',
      ['day', ...GROUP],
      [DECISIONS],
      fromNew(`${newTime('day')}, ${GROUP_COLUMNS}, decisions`),
    ),
  },
  guardrails_audit_daily_totals: {
    columns: ['day', 'control', 'outcome', 'decisions'],
    select: `select day, control, outcome, count(*) as decisions from ${evidence} group by 1, 2, 3`,
    held: withNew(
      'guardrails_audit_daily_totals',
      ['day', 'control', 'outcome'],
      [DECISIONS],
      fromNew(`${newTime('day')}, control, outcome, decisions`),
    ),
  },
  guardrails_ruleset_hourly: {
    columns: ['hour', 'ruleset_version', 'attempts', 'last_seen_at'],
    select: `select ${HOUR} as hour, ruleset_version, count(*) as attempts, max(occurred_at) as last_seen_at
      from ${evidence} where control = 'input_screen' group by 1, 2`,
    held: withNew(
      'guardrails_ruleset_hourly',
      ['hour', 'ruleset_version'],
      [{ name: 'attempts', by: 'sum' }, LAST_SEEN],
      fromNew(`${newTime('hour')}, ruleset_version, decisions, last_seen_at`, `control = 'input_screen'`),
    ),
  },
  guardrails_rule_hits: {
    columns: ['unit', 'time', 'rule_id', 'hits', 'silenced'],
    select: inEach(
      UNITS,
      (time, condition) => `select ${time}, matched.rule_id, count(*) filter (where not silenced) as hits,
          count(*) filter (where silenced) as silenced
        from ${evidence}, lateral (
          select distinct element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
          from jsonb_array_elements(matched_rules::jsonb) element) as matched
        where control = 'input_screen' and matched_rules <> '[]' and ${condition} group by 2, 3`,
    ),
    held: `select unit, time, rule_id, hits, silenced from guardrails_rule_hits where ${IS_KEPT_TIME}`,
  },
  guardrails_output_sums: {
    columns: ['unit', 'time', 'kind', 'detector', 'enforced', 'count'],
    select: inEach(
      UNITS,
      (time, condition) => `select ${time}, kind, detector, enforced, sum(count)::bigint as count
        from guardrails_output_counts where ${condition} group by 2, 3, 4, 5`,
    ),
    held: `select unit, time, kind, detector, enforced, count from guardrails_output_sums where ${IS_KEPT_TIME}`,
  },
};

/** Rows of a table of counts that are unexpected or missing. */
export function differencesOf(table) {
  const { select, held } = ROLLUPS[table];
  return `(select 'held' as side, * from ((${held}) except all (${select})) as held)
    union all (select 'missing', * from ((${select}) except all (${held})) as missing)`;
}
