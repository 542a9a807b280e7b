import { describe, expect, it } from '@jest/globals';
import { runGuardrailsMigrations, typeormStores } from '#stores/typeorm/index.js';
import { bareDatabase, rowsOf } from '../postgres/database.js';
import { blocksOf, pageOf, tableOf } from '../support/markdown.js';
import { describeMigrations } from './migrations.suite.js';

const installation = describeMigrations({
  type: 'postgres',
  hostOptions: { installExtensions: false },
  bareDatabase,
  tableNames,
  places: [{}, { tablePrefix: 'shop_' }, { schema: 'guarded', tablePrefix: 'shop_' }],
});

async function tableNames(url: string, schema = 'public'): Promise<string[]> {
  const rows = await rowsOf<{ table_name: string }>(
    url,
    'select table_name from information_schema.tables where table_schema = $1 order by table_name',
    [schema],
  );
  return rows.map(({ table_name }) => table_name);
}

describe('migrations into a schema', () => {
  it('create tables in that schema only', async () => {
    await installation.appendOne({ schema: 'guarded', tablePrefix: 'shop_' }, true);
    expect(await tableNames(installation.url, 'guarded')).toContain('shop_audit_evidence');
    expect(await installation.tableNames()).toEqual([]);
  });

  it('change nothing if one of them fails', async () => {
    await rowsOf(installation.url, 'create table guardrails_outbox (taken int)');
    await expect(installation.appendOne({}, true)).rejects.toThrow(/already exists/);
    expect(await installation.tableNames()).toEqual(['guardrails_outbox']);
  });
});

describe('the page about uninstalling', () => {
  const page = pageOf('docs/operate/uninstall.md');

  it('names every table that is left', async () => {
    await installation.appendOne({}, true);
    const named = tableOf(page).flatMap(([names = '']) =>
      names.split(', ').map((name) => `guardrails_${name}`),
    );
    expect(named.toSorted()).toEqual(await installation.tableNames());
  });

  it('deletes every table and function, and nothing else', async () => {
    await installation.appendOne({}, true);
    const own =
      'create table shop_orders (id int); create function shop_total() returns int language sql return 1;';
    const [drop] = blocksOf(page).filter(({ language }) => language === 'sql');
    await rowsOf(installation.url, own);
    await rowsOf(installation.url, drop?.text ?? '');
    const functions = await rowsOf(
      installation.url,
      "select proname from pg_proc where pronamespace = 'public'::regnamespace",
    );
    expect([await installation.tableNames(), functions]).toEqual([
      ['shop_orders'],
      [{ proname: 'shop_total' }],
    ]);
    await installation.appendOne({}, true);
  });
});

describe('opening without migrating', () => {
  it('refuses a missing schema', async () => {
    await installation.appendOne({}, true);
    await expect(installation.appendOne({ schema: 'missing' }, false)).rejects.toThrow(
      /The schema missing has no table/,
    );
  });

  it('names the columns that a table lacks', async () => {
    await installation.appendOne({}, true);
    await rowsOf(installation.url, 'alter table guardrails_audit_evidence drop column run_id');
    await expect(installation.appendOne({}, false)).rejects.toThrow(
      /lacks guardrails_audit_evidence\.run_id/,
    );
  });
});

describe('tables of the layout before 0.1', () => {
  it.each([true, false])('are refused with a sentence, with migrate: %s', async (migrate) => {
    await installation.appendOne({}, true);
    await rowsOf(installation.url, 'alter table guardrails_audit_evidence rename column row_hash to seal');
    await expect(installation.appendOne({}, migrate)).rejects.toThrow(
      /have the layout of an unpublished version, which cannot be migrated\. Drop them, or/,
    );
  });
});

describe("a host's own DataSource", () => {
  it('is used unchanged if it has our entities', async () => {
    const host = await installation.host().initialize();
    const stores = typeormStores({ dataSource: host, migrate: true });
    await stores.open();
    expect(await stores.settings.revision()).toBe(0);
  });

  it('is refused if it is initialized without our entities', async () => {
    const host = await installation.foreignHost().initialize();
    await expect(typeormStores({ dataSource: host, migrate: true }).open()).rejects.toThrow(
      /guardrailsEntities\(\)/,
    );
  });

  it('can synchronize its own tables without changing ours', async () => {
    const host = await installation.host().initialize();
    await runGuardrailsMigrations(host);
    const before = await installation.tableNames();
    await host.synchronize();
    expect(await installation.tableNames()).toEqual(before);
    expect(await installation.appendOne({}, false)).toBe(1);
  });
});
