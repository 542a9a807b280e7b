import { CONTROL_KEYS, type ControlKey, type Outcome } from '../../../../contracts/src/control-mode.js';
import {
  OverviewStore,
  type Activity,
  type ControlActivity,
  type RulesetActivity,
} from '../../../../contracts/src/overview.js';
import type { Database } from '../database.js';
import { Parameters } from '../parameters.js';

const HOUR_MS = 3_600_000;
const TRAILING_HOURS = 24;
const SPARK_HOURS = 12;

interface HourRow {
  readonly control: ControlKey;
  readonly outcome: Outcome;
  /** 0 for the hour that ends at `asOf`. */
  readonly hours_ago: number;
  readonly decisions: string;
}

export class TypeormOverviewStore extends OverviewStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async activity(asOf: Date): Promise<Activity> {
    const [hours, rulesets, pendingApprovals] = await Promise.all([
      this.hours(asOf),
      this.rulesets(asOf),
      this.pendingApprovals(),
    ]);
    const controls = Object.fromEntries(
      CONTROL_KEYS.map((control) => [control, activityOf(hours.filter((row) => row.control === control))]),
    ) as Record<ControlKey, ControlActivity>;
    return { controls, rulesets, pendingApprovals };
  }

  override async ruleHits(asOf: Date): Promise<ReadonlyMap<string, number>> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    // Most screenings match nothing: what they hold is not even opened.
    const rows = await this.database.laggingRows<{ rule_id: string; hits: string }>(
      `select matched.value as rule_id, count(*) as hits
       from ${tables.evidence} evidence
       cross join ${dialect.valuesOfField('evidence.matched_rules', 'ruleId')} matched
       where evidence.control = 'input_screen' and evidence.matched_rules <> '[]'
         and ${trailingDay(asOf, parameters)}
       group by matched.value`,
      parameters.values,
    );
    return new Map(rows.map((row) => [row.rule_id, Number(row.hits)]));
  }

  private hours(asOf: Date): Promise<HourRow[]> {
    const parameters = new Parameters();
    const end = `${parameters.time(asOf)}::timestamptz`;
    return this.database.laggingRows<HourRow>(
      `select control, outcome, count(*) as decisions,
         floor(extract(epoch from (${end} - occurred_at)) / 3600)::integer as hours_ago
       from ${this.database.tables.evidence}
       where ${trailingDay(asOf, parameters)}
       group by control, outcome, hours_ago`,
      parameters.values,
    );
  }

  private async rulesets(asOf: Date): Promise<RulesetActivity[]> {
    const parameters = new Parameters();
    const rows = await this.database.laggingRows<{
      ruleset_version: string;
      attempts: string;
      last_seen_at: Date;
    }>(
      `select ruleset_version, count(*) as attempts, max(occurred_at) as last_seen_at
       from ${this.database.tables.evidence}
       where control = 'input_screen' and ${trailingDay(asOf, parameters)}
       group by ruleset_version order by last_seen_at desc, ruleset_version`,
      parameters.values,
    );
    return rows.map((row) => ({
      rulesetVersion: row.ruleset_version,
      attempts: Number(row.attempts),
      lastSeenAt: row.last_seen_at,
    }));
  }

  private async pendingApprovals(): Promise<number> {
    const { tables, dialect } = this.database;
    const [row] = await this.database.rows<{ waiting: string }>(
      `select count(*) as waiting from ${tables.approvals}
       where status = 'pending' and expires_at > ${dialect.now}`,
    );
    return Number(row?.waiting ?? 0);
  }
}

function trailingDay(asOf: Date, parameters: Parameters): string {
  const after = new Date(asOf.getTime() - TRAILING_HOURS * HOUR_MS);
  return `occurred_at > ${parameters.time(after)} and occurred_at <= ${parameters.time(asOf)}`;
}

function activityOf(rows: readonly HourRow[]): ControlActivity {
  const sum = (taken: (row: HourRow) => boolean): number =>
    rows.reduce((total, row) => (taken(row) ? total + Number(row.decisions) : total), 0);
  return {
    total: sum(() => true),
    blocked: sum((row) => row.outcome === 'blocked'),
    observed: sum((row) => row.outcome === 'observed'),
    spark: Array.from({ length: SPARK_HOURS }, (_, hour) =>
      sum((row) => row.hours_ago === SPARK_HOURS - 1 - hour),
    ),
  };
}
