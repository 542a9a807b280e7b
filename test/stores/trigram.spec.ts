import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { decision } from '#stores/contract/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, openStores } from '../postgres/database.js';

const PROMPTS = [
  'Where is my parcel?',
  'WHERE IS MY PARCEL',
  '100% of it',
  '100x of it',
  'snake_case and snakeXcase',
  String.raw`a\b and a\\b`,
  "it's “quoted” \"twice\" 'once'",
  'Größe, ÉTÉ, été and İstanbul',
  '日本語のテキストです 😀😀😀',
  '   spaces   and\ttabs\n',
  '--; drop table x',
  '',
];

/** Parts of these prompts, and some texts that occur in none. */
const SEARCHED = [
  ...PROMPTS.filter((prompt) => prompt !== ''),
  'parcel',
  'PARCEL',
  '100%',
  '100_',
  'ke_c',
  String.raw`\b`,
  String.raw`\\b`,
  '%%%',
  '___',
  "'s ",
  'É',
  'ÉTÉ',
  'été',
  'ö',
  'größe',
  '日本',
  '本語の',
  '😀😀',
  'a',
  'ab',
  'abc',
  'zyzzyva',
  '   ',
  '\t',
  '; drop',
  'ist',
];

const database = await freshDatabase();
const windows = await openStores(database);
for (const prompt of PROMPTS) await windows.audit.append(decision({ prompt }));
const together = [1, 2, 3].map(() => typeormStores({ url: database.url, search: 'trigram', migrate: true }));
await Promise.all(together.map((stores) => stores.open()));
await Promise.all(together.map((stores) => stores.close()));
const trigram = typeormStores({ url: database.url, search: 'trigram' });
await trigram.open();

afterAll(async () => {
  await windows.close();
  await trigram.close();
  await database.drop();
});

const idsOf = async (stores: StoreBackend, q: string, cursor?: number): Promise<readonly number[]> => {
  const page = await stores.audit.list({ q }, { limit: 200, ...(cursor !== undefined && { cursor }) });
  return page.entries.map(({ id }) => id);
};

describe("search: 'trigram'", () => {
  it('refuses a database without its index, and prints the statements', async () => {
    const bare = await freshDatabase();
    const refused = typeormStores({ url: bare.url, search: 'trigram' }).open();
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(
      /create extension if not exists pg_trgm;\s+create index if not exists/,
    );
    await bare.drop();
  });

  it('finds the same as a search by windows, with an index that several instances create at the same time', async () => {
    for (const q of SEARCHED) {
      expect([q, await idsOf(trigram, q)]).toEqual([q, await idsOf(windows, q)]);
      expect([q, await idsOf(trigram, q, 6)]).toEqual([q, await idsOf(windows, q, 6)]);
    }
    const window = { from: new Date(0), to: new Date('2100-01-01') };
    for (const q of ['parcel', 'été']) {
      expect(await trigram.audit.trend({ q }, window)).toEqual(await windows.audit.trend({ q }, window));
    }
  });

  it('uses its index if the text is rare', async () => {
    await onServer(async (server) => {
      await server.query(`insert into guardrails_audit_content (evidence_id, storage, prompt)
        select 1000000 + n, 'redact', 'where is the parcel ' || n || ' of ' || md5(n::text) from generate_series(1, 20000) n`);
      await server.query('vacuum (analyze) guardrails_audit_content');
      const { rows } = await server.query<{ 'QUERY PLAN': string }>(
        `explain select 1 from guardrails_audit_content c
         where lower(c.prompt collate "C") like lower('%zyzzyva%' collate "C")`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('guardrails_content_by_trigram');
    }, database.url);
  });
});
