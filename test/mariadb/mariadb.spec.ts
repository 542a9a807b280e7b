import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import type { StoreBackend } from '../../libs/contracts/src/store-backend.js';
import { decision, noonPlus, settingsPlan } from '../../libs/stores/contract/src/index.js';
import { typeormStores, type TypeormStoresOptions } from '../../libs/stores/typeorm/src/index.js';
import { HaltingProxy } from '../faults/halting-proxy.mjs';
import { bareDatabase, onServer, type FreshDatabase } from './database.js';

let database: FreshDatabase;
let opened: StoreBackend[] = [];

beforeAll(async () => {
  database = await bareDatabase();
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  opened = [];
});

afterAll(() => database.drop());

async function open(options: Partial<TypeormStoresOptions> = {}): Promise<StoreBackend> {
  const stores = typeormStores({ url: database.url, migrate: true, ...options } as TypeormStoresOptions);
  opened.push(stores);
  await stores.open();
  return stores;
}

const UNAVAILABLE = { code: 'store_unavailable' };
const PAGE = { limit: 10 };

describe('a commit on MariaDB whose answer is lost', () => {
  it.each([/commit/i, /insert into .*evidence/i])('is done once (%s)', async (question) => {
    const proxy = await HaltingProxy.before(database.url);
    const { audit } = await open({ url: proxy.url, poolSize: 2 });
    const requestId = `lost after ${question}`;
    const lost = decision({ requestId });
    await audit.append(decision());
    proxy.loseAnswerTo(question);
    await expect(audit.append(lost)).rejects.toMatchObject(UNAVAILABLE);
    const id = await audit.append(lost);
    const [rows] = await onServer(
      (server) =>
        server.query<RowDataPacket[]>('select id from guardrails_audit_evidence where request_id = ?', [
          requestId,
        ]),
      database.url,
    );
    expect(rows.map((row) => Number(row['id']))).toEqual([id]);
    await audit.append(decision());
    await proxy.close();
  });
});

describe('texts on MariaDB', () => {
  it('are told apart by case, accent and trailing space', async () => {
    const { audit } = await open();
    const names = ['ann', 'Ann', 'ann ', 'änn', 'ann\u0301'];
    for (const principalId of names)
      await audit.append(decision({ principalId, ruleId: `rule ${principalId}` }));
    for (const principalId of names) {
      const { entries } = await audit.list({ principalId }, PAGE);
      expect(entries.map((entry) => entry.principalId)).toEqual([principalId]);
      expect((await audit.list({ ruleId: `rule ${principalId}` }, PAGE)).entries).toHaveLength(1);
    }
  });

  it('come back as they were, however they look to a statement', async () => {
    const { audit } = await open();
    for (const prompt of ['it\'s \\\' ? $1 :name `x` "y" %_', '\\', 'a\nb\r\tc\u001a', '😀'.repeat(2_000)]) {
      const id = await audit.append(decision({ prompt }));
      expect((await audit.find(id))?.prompt).toBe(prompt);
      expect(
        (await audit.list({ q: prompt.slice(0, 400) }, PAGE)).entries.map((entry) => entry.id),
      ).toContain(id);
    }
  });

  it('are refused, and never cut, where they are longer than a key', async () => {
    const { audit } = await open();
    await expect(audit.append(decision({ rulesetVersion: 'v'.repeat(701) }))).rejects.toThrow();
  });
});

describe('times on MariaDB', () => {
  it('are UTC to the millisecond, whatever zone the server is in', async () => {
    const { audit } = await open();
    const id = await audit.append(decision({ occurredAt: noonPlus(1) }));
    expect((await audit.find(id))?.occurredAt).toEqual(noonPlus(1));
    const [row] = await onServer(async (server) => {
      const [rows] = await server.query<RowDataPacket[]>(
        'select cast(occurred_at as char) as text from guardrails_audit_evidence where id = ?',
        [id],
      );
      return rows;
    }, database.url);
    expect(row?.['text']).toBe(noonPlus(1).toISOString().replace('T', ' ').replace('Z', ''));
  });
});

describe('batches on MariaDB', () => {
  it('of two instances at once lose nothing, and count what they wrote', async () => {
    const [one, other] = [await open(), await open()] as const;
    const day = new Date('2025-01-15T12:00:00.000Z');
    const ids = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        (index % 2 === 0 ? one : other).audit.append(
          decision({ occurredAt: day, principalId: `customer-${index % 7}`, ruleId: `rule-${index % 5}` }),
        ),
      ),
    );
    expect(new Set(ids).size).toBe(600);
    const window = { from: new Date(day.getTime() - 1), to: new Date(day.getTime() + 1) };
    expect((await one.audit.trend({}, window))[0]).toMatchObject({ total: 600 });
    const whole = { from: new Date('2025-01-15T00:00:00.000Z'), to: new Date('2025-01-15T23:59:59.999Z') };
    expect((await one.audit.trend({}, whole))[0]).toMatchObject({ total: 600 });
  });
});

describe('append-only tables on MariaDB', () => {
  it.each([
    ['UPDATE', 'update guardrails_audit_evidence set outcome = "blocked"'],
    ['DELETE', 'delete from guardrails_audit_evidence'],
    ['DELETE', 'set @guardrails_retention = "nobody"; delete from guardrails_audit_evidence'],
    ['UPDATE', 'update guardrails_setting_changes set actor_id = "nobody"'],
  ])('refuse %s: %s', async (verb, statement) => {
    const stores = await open();
    await stores.audit.append(decision());
    await stores.settings.apply(() => settingsPlan({ overrides: { a: Math.random() } }));
    await expect(onServer((server) => server.query(statement), database.url)).rejects.toThrow(
      new RegExp(`append-only: ${verb} is refused`),
    );
  });
});

describe('what MariaDB has not', () => {
  it.each([true, false])(
    'is refused in words, migrating or not: an index over parts of texts',
    async (migrate) => {
      await open();
      await expect(open({ search: 'trigram', migrate })).rejects.toThrow(/leave search at 'windows'/);
    },
  );
});

describe('a MariaDB that fails', () => {
  it('is unavailable where nothing listens', async () => {
    const stores = typeormStores({ url: 'mariadb://nobody:none@127.0.0.1:1/none' });
    await expect(stores.open()).rejects.toMatchObject(UNAVAILABLE);
    await stores.close();
  });

  it('is unavailable where it refuses the log-in, or has no such database', async () => {
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    await expect(typeormStores({ url: url.href }).open()).rejects.toMatchObject(UNAVAILABLE);
    url.password = 'wrong';
    await expect(typeormStores({ url: url.href }).open()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is back with the next statement after its connections were ended', async () => {
    const stores = await open({ poolSize: 1 });
    await onServer(async (server) => {
      const [sessions] = await server.query<RowDataPacket[]>(
        'select id from information_schema.processlist where db = database() and id <> connection_id()',
      );
      for (const { id } of sessions) await server.query(`kill ${id}`).catch(() => undefined);
    }, database.url);
    await stores.audit.append(decision()).catch((error: unknown) => expect(error).toMatchObject(UNAVAILABLE));
    expect(await stores.audit.append(decision())).toBeGreaterThan(0);
  });

  it('is unavailable once the stores are closed', async () => {
    const stores = await open();
    await stores.close();
    await expect(stores.audit.append(decision())).rejects.toMatchObject(UNAVAILABLE);
    await expect(stores.settings.read()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('ends a statement that takes too long, and says nothing of its text', async () => {
    const stores = await open({ statementTimeoutMs: 300 });
    await onServer(async (holder) => {
      await holder.query('begin; select revision from guardrails_settings_state for update');
      const late = stores.settings.apply(() => settingsPlan({ overrides: { a: 2 } }));
      await expect(late).rejects.toMatchObject({ code: 'query_timeout' });
      await expect(late).rejects.not.toThrow(/select|guardrails_/i);
      await holder.query('rollback');
    }, database.url);
    expect(await stores.settings.revision()).toBeGreaterThanOrEqual(0);
  });

  it('runs a transaction again that lost against another one', async () => {
    const stores = await open();
    await stores.settings.apply(() => settingsPlan({ overrides: { raced: 0 } }));
    let attempts = 0;
    await onServer(async (rival) => {
      // Of two transactions that wait for each other the server ends the one that has changed less.
      await rival.query('create table if not exists weights (weight int primary key)');
      await rival.query('begin; insert into weights select seq from seq_1_to_500');
      await rival.query("update guardrails_settings set value = value where `key` = 'raced'");
      let applied: Promise<unknown> = Promise.resolve();
      // Once it plans it holds the settings, and is about to wait for the rival's row.
      await new Promise<void>((planning) => {
        applied = stores.settings.apply(() => {
          attempts++;
          planning();
          return settingsPlan({ overrides: { raced: attempts } });
        });
      });
      await rival.query('select revision from guardrails_settings_state for update');
      await rival.query('rollback');
      await applied;
    }, database.url);
    expect(attempts).toBe(2);
    expect((await stores.settings.read()).values.get('raced')).toBe(2);
  });
});
