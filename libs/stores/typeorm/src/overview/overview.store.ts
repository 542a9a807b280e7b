import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import {
  OverviewStore,
  type Activity,
  type ApprovalActivity,
  type ControlActivity,
  type RuleHits,
  type RulesetActivity,
} from '#contracts/overview/overview.js';
import type { Database } from '../database/database.js';
import { ONE_DECISION } from '../audit/trend.js';
import { evidenceWithin, inSeconds, inSpan, inUnits, uncounted } from '../audit/window-rows.js';
import { fromNow, join, NOW, raw, sql, where, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';
import { HOUR_MS, timeText, windowParts, type WindowParts } from '../database/time-windows.js';

const SPARK_HOURS = 12;
const SOON_MS = 15 * 60_000;

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

  override async activity(asOf: Date): Promise<Activity> {
    const rows = await this.rows(asOf);
    const hours = sparkHours(asOf);
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
  private async rows(asOf: Date): Promise<readonly ActivityRow[]> {
    const { tables } = this.database;
    const activity = activityQuery(tables, asOf);
    const approvals = approvalQuery(tables);
    if (!this.database.hasReplicas)
      return this.database.query<ActivityRow>(sql`${activity}\nunion all\n${approvals}`, PREPARED);
    const found = await Promise.all([
      this.database.read<ActivityRow>(activity, PREPARED),
      this.database.query<ActivityRow>(approvals, PREPARED),
    ]);
    return found.flat();
  }

  override async ruleHits(asOf: Date): Promise<ReadonlyMap<string, RuleHits>> {
    const { tables } = this.database;
    const parts = trailingDay(asOf);
    // Most screenings match nothing, so their JSON is not parsed.
    const rows = await this.database.read<RuleHits & { ruleId: string }>(
      sql`select rule_id as "ruleId", sum(hits) as hits, sum(silenced) as silenced
        from (
          select rule_id, hits, silenced from ${tables.ruleHits} where ${inUnits(tables, parts.hours, parts) ?? raw('false')}
          union all
          select matched.rule_id, count(distinct edge.id) filter (where not matched.silenced),
            count(distinct edge.id) filter (where matched.silenced)
          from (${edgeRows(raw('id, control, matched_rules'), tables, parts)}) edge
          cross join lateral (
            select element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
            from jsonb_array_elements(edge.matched_rules::jsonb) element
            where element ->> 'notJudged' is null) matched
          where edge.control = 'input_screen' and edge.matched_rules <> '[]'
          group by matched.rule_id) counted
        group by rule_id`,
    );
    return new Map(rows.map(({ ruleId, ...counts }) => [ruleId, counts]));
  }
}

/** Decisions in the trailing 24 hours by ruleset version, and those in each spark hour. */
function activityQuery(tables: Tables, asOf: Date): Sql {
  const parts = trailingDay(asOf);
  const within = join(
    parts.hours.map((span) => inSpan('hour', span)),
    ' or ',
  );
  const fine = inUnits(tables, [], parts) ?? raw('false');
  const isNew = inSeconds(tables, parts) ?? raw('false');
  const [oldest = ''] = sparkHours(asOf);
  const newest = timeText(asOf, 'hour');
  const counts = raw('control, ruleset_version, allowed, observed, blocked, last_seen_at');
  const sum = raw('sum(allowed + observed + blocked)');
  return sql`
    select 'decided' as kind, control, ruleset_version as label, ${sum} as count, sum(blocked) as blocked,
      sum(observed) as observed, max(last_seen_at) as latest
    from (
      select ${counts} from ${tables.hourly} where kind = 'total' and (${within})
      union all select ${counts} from ${tables.fineCounts} where kind = 'total' and ${fine}
      union all select ${counts} from ${tables.newCounts} where ${isNew}
      union all ${edgeRows(sql`control, ruleset_version, ${ONE_DECISION}, occurred_at`, tables, parts)}) counted
    group by control, ruleset_version
    union all
    select 'hour', control, hour, ${sum}, 0, 0, null
    from (
      select control, hour, allowed, observed, blocked from ${tables.hourly}
      where kind = 'total' and hour >= ${oldest} and hour <= ${newest}
      union all
      select control, substr(time, 1, 13), allowed, observed, blocked from ${tables.newCounts}
      where time >= ${oldest} and substr(time, 1, 13) <= ${newest}) decided
    group by control, hour`;
}

function approvalQuery({ approvals }: Tables): Sql {
  const isPending = sql`status = 'pending' and expires_at > ${NOW}`;
  return sql`
    select 'approval' as kind, '' as control, status as label, count(*) as count, 0 as blocked, 0 as observed,
      min(created_at) as latest
    from ${approvals} where status in ('executing', 'outcome_unknown') or ${isPending} group by status
    union all
    select 'approval', '', 'expiring', count(*), 0, 0, null::timestamptz
    from ${approvals} where ${isPending} and expires_at <= ${fromNow(SOON_MS)}`;
}

function approvalActivity(rows: readonly ActivityRow[]): ApprovalActivity {
  const of = (label: string): ActivityRow | undefined => rows.find((row) => row.label === label);
  return {
    pending: of('pending')?.count ?? 0,
    expiringSoon: of('expiring')?.count ?? 0,
    executing: of('executing')?.count ?? 0,
    outcomeUnknown: of('outcome_unknown')?.count ?? 0,
    oldestPendingAt: of('pending')?.latest ?? null,
  };
}

/** After `asOf` − 24 h, up to and including `asOf`. */
function trailingDay(asOf: Date): WindowParts {
  const end = asOf.getTime() + 1;
  return windowParts({ from: new Date(end - 24 * HOUR_MS), end: new Date(end) }, 'hour');
}

/** The UTC hours of a spark, oldest first; `asOf` is in the last one. */
function sparkHours(asOf: Date): readonly string[] {
  return Array.from({ length: SPARK_HOURS }, (_, index) =>
    timeText(new Date(asOf.getTime() - (SPARK_HOURS - 1 - index) * HOUR_MS), 'hour'),
  );
}

/** Evidence beside the whole units, which has no counts. */
function edgeRows(columns: Sql, tables: Tables, parts: WindowParts): Sql {
  const each = uncounted(tables, parts).map(
    (span) => sql`select ${columns} from ${tables.evidence} ${where(evidenceWithin(span, tables))}`,
  );
  return each.length === 0
    ? sql`select ${columns} from ${tables.evidence} where false`
    : join(each, '\nunion all ');
}

function controlActivity(rows: readonly ActivityRow[], hours: readonly string[]): ControlActivity {
  const decided = rows.filter(({ kind }) => kind === 'decided');
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
  return {
    total: sum(decided.map(({ count }) => count)),
    blocked: sum(decided.map(({ blocked }) => blocked)),
    observed: sum(decided.map(({ observed }) => observed)),
    spark: hours.map((hour) => rows.find(({ kind, label }) => kind === 'hour' && label === hour)?.count ?? 0),
  };
}

function rulesetActivity({ label, count, latest }: ActivityRow): RulesetActivity {
  return { rulesetVersion: label, attempts: count, lastSeenAt: latest ?? new Date(0) };
}

function latestFirst(one: RulesetActivity, other: RulesetActivity): number {
  const later = other.lastSeenAt.getTime() - one.lastSeenAt.getTime();
  return later === 0 ? (one.rulesetVersion < other.rulesetVersion ? -1 : 1) : later;
}
