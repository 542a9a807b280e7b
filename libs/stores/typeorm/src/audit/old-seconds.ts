import type { Database } from '../database.js';
import { raw, sql, type Sql } from '../sql.js';

/** The seconds at both ends of the trailing 24 hours are kept, with room for clocks that differ. */
const KEPT_HOURS = 26;

const INTERVAL_MS = 60_000;

/** Rows that one statement deletes from a table. Appends wait for it. */
const LIMIT = 5_000;

/**
 * Deletes counts of old seconds, about once a minute. Seconds before `seconds_since` are not read any more, so their
 * counts need not be complete, and are deleted little by little.
 */
export class OldSeconds {
  private lastRun = performance.now();

  constructor(private readonly database: Database) {}

  /** Ignores errors, because nothing depends on the deletion except space. */
  async deleteIfDue(): Promise<void> {
    if (performance.now() - this.lastRun < INTERVAL_MS) return;
    this.lastRun = performance.now();
    await deleteOldSeconds(this.database).catch(() => undefined);
  }
}

export async function deleteOldSeconds(database: Database): Promise<void> {
  const { fineCounts, ruleHits, outputSums, idRanges, countState } = database.tables;
  const since = raw(
    `to_char(now() at time zone 'UTC' - interval '${KEPT_HOURS} hours', 'YYYY-MM-DD"T"HH24:MI')`,
  );
  await database.execute(
    sql`update ${countState} set seconds_since = ${since} where seconds_since < ${since}`,
  );
  for (const table of [fineCounts, ruleHits, outputSums, idRanges])
    await database.execute(deletion(table, countState));
}

function deletion(table: Sql, countState: Sql): Sql {
  return sql`delete from ${table} where ctid = any(array(
    select ctid from ${table}
    where unit = 'second' and time < (select seconds_since from ${countState}) limit ${LIMIT}))`;
}
