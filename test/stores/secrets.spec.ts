import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { sendSecret, situations, survivor } from '../support/secret-traffic.js';
import { EMPTY_TABLES } from './empty-tables.js';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(async () => {
  await database.drop();
});

describe('a secret in a prompt, an argument, its name, an output, a result or an error', () => {
  it('is in no column of any table', async () => {
    await fc.assert(
      fc.asyncProperty(situations, async (situation) => {
        await onServer((server) => server.query(EMPTY_TABLES), database.url);
        const stores = typeormStores({ url: database.url });
        const said = await sendSecret(situation, stores);
        await stores.close();
        const tables = await everyTable();
        for (const [table, text] of [['what was said', JSON.stringify(said)] as const, ...tables]) {
          expect([table, survivor(situation.secret, text)]).toEqual([table, null]);
        }
      }),
      { numRuns: 12 },
    );
  });
});

/** Each table of the database as one text, but for the arguments of a parked call, which are exactly what will run. */
async function everyTable(): Promise<readonly (readonly [table: string, rows: string])[]> {
  return onServer(async (server) => {
    const { rows: names } = await server.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const dumps = [];
    for (const { name } of names) {
      const { rows } = await server.query<{ dump: string | null }>(
        `select string_agg((to_jsonb(t) - $1)::text, chr(10)) as dump from "${name}" t`,
        [name.endsWith('approvals') ? 'arguments' : ''],
      );
      dumps.push([name, rows[0]?.dump ?? ''] as const);
    }
    const filled = dumps.filter(([, dump]) => dump !== '').map(([name]) => name);
    for (const word of ['audit_evidence', 'audit_content', 'firewall_rejections', 'approvals', 'outbox']) {
      if (!filled.some((name) => name.endsWith(word))) throw new Error(`The traffic left ${word} empty.`);
    }
    return dumps;
  }, database.url);
}
