import { foldCounts } from '#stores/typeorm/audit/count-folding.js';
import { ConnectionPool } from '#stores/typeorm/database/connection-pool.js';
import { openOwnDataSource } from '#stores/typeorm/database/data-sources.js';
import { Database } from '#stores/typeorm/database/database.js';
import { entitiesOf } from '#stores/typeorm/database/entities.js';
import { tablesOf } from '#stores/typeorm/database/tables.js';

const NAMING = { tablePrefix: 'guardrails_', schema: undefined };

/** Gives `work` a function that moves all counts of past seconds, as an instance does every ten seconds. */
export async function withFolding(
  url: string,
  work: (fold: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const pool = new ConnectionPool({
    connect: () =>
      openOwnDataSource({
        url,
        poolSize: 2,
        statementTimeoutMs: 30_000,
        responseTimeoutMs: 30_000,
        entities: [],
      }),
    responseTimeoutMs: 30_000,
  });
  await pool.open();
  try {
    const database = new Database(pool, tablesOf(NAMING), entitiesOf(NAMING));
    await work(() => foldCounts(database, 0));
  } finally {
    await pool.close();
  }
}
