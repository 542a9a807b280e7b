const evidence = 'guardrails_audit_evidence';
const HOUR = `to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`;
const ROOM = `control, outcome, coalesce(rule_id, '') as rule_id, coalesce(application, '') as application`;

/**
 * The expected contents of each table of counts, computed from the rows. Tests compare with it, and the benchmark fills
 * the tables with it.
 */
export const ROLLUPS = {
  guardrails_audit_id_ranges: {
    columns: ['hour', 'min_id', 'max_id'],
    select: `select ${HOUR} as hour, min(id) as min_id, max(id) as max_id from ${evidence} group by 1`,
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
  guardrails_rule_hits_hourly: {
    columns: ['hour', 'rule_id', 'hits', 'silenced'],
    select: `select ${HOUR} as hour, matched.rule_id, count(*) filter (where not silenced) as hits,
        count(*) filter (where silenced) as silenced
      from ${evidence}, lateral (
        select distinct element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
        from jsonb_array_elements(matched_rules::jsonb) element) as matched
      where control = 'input_screen' and matched_rules <> '[]' group by 1, 2`,
  },
  guardrails_output_hourly: {
    columns: ['hour', 'kind', 'detector', 'enforced', 'count'],
    select: `select ${HOUR} as hour, kind, detector, enforced, sum(count)::bigint as count
      from guardrails_output_counts group by 1, 2, 3, 4`,
  },
};

/** Rows of a table of counts that are unexpected or missing. */
export function differencesOf(table) {
  const { columns, select } = ROLLUPS[table];
  const held = `select ${columns.join(', ')} from ${table}`;
  return `(select 'held' as side, * from (${held} except all (${select})) as held)
    union all (select 'missing', * from ((${select}) except all ${held}) as missing)`;
}
