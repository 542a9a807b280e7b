import { describe, expect, it } from '@jest/globals';
import { runGuardrailsMigrations, typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase, onServer } from '../postgres/database.js';
import { describeMigrations } from './migrations.suite.js';

const installation = describeMigrations({
  type: 'postgres',
  hostOptions: { installExtensions: false },
  bareDatabase,
  tableNames,
  places: [{}, { tablePrefix: 'shop_' }, { schema: 'guarded', tablePrefix: 'shop_' }],
});

function tableNames(url: string, schema = 'public'): Promise<string[]> {
  return onServer(async (server) => {
    const { rows } = await server.query<{ table_name: string }>(
      'select table_name from information_schema.tables where table_schema = $1 order by table_name',
      [schema],
    );
    return rows.map(({ table_name }) => table_name);
  }, url);
}

describe('migrations into a schema', () => {
  it('touch no other', async () => {
    await installation.appendOne({ schema: 'guarded', tablePrefix: 'shop_' }, true);
    expect(await tableNames(installation.url, 'guarded')).toContain('shop_audit_evidence');
    expect(await installation.tableNames()).toEqual([]);
  });

  it('take back all of nothing when they fail half-way', async () => {
    await onServer((server) => server.query('create table guardrails_outbox (taken int)'), installation.url);
    await expect(installation.appendOne({}, true)).rejects.toThrow(/already exists/);
    expect(await installation.tableNames()).toEqual(['guardrails_outbox']);
  });
});

describe('opening without migrating', () => {
  it('refuses a schema that is not there', async () => {
    await installation.appendOne({}, true);
    await expect(installation.appendOne({ schema: 'elsewhere' }, false)).rejects.toThrow(
      /The schema elsewhere has no table/,
    );
  });

  it('names what a table of another version lacks', async () => {
    await installation.appendOne({}, true);
    await onServer(
      (server) => server.query('alter table guardrails_audit_evidence drop column run_id'),
      installation.url,
    );
    await expect(installation.appendOne({}, false)).rejects.toThrow(
      /lacks guardrails_audit_evidence\.run_id/,
    );
  });
});

describe("a host's own DataSource", () => {
  it('is used as it is where it knows our tables', async () => {
    const host = await installation.host().initialize();
    const stores = typeormStores({ dataSource: host, migrate: true });
    await stores.open();
    expect(await stores.settings.revision()).toBe(0);
  });

  it('is refused where it is initialised and does not know them', async () => {
    const host = await installation.foreignHost().initialize();
    await expect(typeormStores({ dataSource: host, migrate: true }).open()).rejects.toThrow(
      /guardrailsEntities\(\)/,
    );
  });

  it('may synchronise its own tables without touching ours', async () => {
    const host = await installation.host().initialize();
    await runGuardrailsMigrations(host);
    const before = await installation.tableNames();
    await host.synchronize();
    expect(await installation.tableNames()).toEqual(before);
    expect(await installation.appendOne({}, false)).toBe(1);
  });
});
