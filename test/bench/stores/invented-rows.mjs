export const DAYS = 400;
/** Rows with a rare value, evenly distributed over the time; the same number for every size. */
export const RARE_ROWS = 30;
export const PRINCIPALS = 20_000;

/** Searched values, by frequency. */
export const VALUES = {
  rule: { common: 'rule_7', rare: 'rare_rule', absent: 'no_such_rule' },
  principal: { common: 'customer-1', rare: 'customer-20000', absent: 'customer-0' },
  application: { common: 'shop', rare: 'rare-application', absent: 'no-such-application' },
  q: { common: 'parcel', rare: 'zyzzyva', absent: 'quetzalcoatl' },
  tool: { common: 'refund', rare: 'rare_tool', absent: 'no_such_tool' },
  actor: { common: 'ops-1', rare: 'ops-rare', absent: 'ops-absent' },
};

const { rule, principal, application } = VALUES;
const numberOf = (name) => name.replace('customer-', '');

/**
 * A statement that selects rows `first` to `last` of `rows` generated ones: 3 % blocked, 5 % observed, four controls,
 * forty rules, and one customer with 5 % of the rows. The newest `inLastHour` rows are in the last hour. Only the time of the last row differs between runs.
 */
export function inventedRows({ rows, first, last, end, inLastHour }) {
  const rareEvery = Math.floor(rows / RARE_ROWS);
  const rare = (offset) => `i % ${rareEvery} = ${offset}`;
  const before = rows - inLastHour;
  const age =
    inLastHour === 0
      ? `(${rows} - i) * ${(DAYS * 86_400_000) / rows}`
      : `case when i > ${before} then (${rows} - i) * ${3_600_000 / inLastHour}
          else 3600000 + (${before} - i) * ${(DAYS * 86_400_000) / before} end`;
  return `
    select *, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      case when rule_id is null then '[]' else '[{"ruleId":"' || rule_id || '","span":[0,12]}]' end as matched_rules
    from (
      select *,
        case when outcome = 'allowed' or control <> 'input_screen' then null
          when ${rare(11)} then '${rule.rare}' else 'rule_' || h % 40 end as rule_id,
        case when control = 'tool_firewall' then (array['refund', 'quote', 'send_email'])[1 + h % 3] end as tool
      from (
        select i, h,
          (timestamptz '${end.toISOString()}' - ${age} * interval '1 millisecond')::timestamptz(3)
            as occurred_at,
          case when ${rare(11)} or h % 100 < 3 then 'blocked' when h % 100 < 8 then 'observed' else 'allowed' end
            as outcome,
          case when ${rare(11)} or h / 100 % 100 < 86 then 'input_screen' when h / 100 % 100 < 92 then 'output_handler'
            when h / 100 % 100 < 98 then 'tool_firewall' else 'hitl' end as control,
          case when ${rare(3)} then ${numberOf(principal.rare)} when h / 10000 % 20 = 0 then 1
            else 2 + h % (${PRINCIPALS} - 2) end as principal_ref,
          case when ${rare(5)} then '${application.rare}' when h / 1000 % 10 < 6 then '${application.common}'
            else 'support' end as application,
          format('Where is the ${VALUES.q.common} %s that I ordered for %s on Monday, and why did no one %s me?%s', i,
            md5(i::text), (array['call', 'write', 'ask', 'tell'])[1 + h % 4],
            case when ${rare(9)} then ' ${VALUES.q.rare}' else '' end) as prompt
        from (select i, abs(hashint8(i)::bigint) as h from generate_series(${first}::bigint, ${last}) i) as numbered
      ) as drawn
    ) as ruled`;
}
