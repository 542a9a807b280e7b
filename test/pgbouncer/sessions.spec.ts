import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import { decision, settingsPlan } from '#stores/contract/index.js';
import { typeormStores, type TypeormStoresOptions } from '#stores/typeorm/index.js';
import { HaltingProxy } from '../faults/halting-proxy.mjs';
import { bareDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { pooled } from './pooled.js';

let database: FreshDatabase;
let opened: StoreBackend[] = [];

beforeEach(async () => {
  database = await bareDatabase();
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  opened = [];
  await database.drop();
});

async function open(options: Partial<TypeormStoresOptions> = {}): Promise<StoreBackend> {
  const given = { url: pooled(database.url), pooler: 'transaction', migrate: true, ...options };
  const stores = typeormStores(given as TypeormStoresOptions);
  opened.push(stores);
  await stores.open();
  return stores;
}

/** Runs a query on every session of PgBouncer: each one is held until the last one has answered. */
async function onEverySession<Row extends object>(question: string): Promise<Row[]> {
  const held: Client[] = [];
  const answers: Row[] = [];
  try {
    for (let session = 1; session <= 4; session++) {
      const client = new Client(pooled(database.url));
      await client.connect();
      held.push(client);
      await client.query('begin');
      answers.push(...(await client.query<Row>(question)).rows);
    }
    return answers;
  } finally {
    for (const client of held) await client.end();
  }
}

describe('stores with a pooler in transaction mode', () => {
  it('are refused without the pooler option, which the error names', async () => {
    const unaware = typeormStores({ url: pooled(database.url), migrate: true });
    await expect(unaware.open()).rejects.toBeInstanceOf(ConfigurationError);
    await expect(unaware.open()).rejects.toThrow(/pooler: 'transaction'/);
    await unaware.close();
  });

  it('append once a decision that was committed before its answer was lost', async () => {
    const proxy = await HaltingProxy.before(pooled(database.url));
    const { audit } = await open({ url: proxy.url, poolSize: 2 });
    const lost = decision({ requestId: 'lost' });
    await audit.append(decision());
    proxy.dropResponseTo(/commit/);
    await expect(audit.append(lost)).rejects.toMatchObject({ code: 'store_unavailable' });
    const id = await audit.append(lost);
    const { rows } = await onServer(
      (server) => server.query(`select id::int from guardrails_audit_evidence where request_id = 'lost'`),
      database.url,
    );
    expect(rows).toEqual([{ id }]);
    await proxy.close();
  });

  it('are migrated through it, by many instances at once', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open()));
    const ids = await Promise.all(all.map((stores) => stores.audit.append(decision())));
    expect(new Set(ids).size).toBe(4);
  });

  it('end a statement that takes too long, be it alone or within a transaction', async () => {
    const stores = await open({ statementTimeoutMs: 200 });
    await onServer(async (holder) => {
      await holder.query(
        'begin; lock table guardrails_audit_evidence; lock table guardrails_settings_revision',
      );
      const late = { code: 'query_timeout' };
      await expect(stores.audit.list({}, { limit: 1 })).rejects.toMatchObject(late);
      await expect(stores.audit.append(decision())).rejects.toMatchObject(late);
      await expect(stores.settings.apply(() => settingsPlan({ overrides: { a: 1 } }))).rejects.toMatchObject(
        late,
      );
      await expect(stores.settings.revision()).rejects.toMatchObject(late);
    }, database.url);
    expect(await stores.audit.append(decision())).toBeGreaterThan(0);
  });

  it('leave no settings in a session', async () => {
    const stores = await open({ statementTimeoutMs: 1_234 });
    await Promise.all(Array.from({ length: 50 }, () => stores.audit.append(decision())));
    await Promise.all(Array.from({ length: 50 }, () => stores.audit.list({}, { limit: 5 })));
    const sessions = await onEverySession(
      `select current_setting('statement_timeout') as timeout,
        (select count(*)::int from pg_prepared_statements) as prepared,
        (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
    );
    expect(sessions).toEqual(Array.from({ length: 4 }, () => ({ timeout: '0', prepared: 0, locks: 0 })));
  });
});
