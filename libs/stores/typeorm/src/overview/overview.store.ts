import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import {
  EXPIRES_SOON_MS,
  latestFirst,
  OverviewStore,
  SPARK_HOURS,
  type ApprovalActivity,
  type ControlActivity,
  type RuleHits,
  type RulesetActivity,
} from '#contracts/overview/overview.js';
import type { TimeWindow } from '#contracts/common/page.js';
import type { Database } from '../database/database.js';
import { countsWithin } from '../audit/trend.js';
import { fromNow, join, NOW, raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import {
  coversMinute,
  evidenceWithin,
  HOUR_MS,
  inUnits,
  minuteOf,
  spanOf,
  timeText,
  windowParts,
} from '../database/time-windows.js';

/** Planning takes as long as the rest, and every overview has the same statement. */
const PREPARED = { isPrepared: true } as const;

/**
 * `label` is a version of the rules, an hour or a state of approvals, depending on `kind`. `latest` of approvals is the
 * time of the oldest one.
 */
interface ActivityRow {
  readonly kind: 'decided' | 'hour' | 'approval';
  readonly control: string;
  readonly label: string;
  readonly count: number;
  readonly blocked: number;
  readonly observed: number;
  readonly latest: Date | null;
}

export class TypeormOverviewStore extends OverviewStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async activity(window: TimeWindow) {
    const hours = sparkHours(window.to);
    const rows = await this.rows(window, hours);
    const controls = Object.fromEntries(
      CONTROL_KEYS.map((control) => [
        control,
        controlActivity(
          rows.filter((row) => row.control === control),
          hours,
        ),
      ]),
    ) as Record<ControlKey, ControlActivity>;
    return {
      controls,
      rulesets: rows
        .filter(({ kind, control }) => kind === 'decided' && control === 'input_screen')
        .map(rulesetActivity)
        .toSorted(latestFirst),
      approvals: approvalActivity(rows.filter(({ kind }) => kind === 'approval')),
    };
  }

  /** One round trip. With replicas the approvals are read from the primary at the same time. */
  private async rows(window: TimeWindow, hours: readonly Date[]): Promise<readonly ActivityRow[]> {
    const { tables } = this.database;
    const activity = activityQuery(tables, window, hours);
    const approvals = approvalQuery(tables);
    if (this.database.replicas === null)
      return this.database.query<ActivityRow>(sql`${activity}\nunion all\n${approvals}`, PREPARED);
    const found = await Promise.all([
      this.database.read<ActivityRow>(activity, PREPARED),
      this.database.query<ActivityRow>(approvals, PREPARED),
    ]);
    return found.flat();
  }

  override async ruleHits(window: TimeWindow) {
    const { tables } = this.database;
    const { hours, minutes, edges } = windowParts(spanOf(window), 'hour');
    const counted = (condition: Sql) =>
      sql`select rule_id, hits, silenced from ${tables.ruleHits} where ${condition}`;
    const counts = [
      counted(inUnits([...hours, ...minutes])),
      ...edges.flatMap((edge) => {
        const covers = coversMinute(edge, tables);
        const rows = hitsWithin(tables, evidenceWithin(edge, tables));
        return covers === null ? [rows] : [counted(sql`${minuteOf(edge)} and ${covers}`), rows];
      }),
    ];
    const rows = await this.database.read<RuleHits & { ruleId: string }>(
      sql`select rule_id as "ruleId", sum(hits) as hits, sum(silenced) as silenced
        from (${join(counts, '\nunion all ')}) counted group by rule_id`,
    );
    return new Map(rows.map(({ ruleId, ...hits }) => [ruleId, hits]));
  }
}

/** Hits of rules in entries. Most screenings match nothing, so their JSON is not parsed. */
function hitsWithin({ evidence }: Tables, conditions: readonly Sql[]): Sql {
  const matching = [...conditions, raw(`control = 'input_screen'`), raw(`matched_rules <> '[]'`)];
  return sql`select matched.rule_id, count(distinct edge.id) filter (where not matched.silenced),
      count(distinct edge.id) filter (where matched.silenced)
    from (select id, matched_rules from ${evidence} ${where(matching)}) edge
    cross join lateral (
      select element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
      from jsonb_array_elements(edge.matched_rules::jsonb) element
      where element ->> 'notJudged' is null) matched
    group by matched.rule_id`;
}

/** Decisions in the window by ruleset version, and those in each spark hour. */
function activityQuery(tables: Tables, window: TimeWindow, hours: readonly Date[]): Sql {
  const [oldest = window.from] = hours;
  const newest = hours.at(-1) ?? window.to;
  const decided = countsWithin(tables, spanOf(window), {
    largest: 'hour',
    kind: 'total',
    by: ['control', 'ruleset_version'],
  });
  const whole = { from: oldest, end: new Date(newest.getTime() + HOUR_MS) };
  const inHours = countsWithin(tables, whole, { largest: 'hour', kind: 'total', by: ['control'] });
  const sum = raw('sum(allowed + observed + blocked)');
  return sql`
    select 'decided' as kind, control, ruleset_version as label, ${sum} as count, sum(blocked) as blocked,
      sum(observed) as observed, max(last_seen_at) as latest
    from (${decided}) decided group by control, ruleset_version
    union all
    select 'hour', control, substr(time, 1, 13), ${sum}, 0, 0, null
    from (${inHours}) spark group by control, substr(time, 1, 13)`;
}

function approvalQuery({ approvals }: Tables): Sql {
  const isPending = sql`status = 'pending' and expires_at > ${NOW}`;
  return sql`
    select 'approval' as kind, '' as control, status as label, count(*) as count, 0 as blocked, 0 as observed,
      min(created_at) as latest
    from ${approvals} where status in ('executing', 'outcome_unknown') or ${isPending} group by status
    union all
    select 'approval', '', 'expiring', count(*), 0, 0, null::timestamptz
    from ${approvals} where ${isPending} and expires_at <= ${fromNow(EXPIRES_SOON_MS)}`;
}

function approvalActivity(rows: readonly ActivityRow[]): ApprovalActivity {
  const of = (label: string) => rows.find((row) => row.label === label);
  return {
    pending: of('pending')?.count ?? 0,
    expiringSoon: of('expiring')?.count ?? 0,
    executing: of('executing')?.count ?? 0,
    outcomeUnknown: of('outcome_unknown')?.count ?? 0,
    oldestPendingAt: of('pending')?.latest ?? null,
  };
}

/** The UTC hours of a spark, oldest first; `to` is in the last one. */
function sparkHours(to: Date): readonly Date[] {
  const last = Math.floor(to.getTime() / HOUR_MS);
  return Array.from(
    { length: SPARK_HOURS },
    (_, index) => new Date((last - (SPARK_HOURS - 1 - index)) * HOUR_MS),
  );
}

function controlActivity(rows: readonly ActivityRow[], hours: readonly Date[]): ControlActivity {
  const decided = rows.filter(({ kind }) => kind === 'decided');
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  return {
    total: sum(decided.map(({ count }) => count)),
    blocked: sum(decided.map(({ blocked }) => blocked)),
    observed: sum(decided.map(({ observed }) => observed)),
    spark: hours.map((hour) => {
      const text = timeText(hour, 'hour');
      return rows.find(({ kind, label }) => kind === 'hour' && label === text)?.count ?? 0;
    }),
  };
}

function rulesetActivity({ label, count, latest }: ActivityRow): RulesetActivity {
  return { rulesetVersion: label, attempts: count, lastSeenAt: latest ?? new Date(0) };
}
