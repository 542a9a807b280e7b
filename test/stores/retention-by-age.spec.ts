import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RetentionCounts, RetentionStrategy } from '#contracts/retention/retention.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { brokenSeals } from '#engine/index.js';
import { decision } from '#stores/contract/index.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { Maintenance } from '#stores/typeorm/index.js';
import { freshDatabase, openStores, rowsOf } from '../postgres/database.js';
import { emptyTables } from './empty-tables.js';

const HOUR = 3_600_000;
const NOW = Date.now();

const database = await freshDatabase();
let stores: StoreBackend;

beforeEach(async () => {
  await emptyTables(database);
  stores = await openStores(database);
});

afterEach(() => stores.close());

afterAll(() => database.drop());

const hoursAgo = (hours: number): Date => new Date(NOW - hours * HOUR);

const append = (hours: number): Promise<number> =>
  stores.audit.append(decision({ occurredAt: hoursAgo(hours) }));

/** Runs retention for everything older than `hours`, with `limit` records per step. */
async function retain(strategy: RetentionStrategy, hours: number, limit: number): Promise<RetentionCounts> {
  const scope = { kind: 'before', before: hoursAgo(hours) } as const;
  const run = await stores.retention.begin({ strategy, scope, actorId: 'ops-1' }, 60_000);
  return (await complete(stores.retention, run!, limit)).counts;
}

async function verify(): Promise<readonly string[]> {
  const maintenance = new Maintenance({ url: database.url });
  await maintenance.open();
  const { findings } = await maintenance.verify(
    { brokenCommitments: () => [], brokenSeals: brokenSeals(null) },
    () => undefined,
  );
  await maintenance.close();
  return findings.map(({ message }) => message);
}

describe('retention by age', () => {
  it.each([1, 2, 3, 5_000])('purges in steps of %i rows, and leaves rows that verify', async (limit) => {
    // Times do not follow the ids, as with several instances and corrected clocks.
    for (const hours of [50, 3, 49, 48, 2, 47, 100, 1]) await append(hours);
    expect(await retain('purge', 24, limit)).toMatchObject({ entries: 5 });
    const left = await stores.audit.list({}, { limit: 10 });
    expect(left.entries.map((entry) => entry.occurred_at)).toEqual(
      [1, 2, 3].map((hours) => hoursAgo(hours).toISOString()),
    );
    expect(await verify()).toEqual([]);
    expect(await retain('purge', 24, limit)).toMatchObject({ entries: 0 });
  });

  it('extends the removed range of a writer instead of adding one per step', async () => {
    for (let hours = 60; hours > 50; hours--) await append(hours);
    await retain('purge', 24, 2);
    expect(await rowsOf(database.url, 'select 1 from guardrails_removed_ranges')).toHaveLength(1);
  });

  it('anonymizes entries that were added later with an old time, or have become old', async () => {
    for (const hours of [50, 30, 10]) await append(hours);
    expect(await retain('anonymize', 40, 2)).toMatchObject({ entries: 1 });
    await append(60);
    expect(await retain('anonymize', 20, 2)).toMatchObject({ entries: 2 });
    expect(await retain('anonymize', 5, 2)).toMatchObject({ entries: 1 });
    expect(await retain('anonymize', 5, 2)).toMatchObject({ entries: 0 });
  });

  it('leaves texts under a hold, and verify reports other texts that are recorded as erased', async () => {
    for (const hours of [50, 49, 48, 10]) await append(hours);
    const [held] = (await stores.audit.list({}, { limit: 3 })).entries.slice(-1);
    const hold = await stores.holds.set(
      {
        scope: { kind: 'entries', firstId: held?.id ?? 0, lastId: held?.id ?? 0 },
        reason: 'A case.',
        setBy: 'ops-1',
      },
      () => [],
    );
    expect(await retain('anonymize', 40, 10)).toMatchObject({ entries: 2 });
    expect(await verify()).toEqual([]);
    await stores.holds.release(hold.id, 'ops-1', () => []);
    expect(await verify()).toEqual([]);
    await database.run('update guardrails_retention_lock set holds_released = 1');
    expect(await verify()).toEqual([
      expect.stringMatching(
        /^retention_lock: the texts up to entry \d+ are recorded as erased, but that of entry/,
      ),
    ]);
    await database.run('update guardrails_retention_lock set holds_released = 0');
    expect(await retain('anonymize', 40, 10)).toMatchObject({ entries: 1 });
    await database.run('update guardrails_retention_lock set anonymized_through = anonymized_through + 1');
    expect(await verify()).toHaveLength(1);
  });

  it('does not read again what an earlier run has anonymized', async () => {
    for (const hours of [50, 49, 10]) await append(hours);
    await retain('anonymize', 40, 10);
    const rows = await rowsOf(
      database.url,
      'select anonymized_through - (select min(id) from guardrails_audit_evidence) as through from guardrails_retention_lock',
    );
    expect(rows).toEqual([{ through: '1' }]);
  });
});
