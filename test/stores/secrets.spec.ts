import { afterAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';
import { sendSecret, situations, survivor } from '../support/secret-traffic.js';
import { emptyTables } from './empty-tables.js';
import { everyTable } from './every-table.js';

const database = await freshDatabase();

afterAll(async () => {
  await database.drop();
});

describe('a secret in a prompt, an argument, its name, an output, a result or an error', () => {
  it('is in no column of any table', async () => {
    await fc.assert(
      fc.asyncProperty(situations, async (situation) => {
        await emptyTables(database);
        const stores = typeormStores({ url: database.url });
        const sent = await sendSecret(situation, stores);
        await stores.close();
        const tables = await everyTable(database.url, { approvals: 'arguments' });
        for (const [table, text] of [['events and logs', JSON.stringify(sent)] as const, ...tables]) {
          expect([table, survivor(situation.secret, text)]).toEqual([table, null]);
        }
      }),
      { numRuns: 5 },
    );
  });
});
