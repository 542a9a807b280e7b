import { CONTROL_KEYS, type ControlKey } from '../../../../contracts/src/control-mode.js';
import {
  OverviewStore,
  type Activity,
  type ControlActivity,
  type RulesetActivity,
} from '../../../../contracts/src/overview.js';
import type { Database } from '../database.js';
import { Parameters } from '../parameters.js';
import {
  activityQuery,
  edgesOf,
  hoursWithin,
  sparkHours,
  trailingDay,
  waitingQuery,
  type ActivityRow,
} from './activity-query.js';

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
        activityOf(
          rows.filter((row) => row.control === control),
          hours,
        ),
      ]),
    ) as Record<ControlKey, ControlActivity>;
    return {
      controls,
      rulesets: rows
        .filter(({ what }) => what === 'ruleset')
        .map(ruleset)
        .toSorted(latestFirst),
      pendingApprovals: Number(rows.find(({ what }) => what === 'waiting')?.count ?? 0),
    };
  }

  /** One round trip; where a replica may be behind, what waits for a decision is asked of the primary meanwhile. */
  private async rows(asOf: Date): Promise<readonly ActivityRow[]> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const activity = activityQuery(tables, asOf, parameters);
    const waiting = waitingQuery(dialect, tables);
    if (!this.database.lags) {
      return this.database.rows<ActivityRow>(`${activity}\nunion all\n${waiting}`, parameters.values);
    }
    const answers = await Promise.all([
      this.database.laggingRows<ActivityRow>(activity, parameters.values),
      this.database.rows<ActivityRow>(waiting),
    ]);
    return answers.flat();
  }

  override async ruleHits(asOf: Date): Promise<ReadonlyMap<string, number>> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const { hours, edges } = trailingDay(asOf);
    const within = hours.map((span) => hoursWithin(span, parameters)).join(' or ') || 'false';
    // Most screenings match nothing: what they hold is not even opened.
    const rows = await this.database.laggingRows<{ rule_id: string; hits: string }>(
      `select rule_id, sum(hits) as hits
       from (
         select rule_id, hits from ${tables.ruleHits} where ${within}
         union all
         select matched.value, count(distinct edge.id)
         from (${edgesOf('id, control, matched_rules', tables, edges, parameters)}) edge
         cross join ${dialect.valuesOfField('edge.matched_rules', 'ruleId')} matched
         where edge.control = 'input_screen' and edge.matched_rules <> '[]'
         group by matched.value) counted
       group by rule_id`,
      parameters.values,
    );
    return new Map(rows.map((row) => [row.rule_id, Number(row.hits)]));
  }
}

function activityOf(rows: readonly ActivityRow[], hours: readonly string[]): ControlActivity {
  const outcomes = rows.filter(({ what }) => what === 'outcome');
  const sum = (some: readonly ActivityRow[]): number =>
    some.reduce((total, { count }) => total + Number(count), 0);
  return {
    total: sum(outcomes),
    blocked: sum(outcomes.filter(({ word }) => word === 'blocked')),
    observed: sum(outcomes.filter(({ word }) => word === 'observed')),
    spark: hours.map((hour) => sum(rows.filter(({ what, word }) => what === 'hour' && word === hour))),
  };
}

function ruleset({ word, count, latest }: ActivityRow): RulesetActivity {
  return { rulesetVersion: word, attempts: Number(count), lastSeenAt: latest ?? new Date(0) };
}

function latestFirst(one: RulesetActivity, other: RulesetActivity): number {
  const later = other.lastSeenAt.getTime() - one.lastSeenAt.getTime();
  return later === 0 ? (one.rulesetVersion < other.rulesetVersion ? -1 : 1) : later;
}
