import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { deadLettersStatement, retryDeadStatement } from '#stores/typeorm/outbox/delivery-statements.js';
import { typeormStores } from '#stores/typeorm/index.js';
import type { Sql } from '#stores/typeorm/database/sql.js';
import { tablesOf } from '#stores/typeorm/database/tables.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';

const TABLES = tablesOf({ tablePrefix: 'guardrails_', schema: undefined });

let database: FreshDatabase;
let stores: StoreBackend;

const run = (text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> =>
  onServer(
    async (server) => (await server.query<Record<string, unknown>>(text, [...values])).rows,
    database.url,
  );

/** 100,000 events: 60,000 delivered, 20,000 waiting and 20,000 dead; the newest are dead. */
beforeAll(async () => {
  database = await freshDatabase();
  stores = typeormStores({ url: database.url, migrate: true });
  await stores.open();
  await run(
    `insert into guardrails_outbox (event_id, name, subject, severity, occurred_at, payload, sinks, sequence)
     select 'event-' || n, 'guardrails.injection.blocked', 'principal:' || n % 1000, 'high', clock_timestamp(), '{}', 'siem', n
     from generate_series(1, 100000) n`,
  );
  await run('update guardrails_outbox_sequence set last_sequence = 100000');
  await run(
    `insert into guardrails_outbox_deliveries (sink, subject, position, attempts, last_error, dead_at)
     select 'siem', subject, position, 9, 'refused', case when sequence % 5 = 0 then clock_timestamp() end
     from guardrails_outbox where sequence % 5 in (0, 1)`,
  );
  await run('vacuum (analyze) guardrails_outbox');
  await run('vacuum (analyze) guardrails_outbox_deliveries');
}, 120_000);

afterAll(async () => {
  await stores.close();
  await database.drop();
});

/** The plan of a statement after it has run. */
async function planOf({ text, values }: Sql): Promise<string> {
  return JSON.stringify(await run(`explain (analyze, format json) ${text}`, values));
}

function rowsRead(plan: string): number {
  const read = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by (?:Filter|Join Filter))":(\d+)/g)];
  return Math.max(...read.map(([, rows]) => Number(rows)));
}

describe('dead letters among many events', () => {
  it.each([
    ['the newest page', { limit: 50 }],
    ['a page in the middle', { limit: 50, cursor: 50_000 }],
    ['the last page', { limit: 50, cursor: 200 }],
    ['one letter', { limit: 1, sequence: 50_000 }],
    ['an event that is not dead', { limit: 1, sequence: 50_001 }],
  ])('%s is read by an index, with as many rows as it shows', async (_, request) => {
    const plan = await planOf(deadLettersStatement(TABLES, 'siem', request));
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRead(plan)).toBeLessThanOrEqual(request.limit + 1);
  });

  it('one letter is replayed by an index', async () => {
    const plan = await planOf(retryDeadStatement(TABLES, 'siem', 10_000, 60_000));
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRead(plan)).toBe(1);
  });

  it('the pages show each letter once', async () => {
    const first = await stores.outbox.deadLetters('siem', { limit: 50 });
    const second = await stores.outbox.deadLetters('siem', { limit: 50, cursor: first.next_cursor ?? 0 });
    const sequences = [...first.entries, ...second.entries].map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => 100_000 - 5 * index));
  });
});
