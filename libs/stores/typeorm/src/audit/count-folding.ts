import type { Database } from '../database.js';
import { raw, sql, type Sql } from '../sql.js';
import type { Tables } from '../tables.js';

const INTERVAL_MS = 10_000;

/** Newer counts may still be changed by appends, which would wait. */
const MIN_AGE_MS = 2_000;

/** The seconds at both ends of the trailing 24 hours are kept, with room for clocks that differ. */
const KEPT_MS = 26 * 3_600_000;

/** Counts that one statement moves or deletes. */
const LIMIT = 5_000;

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
  for (const table of [fineCounts, ruleHits, outputSums, idRanges])
    await database.execute(oldSecondsDeletion(table, countState));
}

/** Counts that an append is changing are skipped, so neither waits for the other. */
function foldStatement(tables: Tables, before: Sql): Sql {
  const { newCounts, fineCounts, hourly, daily, dailyTotals, rulesets, countState } = tables;
  const group = raw('group_hash, control, outcome, rule_id, application');
  return sql`with folding as (select seconds_since from ${countState} for update skip locked),
    moved as (
      delete from ${newCounts} where ctid = any(array(
        select ctid from ${newCounts} where time < ${before} and exists (select from folding)
        order by time limit ${LIMIT} for update skip locked))
      returning *),
    fine as (
      select 'second' as unit, * from moved where time >= (select seconds_since from folding)
      union all select 'minute', substr(time, 1, 16), ${group}, ruleset_version, sum(decisions), max(last_seen_at)
      from moved group by 2, ${group}, ruleset_version),
    into_fine as (
      insert into ${fineCounts} as existing
        (unit, time, ${group}, ruleset_version, decisions, last_seen_at)
      select unit, time, ${group}, ruleset_version, decisions, last_seen_at from fine
      on conflict (unit, time, group_hash, ruleset_version) do update set
        decisions = existing.decisions + excluded.decisions,
        last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
    into_hours as (
      insert into ${hourly} as existing (hour, ${group}, decisions)
      select substr(time, 1, 13), ${group}, sum(decisions) from moved group by 1, ${group}
      on conflict (hour, group_hash) do update set decisions = existing.decisions + excluded.decisions),
    into_days as (
      insert into ${daily} as existing (day, ${group}, decisions)
      select substr(time, 1, 10), ${group}, sum(decisions) from moved group by 1, ${group}
      on conflict (day, group_hash) do update set decisions = existing.decisions + excluded.decisions),
    into_totals as (
      insert into ${dailyTotals} as existing (day, control, outcome, decisions)
      select substr(time, 1, 10), control, outcome, sum(decisions) from moved group by 1, control, outcome
      on conflict (day, control, outcome) do update set decisions = existing.decisions + excluded.decisions),
    into_rulesets as (
      insert into ${rulesets} as existing (hour, ruleset_version, attempts, last_seen_at)
      select substr(time, 1, 13), ruleset_version, sum(decisions), max(last_seen_at)
      from moved where control = 'input_screen' group by 1, ruleset_version
      on conflict (hour, ruleset_version) do update set
        attempts = existing.attempts + excluded.attempts,
        last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at))
    select count(*) as moved from moved`;
}

/** No statement reads seconds before `seconds_since`. */
function oldSecondsDeletion(table: Sql, countState: Sql): Sql {
  return sql`delete from ${table} where ctid = any(array(
    select ctid from ${table}
    where unit = 'second' and time < (select seconds_since from ${countState}) limit ${LIMIT}))`;
}
