import { afterAll, describe, expect, it } from '@jest/globals';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, rowsOf } from '../postgres/database.js';
import { lastSentBy, type SentStatement } from './sent-statements.js';

const run = (text: string, values?: readonly unknown[]) => rowsOf(database.url, text, values);

/** 100,000 events: 60,000 delivered, 20,000 waiting and 20,000 dead; the newest are dead. */
const database = await freshDatabase();
const stores = typeormStores({ url: database.url, migrate: true });
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

afterAll(async () => {
  await stores.close();
  await database.drop();
});

/** The plan of a statement after it has run. */
async function planOf({ text, values }: SentStatement): Promise<string> {
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
    const plan = await planOf(await lastSentBy(() => stores.outbox.deadLetters('siem', request)));
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRead(plan)).toBeLessThanOrEqual(request.limit + 1);
  });

  it('one letter is replayed by an index', async () => {
    const statement = await lastSentBy(() => stores.outbox.retryDead('siem', 10_000, 60_000));
    await run(`update guardrails_outbox_deliveries set dead_at = clock_timestamp() where position = 60000`);
    const plan = await planOf(statement);
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
