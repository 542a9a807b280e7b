import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { typeormStores } from '#stores/typeorm/index.js';
import { bareDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { cli, type CliResult } from './built-cli.js';

let database: FreshDatabase;

beforeEach(async () => {
  database = await bareDatabase();
});

afterEach(async () => {
  await database.drop();
});

const migrate = (...words: string[]): Promise<CliResult> =>
  cli(['migrate', ...words], { DATABASE_URL: database.url });

const tables = (): Promise<number> =>
  onServer(async (server) => {
    const { rows } = await server.query<{ count: string }>(
      "select count(*) from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')",
    );
    return Number(rows[0]?.count);
  }, database.url);

describe('nest-guardrails migrate', () => {
  it('creates the tables, prints the migrations, and does nothing the second time', async () => {
    const first = await migrate();
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toMatch(/^1 of \d+: guardrails_\w+$/m);
    expect(first.stdout).toMatch(/is up to date: \d+ migrations? run\.\n$/);

    const stores = typeormStores({ url: database.url });
    await stores.open();
    await stores.close();

    const second = await migrate();
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/is up to date\.\n$/);
  });

  it('lists missing migrations with --dry-run and changes nothing', async () => {
    const { code, stdout } = await migrate('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/lacks \d+ migrations?:\n {2}guardrails_\w+\n/);
    expect(await tables()).toBe(0);
  });

  it('creates the tables with a prefix in a schema', async () => {
    expect(await migrate('--table-prefix', 'shop_', '--schema', 'guarded')).toMatchObject({ code: 0 });
    const stores = typeormStores({ url: database.url, tablePrefix: 'shop_', schema: 'guarded' });
    await stores.open();
    expect(await stores.settings.revision()).toBe(0);
    await stores.close();
    expect((await migrate('--dry-run')).stdout).toContain('lacks');
  });

  it('can run twice at the same time', async () => {
    const both = await Promise.all([migrate(), migrate()]);
    expect(both.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0]);
  });

  it('changes nothing if a migration fails, and prints the reason', async () => {
    await onServer((server) => server.query('create table guardrails_outbox (taken int)'), database.url);
    const { code, stderr } = await migrate();
    expect(code).toBe(3);
    expect(stderr).toContain('already exists');
    expect(stderr).not.toMatch(/\n\s+at |create table/);
    expect(await tables()).toBe(1);
  });
});
