import type { Database } from '../database/database.js';
import { raw, sql, type Sql } from '../database/sql.js';
import type { Tables } from '../database/tables.js';

const INTERVAL_MS = 10_000;

/** Newer counts may still be changed by appends, which would wait. */
const MIN_AGE_MS = 2_000;

/** The seconds at both ends of the trailing 24 hours are kept, with room for clocks that differ. */
const KEPT_MS = 26 * 3_600_000;

/** Counts that one statement moves or deletes. */
const LIMIT = 5_000;

/** By what decisions are counted besides their control. `total`: by version of the rules. `pair`: by rule and application. */
export type CountKind = 'total' | 'rule' | 'application' | 'pair';

/** Minutes and seconds are many and few of them are read at once, so they have only these. */
export type FineKind = Extract<CountKind, 'total' | 'pair'>;
const IS_FINE_KIND = raw(`kind in ('total', 'pair')`);

const COUNT_COLUMNS = raw(
  'kind, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at',
);

/** Text of a time before now, by the clock of the database. */
const textBefore = (milliseconds: number, format: string): Sql =>
  sql`to_char(clock_timestamp() at time zone 'UTC' - ${milliseconds}::bigint * interval '1 millisecond', ${raw(`'${format}'`)})`;

/**
 * Appends change only the counts of a second in a small table. Every ten seconds these are added to the counts of larger
 * units, on one instance at a time. Reads add up both, so they are exact whenever this happens.
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

  private run(): void {
    if (this.isRunning) return;
    this.isRunning = true;
    this.running = this.move();
  }

  /** After a failure the next run continues; until then reads add up more rows. */
  private async move(): Promise<void> {
    try {
      await foldCounts(this.database);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) warn(error);
      this.hasFailed = true;
    }
    this.isRunning = false;
  }
}

function warn(error: unknown): void {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  process.emitWarning(
    `Moving the counts of decisions failed: ${cause instanceof Error ? cause.message : String(cause)}. It is retried every ` +
      `${INTERVAL_MS / 1000} s; statistics stay exact and become slower. If it continues, run npx nest-guardrails doctor.`,
    { type: 'GuardrailsWarning', code: 'GUARDRAILS_COUNTS_NOT_MOVED' },
  );
}

/** @param minAgeMs counts of later seconds are not moved */
export async function foldCounts(database: Database, minAgeMs = MIN_AGE_MS): Promise<void> {
  const { tables } = database;
  const before = textBefore(minAgeMs, 'YYYY-MM-DD"T"HH24:MI:SS');
  let moved = LIMIT;
  while (moved === LIMIT) {
    const [row] = await database.query<{ moved: number }>(foldStatement(tables, before));
    moved = row?.moved ?? 0;
  }
  const since = textBefore(KEPT_MS, 'YYYY-MM-DD"T"HH24:MI');
  const { countState, fineCounts, ruleHits, outputSums, idRanges } = tables;
  await database.execute(
    sql`update ${countState} set seconds_since = ${since} where seconds_since < ${since}`,
  );
  await database.execute(oldSecondsDeletion(fineCounts, countState, sql`and ${IS_FINE_KIND}`));
  for (const table of [ruleHits, outputSums, idRanges])
    await database.execute(oldSecondsDeletion(table, countState));
}

/** Adds the counts of an insert to those of the row with the same key, which is named `existing`. */
export const SUMS_OF_CONFLICT = raw(`allowed = existing.allowed + excluded.allowed,
        observed = existing.observed + excluded.observed,
        blocked = existing.blocked + excluded.blocked,
        last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)`);

/**
 * Counts that an append is changing are skipped, so neither waits for the other. `grouping`
 * has a bit for each of its columns, which is set for those that a set lacks.
 */
function foldStatement(tables: Tables, before: Sql): Sql {
  const { newCounts, fineCounts, hourly, daily, countState } = tables;
  const into = (table: Sql, unit: 'hour' | 'day'): Sql => sql`
      insert into ${table} as existing (${raw(unit)}, ${COUNT_COLUMNS})
      select time, ${COUNT_COLUMNS} from counted where unit = ${raw(`'${unit}'`)}
      on conflict (kind, ${raw(unit)}, group_hash) do update set ${SUMS_OF_CONFLICT}`;
  return sql`with folding as (select seconds_since from ${countState} for update skip locked),
    moved as (
      delete from ${newCounts} where ctid = any(array(
        select ctid from ${newCounts} where time < ${before} and exists (select from folding)
        order by time limit ${LIMIT} for update skip locked))
      returning *),
    grouped as (
      select unit, substr(time, 1, length) as time, control, rule_id, application, ruleset_version,
        case grouping(rule_id, application, ruleset_version)
          when 6 then 'total' when 5 then 'application' when 3 then 'rule' else 'pair' end as kind,
        sum(allowed) as allowed, sum(observed) as observed, sum(blocked) as blocked,
        max(last_seen_at) as last_seen_at
      from moved cross join (values ('second', 19), ('minute', 16), ('hour', 13), ('day', 10)) units (unit, length)
      where unit <> 'second' or time >= (select seconds_since from folding)
      group by unit, substr(time, 1, length), control,
        grouping sets ((ruleset_version), (rule_id), (application), (rule_id, application))),
    counted as (
      select *, substring(sha256(convert_to(
        json_build_array(control, rule_id, application, ruleset_version)::text, 'UTF8')) from 1 for 16) as group_hash
      from grouped),
    into_fine as (
      insert into ${fineCounts} as existing (unit, time, ${COUNT_COLUMNS})
      select unit, time, ${COUNT_COLUMNS} from counted where unit in ('minute', 'second') and ${IS_FINE_KIND}
      on conflict (unit, kind, time, group_hash) do update set ${SUMS_OF_CONFLICT}),
    into_hours as (${into(hourly, 'hour')}),
    into_days as (${into(daily, 'day')})
    select count(*) as moved from moved`;
}

/**
 * No statement reads seconds before `seconds_since`. Rows that an append is changing are skipped: to wait for an append
 * that waits for a deleted row would be a deadlock.
 *
 * @param lead a condition on the column of the key between the unit and the time
 */
function oldSecondsDeletion(table: Sql, countState: Sql, lead: Sql = raw('')): Sql {
  return sql`delete from ${table} where ctid = any(array(
    select ctid from ${table}
    where unit = 'second' ${lead} and time < (select seconds_since from ${countState})
    limit ${LIMIT} for update skip locked))`;
}
