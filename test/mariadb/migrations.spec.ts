import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { ConfigurationError } from '../../libs/contracts/src/errors.js';
import { decision } from '../../libs/stores/contract/src/index.js';
import {
  guardrailsEntities,
  guardrailsMigrations,
  runGuardrailsMigrations,
  typeormStores,
  type TablePlace,
} from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase, onServer, type FreshDatabase } from './database.js';

let database: FreshDatabase;
let opened: DataSource[] = [];

beforeEach(async () => {
  database = await bareDatabase();
});

afterEach(async () => {
  for (const dataSource of opened) if (dataSource.isInitialized) await dataSource.destroy();
  opened = [];
  await database.drop();
});

/** A host's own DataSource, with our migrations among its own. */
function hostDataSource(parts: object = {}, place: TablePlace = {}): DataSource {
  const dataSource = new DataSource({
    type: 'mariadb',
    url: database.url,
    timezone: 'Z',
    entities: guardrailsEntities({ database: 'mariadb', ...place }),
    migrations: [...guardrailsMigrations({ database: 'mariadb', ...place })],
    ...parts,
  });
  opened.push(dataSource);
  return dataSource;
}

const tableNames = (): Promise<string[]> =>
  onServer(async (server) => {
    const [rows] = await server.query<RowDataPacket[]>(
      'select table_name as name from information_schema.tables where table_schema = database() order by 1',
    );
    return rows.map((row) => String(row['name']));
  }, database.url);

/** Opens, uses and closes the stores. */
async function appendOne(place: TablePlace, migrate: boolean): Promise<number> {
  const stores = typeormStores({ url: database.url, migrate, ...place });
  await stores.open();
  try {
    return await stores.audit.append(decision());
  } finally {
    await stores.close();
  }
}

describe('migrations on MariaDB', () => {
  it('run on request, and again without harm', async () => {
    expect(await appendOne({}, true)).toBe(1);
    expect(await appendOne({}, true)).toBe(2);
    expect(await appendOne({}, false)).toBe(3);
  });

  it("run up, down and up again among a host's own", async () => {
    const host = await hostDataSource().initialize();
    await host.runMigrations();
    const tables = await tableNames();
    expect(tables).toContain('guardrails_audit_evidence');
    expect(await appendOne({}, false)).toBe(1);

    await host.undoLastMigration();
    expect(await tableNames()).toEqual(['migrations']);

    await host.runMigrations();
    expect(await tableNames()).toEqual(tables);
    expect(await appendOne({}, false)).toBe(1);
  });

  it('may be run by many instances at once', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => appendOne({}, true)));
    expect(new Set(ids).size).toBe(5);
  });

  it('keep two installations in one database apart', async () => {
    for (const place of [{}, { tablePrefix: 'shop_' }]) expect(await appendOne(place, true)).toBe(1);
    expect(await tableNames()).toEqual(
      expect.arrayContaining(['guardrails_migrations', 'shop_migrations', 'shop_audit_evidence']),
    );
  });

  it('that failed half-way are finished by the next, and no stores open in between', async () => {
    await onServer((server) => server.query('create table guardrails_outbox (taken int)'), database.url);
    await expect(appendOne({}, true)).rejects.toThrow();
    await expect(appendOne({}, false)).rejects.toThrow(/lacks guardrails_/);
    await onServer((server) => server.query('drop table guardrails_outbox'), database.url);
    expect(await appendOne({}, true)).toBe(1);
  });

  it('know no schema, and say what to write instead', async () => {
    await expect(appendOne({ schema: 'guarded' }, true)).rejects.toThrow(/Name the database in the url/);
  });

  it('leave no table and no column out of what the entities declare', async () => {
    const host = await hostDataSource().initialize();
    await runGuardrailsMigrations(host);
    const stores = typeormStores({ dataSource: host });
    await stores.open();
    expect(await stores.audit.append(decision())).toBe(1);
  });

  it('refuse a database without our tables, and say what to call', async () => {
    const refused = appendOne({}, false);
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(/has no table of ours \(guardrails_…\).*migrate: true/s);
  });
});

describe("a host's own DataSource on MariaDB", () => {
  it('is initialised where it is not yet, learns our tables, and stays open', async () => {
    const host = hostDataSource({ entities: [], migrations: [] });
    const stores = typeormStores({ dataSource: host, migrate: true });
    await stores.open();
    const id = await stores.audit.append(decision());
    expect(await stores.audit.find(id)).toMatchObject({ occurredAt: decision().evidence.occurredAt });
    await stores.close();
    expect(host.isInitialized).toBe(true);
  });

  it.each<[string, object, RegExp]>([
    ['that reads times in its own zone', { timezone: 'local' }, /timezone: 'Z'/],
    ['that reads times as text', { dateStrings: true }, /dateStrings/],
    ['that does not know every letter', { charset: 'latin1_swedish_ci' }, /utf8mb4/],
  ])('is refused %s', async (_what, parts, reason) => {
    const stores = typeormStores({ dataSource: hostDataSource(parts), migrate: true });
    await expect(stores.open()).rejects.toBeInstanceOf(ConfigurationError);
    const again = typeormStores({ dataSource: hostDataSource(parts), migrate: true });
    await expect(again.open()).rejects.toThrow(reason);
  });
});
