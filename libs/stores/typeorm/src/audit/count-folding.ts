import type { Database } from '../database/database.js';
import { foldRuns } from './run-index.js';
import { raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

const INTERVAL_MS = 10_000;

/** Newer counts may still be changed by appends, which would wait. */
const MIN_AGE_MS = 2_000;

/** Counts that one statement moves. */
const LIMIT = 5_000;

/** By what decisions are counted besides their control. `total`: by version of the rules. `pair`: by rule and application. */
export type CountKind = 'total' | 'rule' | 'application' | 'pair';

const COUNT_COLUMNS = raw(
  'kind, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at',
);

/**
 * Appends change only the counts of a minute in a small table. Every ten seconds those of past minutes are moved to the
 * tables of minutes, hours and days, on one instance at a time. Reads add up all of them, so they are exact whenever this
 * happens.
 */
export class CountFolding {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private hasFailed = false;

  constructor(private readonly database: Database) {}

  start(): void {
    this.timer ??= setInterval(() => this.run(), INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  private run() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.running = this.move();
  }

  /** After a failure the next run continues; until then reads add up more rows. */
  private async move() {
    try {
      await foldCounts(this.database);
      while (await foldRuns(this.database));
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) warn(error);
      this.hasFailed = true;
    }
    this.isRunning = false;
  }
}

function warn(error: unknown) {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  process.emitWarning(
    `Moving the counts of decisions or the totals of runs failed: ${cause instanceof Error ? cause.message : String(cause)}. It is retried every ` +
      `${INTERVAL_MS / 1000} s; statistics stay exact and become slower, and runs are listed late. If it continues, run npx nest-guardrails doctor.`,
    { type: 'GuardrailsWarning', code: 'GUARDRAILS_COUNTS_NOT_MOVED' },
  );
}

/** @param minAgeMs counts of minutes that ended later are not moved */
export async function foldCounts(database: Database, minAgeMs = MIN_AGE_MS): Promise<void> {
  let moved = LIMIT;
  while (moved === LIMIT) {
    const [row] = await database.query<{ moved: number }>(foldStatement(database.tables, minAgeMs));
    moved = row?.moved ?? 0;
  }
}

/** Adds the counts of an insert to those of the row with the same key, which is named `existing`. */
export const SUMS_OF_CONFLICT = raw(`allowed = existing.allowed + excluded.allowed,
        observed = existing.observed + excluded.observed,
        blocked = existing.blocked + excluded.blocked,
        last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)`);

/**
 * Counts that an append is changing are skipped, so neither waits for the other. `grouping`
 * has a bit for each of its columns, which is set for those that a set lacks. Minutes are many and few of them are read at
 * once, so they have two kinds only.
 */
function foldStatement({ newCounts, fineCounts, hourly, daily, countState }: Tables, minAgeMs: number): Sql {
  const into = (table: Sql, unit: 'hour' | 'day') => sql`
      insert into ${table} as existing (${raw(unit)}, ${COUNT_COLUMNS})
      select time, ${COUNT_COLUMNS} from counted where unit = ${raw(`'${unit}'`)}
      on conflict (kind, ${raw(unit)}, group_hash) do update set ${SUMS_OF_CONFLICT}`;
  return sql`with folding as (select from ${countState} for update skip locked),
    moved as (
      delete from ${newCounts} where ctid = any(array(
        select ctid from ${newCounts} where exists (select from folding)
          and time < to_char(clock_timestamp() at time zone 'UTC' - ${minAgeMs}::bigint * interval '1 millisecond',
            'YYYY-MM-DD"T"HH24:MI')
        order by time limit ${LIMIT} for update skip locked))
      returning *),
    grouped as (
      select unit, substr(time, 1, length) as time, control, rule_id, application, ruleset_version,
        case grouping(rule_id, application, ruleset_version)
          when 6 then 'total' when 5 then 'application' when 3 then 'rule' else 'pair' end as kind,
        sum(allowed) as allowed, sum(observed) as observed, sum(blocked) as blocked,
        max(last_seen_at) as last_seen_at
      from moved cross join (values ('minute', 16), ('hour', 13), ('day', 10)) units (unit, length)
      group by unit, substr(time, 1, length), control,
        grouping sets ((ruleset_version), (rule_id), (application), (rule_id, application))),
    counted as (
      select *, substring(sha256(convert_to(
        json_build_array(control, rule_id, application, ruleset_version)::text, 'UTF8')) from 1 for 16) as group_hash
      from grouped),
    into_minutes as (
      insert into ${fineCounts} as existing (unit, time, ${COUNT_COLUMNS})
      select unit, time, ${COUNT_COLUMNS} from counted where unit = 'minute' and kind in ('total', 'pair')
      on conflict (unit, kind, time, group_hash) do update set ${SUMS_OF_CONFLICT}),
    into_hours as (${into(hourly, 'hour')}),
    into_days as (${into(daily, 'day')})
    select count(*) as moved from moved`;
}
