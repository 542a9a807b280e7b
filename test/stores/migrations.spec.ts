import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
import { bareDatabase, onServer, type FreshDatabase } from '../postgres/database.js';

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
function hostDataSource(place: TablePlace = {}): DataSource {
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.url,
    entities: guardrailsEntities(place),
    migrations: [...guardrailsMigrations(place)],
    installExtensions: false,
  });
  opened.push(dataSource);
  return dataSource;
}

const tableNames = (schema = 'public'): Promise<string[]> =>
  onServer(async (server) => {
    const { rows } = await server.query<{ table_name: string }>(
      'select table_name from information_schema.tables where table_schema = $1 order by table_name',
      [schema],
    );
    return rows.map(({ table_name }) => table_name);
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

describe('migrations', () => {
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

  it('leave no table and no column out of what the entities declare', async () => {
    const host = await hostDataSource().initialize();
    await runGuardrailsMigrations(host);
    for (const { tableName, columns } of host.entityMetadatas) {
      await expect(
        host.query(`select ${columns.map(({ databaseName }) => databaseName).join(', ')} from ${tableName}`),
      ).resolves.toEqual(expect.any(Array));
    }
  });

  it('may be run by many instances at once', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => appendOne({ schema: 'guarded' }, true)));
    expect(new Set(ids).size).toBe(5);
  });

  it('keep two installations in one database apart, by prefix and by schema', async () => {
    const places: TablePlace[] = [{}, { tablePrefix: 'shop_' }, { schema: 'guarded', tablePrefix: 'shop_' }];
    for (const place of places) expect(await appendOne(place, true)).toBe(1);
    expect(await tableNames()).toEqual(
      expect.arrayContaining(['guardrails_migrations', 'shop_migrations', 'shop_audit_evidence']),
    );
    expect((await tableNames('guarded')).every((name) => name.startsWith('shop_'))).toBe(true);
  });

  it('take back all of nothing when they fail half-way', async () => {
    await onServer((server) => server.query('create table guardrails_outbox (taken int)'), database.url);
    await expect(appendOne({}, true)).rejects.toThrow(/already exists/);
    expect(await tableNames()).toEqual(['guardrails_outbox']);
  });
});

describe('opening without migrating', () => {
  it('refuses a database without our tables, and says what to call', async () => {
    const refused = appendOne({}, false);
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(
      /The database has no table of ours \(guardrails_…\).*migrate: true/s,
    );
  });

  it('refuses a schema that is not there', async () => {
    await appendOne({}, true);
    await expect(appendOne({ schema: 'elsewhere' }, false)).rejects.toThrow(
      /The schema elsewhere has no table/,
    );
  });

  it('names what a table of another version lacks', async () => {
    await appendOne({}, true);
    await onServer(
      (server) => server.query('alter table guardrails_audit_evidence drop column run_id'),
      database.url,
    );
    await expect(appendOne({}, false)).rejects.toThrow(/lacks guardrails_audit_evidence\.run_id/);
  });
});

describe("a host's own DataSource", () => {
  it('is initialised where it is not yet, learns our tables, and stays open', async () => {
    const host = new DataSource({ type: 'postgres', url: database.url, installExtensions: false });
    opened.push(host);
    const stores = typeormStores({ dataSource: host, migrate: true });
    expect(host.isInitialized).toBe(false);
    await stores.open();
    expect(await stores.audit.append(decision())).toBe(1);
    await stores.close();
    expect(host.isInitialized).toBe(true);
  });

  it('is used as it is where it knows our tables', async () => {
    const host = await hostDataSource().initialize();
    const stores = typeormStores({ dataSource: host, migrate: true });
    await stores.open();
    expect(await stores.settings.revision()).toBe(0);
  });

  it('is refused where it is initialised and does not know them', async () => {
    const host = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    opened.push(host);
    await expect(typeormStores({ dataSource: host, migrate: true }).open()).rejects.toThrow(
      /guardrailsEntities\(\)/,
    );
  });

  it('may synchronise its own tables without touching ours', async () => {
    const host = await hostDataSource().initialize();
    await runGuardrailsMigrations(host);
    const before = await tableNames();
    await host.synchronize();
    expect(await tableNames()).toEqual(before);
    expect(await appendOne({}, false)).toBe(1);
  });
});
