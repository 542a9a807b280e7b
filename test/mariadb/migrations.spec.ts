import { describe, expect, it } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import { ConfigurationError } from '../../libs/contracts/src/errors.js';
import { decision } from '../../libs/stores/contract/src/index.js';
import { runGuardrailsMigrations, typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { describeMigrations } from '../stores/migrations.suite.js';
import { bareDatabase, onServer } from './database.js';

const installation = describeMigrations({
  type: 'mariadb',
  hostOptions: { timezone: 'Z' },
  bareDatabase,
  tableNames,
  places: [{}, { tablePrefix: 'shop_' }],
});

function tableNames(url: string): Promise<string[]> {
  return onServer(async (server) => {
    const [rows] = await server.query<RowDataPacket[]>(
      'select table_name as name from information_schema.tables where table_schema = database() order by 1',
    );
    return rows.map((row) => String(row['name']));
  }, url);
}

describe('migrations on a server that commits every statement', () => {
  it('that failed half-way are finished by the next, and no stores open in between', async () => {
    await onServer((server) => server.query('create table guardrails_outbox (taken int)'), installation.url);
    await expect(installation.appendOne({}, true)).rejects.toThrow();
    await expect(installation.appendOne({}, false)).rejects.toThrow(/lacks guardrails_/);
    await onServer((server) => server.query('drop table guardrails_outbox'), installation.url);
    expect(await installation.appendOne({}, true)).toBe(1);
  });

  it('know no schema, and say what to write instead', async () => {
    await expect(installation.appendOne({ schema: 'guarded' }, true)).rejects.toThrow(
      /Name the database in the url/,
    );
  });
});

describe("a host's own DataSource", () => {
  it('is used as it is where it knows our tables', async () => {
    const host = await installation.host().initialize();
    await runGuardrailsMigrations(host);
    const stores = typeormStores({ dataSource: host });
    await stores.open();
    expect(await stores.audit.append(decision())).toBe(1);
  });

  it.each<[string, object, RegExp]>([
    ['that reads times in its own zone', { timezone: 'local' }, /timezone: 'Z'/],
    ['that reads times as text', { dateStrings: true }, /dateStrings/],
    ['that does not know every letter', { charset: 'latin1_swedish_ci' }, /utf8mb4/],
  ])('is refused %s', async (_what, parts, reason) => {
    const stores = typeormStores({ dataSource: installation.host(parts), migrate: true });
    await expect(stores.open()).rejects.toBeInstanceOf(ConfigurationError);
    const again = typeormStores({ dataSource: installation.host(parts), migrate: true });
    await expect(again.open()).rejects.toThrow(reason);
  });
});
