import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { approvalEvidence, decision, newApproval, settingsPlan } from '#stores/contract/index.js';
import { guardrailsEntities, typeormStores, type TypeormStoresOptions } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';

let database: FreshDatabase;
let opened: StoreBackend[] = [];

beforeEach(async () => {
  database = await freshDatabase();
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  opened = [];
  await database.drop();
});

async function open(options: Partial<TypeormStoresOptions> = {}): Promise<StoreBackend> {
  const stores = typeormStores({ url: database.url, ...options } as TypeormStoresOptions);
  opened.push(stores);
  await stores.open();
  return stores;
}

const UNAVAILABLE = { code: 'store_unavailable' };

describe('PostgreSQL failures', () => {
  it('fail with store_unavailable if nothing listens', async () => {
    const stores = typeormStores({ url: 'postgres://ops:none@127.0.0.1:1/none' });
    await expect(stores.open()).rejects.toMatchObject(UNAVAILABLE);
    await stores.close();
  });

  it('fail with store_unavailable if the host name is unknown', async () => {
    const stores = typeormStores({ url: 'postgres://ops:none@name.invalid:5432/none' });
    await expect(stores.open()).rejects.toMatchObject(UNAVAILABLE);
    await stores.close();
  });

  it('fail with store_unavailable when connections are terminated, and recover with new ones', async () => {
    const stores = await open({ poolSize: 1 });
    await stores.settings.apply(() => settingsPlan({ overrides: { a: 1 } }));
    await onServer(async (holder) => {
      await holder.query('begin');
      await holder.query('select revision from guardrails_settings_revision for update');
      const waiting = stores.settings.apply(() => settingsPlan({ overrides: { a: 2 } }));
      const outcome = expect(waiting).rejects.toMatchObject(UNAVAILABLE);
      await endWaitingConnections();
      await outcome;
    }, database.url);
    expect(await stores.settings.revision()).toBe(1);
  });

  it('reach a listener at every moment after a connection was taken from the pool', async () => {
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.url,
      entities: [...guardrailsEntities()],
    });
    const stores = await open({ url: undefined, dataSource });
    const { master } = dataSource.driver as unknown as { readonly master: Pool };
    const listeners: number[] = [];
    // The pool removes its listener after this event, and TypeORM adds its own some promises later.
    master.on('acquire', (client) => process.nextTick(() => listeners.push(client.listenerCount('error'))));
    await Promise.all([1, 2, 3].map(() => stores.settings.revision()));
    await stores.settings.revision();
    expect(listeners.length).toBeGreaterThan(3);
    expect(Math.min(...listeners)).toBeGreaterThan(0);
    expect(Math.max(...listeners)).toBeLessThan(3);
    await dataSource.destroy();
  });

  it('fail with store_unavailable after the stores are closed', async () => {
    const stores = await open();
    await stores.close();
    await expect(stores.audit.append(decision())).rejects.toMatchObject(UNAVAILABLE);
    await expect(stores.settings.read()).rejects.toMatchObject(UNAVAILABLE);
    await expect(stores.approvals.find(1)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('include a statement that exceeds the time-out of the settings, unless an option gives one', async () => {
    for (const [options, expected] of [
      [{}, '1234ms'],
      [{ statementTimeoutMs: 777 }, '777ms'],
    ] as const) {
      const stores = typeormStores({ url: database.url, ...options });
      opened.push(stores);
      await stores.open({ statementTimeoutMs: 1_234 });
      await onServer(async (holder) => {
        await holder.query('begin; lock table guardrails_audit_evidence');
        const waiting = stores.audit.list({}, { limit: 1 });
        const outcome = expect(waiting).rejects.toMatchObject({ code: 'query_timeout' });
        const started = performance.now();
        await outcome;
        expect(performance.now() - started).toBeGreaterThan(Number.parseInt(expected, 10) - 100);
      }, database.url);
    }
  });

  it('end a statement that exceeds the time-out, without its text', async () => {
    const stores = await open({ statementTimeoutMs: 500 });
    await onServer(async (holder) => {
      await holder.query('begin');
      await holder.query('lock table guardrails_audit_evidence');
      const list = stores.audit.list({}, { limit: 1 });
      await expect(list).rejects.toMatchObject({ code: 'query_timeout' });
      await expect(list).rejects.not.toThrow(/select|guardrails_/i);
    }, database.url);
  });

  it('allow a trend that counts rows five times the time-out', async () => {
    const stores = await open({ statementTimeoutMs: 300 });
    const window = { from: new Date('2026-03-01'), to: new Date('2026-04-01') };
    await onServer(async (holder) => {
      await holder.query('begin');
      await holder.query('lock table guardrails_audit_evidence');
      const folded = stores.audit.trend({}, { ...window, to: new Date('2026-03-31T23:59:59.999Z') });
      await expect(folded).resolves.toEqual([]);
      const started = performance.now();
      await expect(stores.audit.trend({ q: 'a' }, window)).rejects.toMatchObject({ code: 'query_timeout' });
      expect(performance.now() - started).toBeGreaterThan(1_400);
    }, database.url);
  });

  it('prevent parking and deciding if the evidence cannot be written', async () => {
    const { approvals } = await open();
    const before = newApproval();
    await approvals.park(before, approvalEvidence, 20);
    await onServer(
      (server) =>
        server.query(`alter table guardrails_audit_evidence add check (control <> 'hitl') not valid`),
      database.url,
    );

    const after = newApproval();
    await expect(approvals.park(after, approvalEvidence, 20)).rejects.toThrow();
    expect(await approvals.findByTokenHash(after.tokenHash)).toBeNull();

    const command = {
      verdict: 'approved',
      actorId: 'ops-1',
      reason: null,
      decisionMac: '',
      evidence: approvalEvidence,
    } as const;
    await expect(approvals.decide(before.tokenHash, command)).rejects.toThrow();
    expect(await approvals.findByTokenHash(before.tokenHash)).toMatchObject({
      status: 'pending',
      decidedBy: null,
    });
  });
});

/** Terminates every connection that waits for a lock in the test database. */
async function endWaitingConnections(): Promise<void> {
  await onServer(async (server) => {
    for (let ended = 0; ended === 0;) {
      const { rowCount } = await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      ended = rowCount ?? 0;
    }
  }, database.url);
}
