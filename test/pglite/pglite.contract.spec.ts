import { PGlite } from '@electric-sql/pglite';
import { describe, expect, it } from '@jest/globals';
import { logSeal } from '#engine/index.js';
import { decision, outgoingEvent, settingsPlan } from '#stores/contract/index.js';
import { ConnectionPool } from '#stores/typeorm/database/connection-pool.js';
import { openOwnDataSource } from '#stores/typeorm/database/data-sources.js';
import { Database } from '#stores/typeorm/database/database.js';
import { entitiesOf, entityList } from '#stores/typeorm/database/entities.js';
import { createPgliteDriver, typeormStores } from '#stores/typeorm/index.js';
import { verifyAudit } from '#stores/typeorm/maintenance/verify-audit.js';
import { tableNaming } from '#stores/typeorm/database/options.js';
import { tablesOf } from '#stores/typeorm/database/tables.js';
import { describeBackend } from '../stores/backend.suite.js';
import { EMPTY_TABLES } from '../stores/empty-tables.js';

let pglite: PGlite;

describeBackend({
  name: 'TypeORM on PGlite',
  async database() {
    pglite = await PGlite.create();
    return { drop: () => pglite.close() };
  },
  instances: () => [
    typeormStores({ driver: createPgliteDriver(pglite), migrate: true }),
    typeormStores({ driver: createPgliteDriver(pglite), migrate: true }),
  ],
  empty: () => pglite.exec(EMPTY_TABLES),
});

describe('the keyed digests of rows', () => {
  const BUDGET = { budget: 'b'.repeat(64), owner: 'customer-42', amount: '10.50' };
  const sealOf = logSeal('a secret of at least 32 characters');

  it('match what was written, and not what was changed in the database', async () => {
    const server = await PGlite.create();
    const driver = createPgliteDriver(server);
    const stores = typeormStores({ driver, migrate: true });
    stores.log.sealRows(sealOf);
    await stores.open();
    await stores.outbox.add([
      outgoingEvent({ payload: { text: 'a\u0000b\uD800', 2: 1, 1: 2 }, subject: 'c\uD800' }),
    ]);
    await stores.budgets.admit({ reference: 'call-1', claims: [BUDGET] }, [], () => decision());
    await stores.settings.apply(() =>
      settingsPlan({ overrides: { 'modes.hitl': 'off', 'retention.days': 40 } }),
    );
    await stores.retention.setMinimumDays(30);
    await stores.close();
    expect(await findings(server)).toEqual([]);
    await server.exec(`
      update guardrails_outbox set payload = '{}';
      update guardrails_budget_reservations set amount = 1;
      update guardrails_budget_hours set amount = 1;
      delete from guardrails_settings where key = 'retention.days';
      update guardrails_retention_lock set minimum_days = 0;`);
    expect(await findings(server)).toEqual(
      ['event', 'reservation', 'settings', 'minimum_days'].map((kind) =>
        expect.stringMatching(`^${kind} \\S+: does not match its keyed digest`),
      ),
    );
    await server.close();
  });

  async function findings(server: PGlite): Promise<readonly string[]> {
    const naming = tableNaming({});
    const entities = entitiesOf(naming);
    const pool = new ConnectionPool({
      responseTimeoutMs: 10_000,
      connect: () =>
        openOwnDataSource({
          driver: createPgliteDriver(server),
          url: undefined,
          poolSize: 1,
          statementTimeoutMs: null,
          responseTimeoutMs: null,
          entities: entityList(entities),
        }),
    });
    await pool.open();
    const database = new Database(pool, tablesOf(naming), entities);
    const checks = { brokenCommitments: () => [], brokenSeals: () => [], sealOf };
    const report = await database.transaction((transaction) =>
      verifyAudit(transaction, database, checks, () => undefined),
    );
    await pool.close();
    return report.findings.map(({ message }) => message);
  }
});
