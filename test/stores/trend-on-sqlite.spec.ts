import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { TREND_BUCKETS, type TrendBucket } from '#contracts/audit/filter.js';
import type { TrendPoint } from '#contracts/audit/counts.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { decision, noonPlus } from '#stores/contract/index.js';
import type { GroupFilter } from '#stores/typeorm/audit/audit-list.js';
import { trendPoint, trendQuery, type TrendRow } from '#stores/typeorm/audit/trend.js';
import { tablesOf } from '#stores/typeorm/database/tables.js';
import { withFolding } from '../support/count-folding.js';
import { freshDatabase, openStores, rowsOf } from '../postgres/database.js';

interface Sqlite {
  run(statement: string, values?: readonly unknown[]): void;
  prepare(statement: string): {
    bind(values: Readonly<Record<string, unknown>>): void;
    step(): boolean;
    getAsObject(): unknown;
    free(): void;
  };
  close(): void;
}

const initSqlite = createRequire(import.meta.url)('sql.js') as () => Promise<{ Database: new () => Sqlite }>;

const HOUR = 3_600_000;
const TABLES = [
  'audit_evidence',
  'audit_id_ranges',
  'audit_hourly',
  'audit_new_counts',
  'audit_fine_counts',
  'audit_daily',
];

/** Copies the rows; bytes become hexadecimal text, and times ISO 8601 text. */
async function copyToSqlite(): Promise<void> {
  for (const table of TABLES) {
    const rows = await rowsOf(database.url, `select * from guardrails_${table}`);
    const columns = Object.keys(rows[0] ?? {});
    sqlite.run(`create table guardrails_${table} (${columns.join(', ')})`);
    for (const row of rows) {
      sqlite.run(
        `insert into guardrails_${table} values (${columns.map(() => '?').join(', ')})`,
        columns.map((column) => plain(column, row[column])),
      );
    }
  }
}

function plain(column: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'boolean') return Number(value);
  // pg returns 64-bit integers as text.
  return /(^|_)id$|allowed|observed|blocked/.test(column) && /^\d+$/.test(String(value))
    ? Number(value)
    : value;
}

function onSqlite(filter: GroupFilter, window: TimeWindow, bucket: TrendBucket = 'day'): unknown[] {
  const tables = tablesOf({ tablePrefix: 'guardrails_', schema: undefined });
  const query = trendQuery(tables, filter, window, bucket);
  const statement = sqlite.prepare(query.text);
  statement.bind(Object.fromEntries(query.values.map((value, index) => [`$${index + 1}`, value])));
  const points: unknown[] = [];
  while (statement.step()) points.push(trendPoint(statement.getAsObject() as TrendRow));
  statement.free();
  return points;
}

function totalOf(points: readonly unknown[]): number {
  return points.reduce<number>((sum, point) => sum + (point as TrendPoint).total, 0);
}

const database = await freshDatabase();
const stores = await openStores(database);
const drawn = fc.sample(
  fc.record({
    occurredAt: fc.integer({ min: -200 * HOUR, max: 3 * HOUR }).map(noonPlus),
    control: fc.constantFrom('input_screen', 'hitl' as const),
    outcome: fc.constantFrom('allowed', 'observed', 'blocked' as const),
    ruleId: fc.constantFrom(null, 'role_override', 'leak'),
    application: fc.constantFrom(null, 'support', "o'clock"),
  }),
  300,
);
const append = (many: typeof drawn): Promise<unknown> =>
  Promise.all(many.map((parts) => stores.audit.append(decision(parts))));
await append(drawn.slice(0, 200));
await withFolding(database.url, (fold) => fold());
await append(drawn.slice(200));
const sqlite = new (await initSqlite()).Database();
await copyToSqlite();

afterAll(async () => {
  sqlite.close();
  await stores.close();
  await database.drop();
});

describe('the trend query', () => {
  it('returns the same on SQLite as on PostgreSQL, with the same text', async () => {
    const times = fc.oneof(
      fc.integer({ min: -210 * HOUR, max: 5 * HOUR }),
      fc.integer({ min: -210, max: 5 }).map((hours) => hours * HOUR),
    );
    const filters: fc.Arbitrary<GroupFilter> = fc.record(
      {
        control: fc.constantFrom('input_screen', 'hitl'),
        blocked: fc.boolean(),
        outcome: fc.constantFrom('observed', 'blocked'),
        rule_id: fc.constantFrom(['role_override'], ['nobody'], ['role_override', 'leak']),
        application: fc.constantFrom('support', "o'clock"),
      },
      { requiredKeys: [] },
    );
    const buckets = fc.constantFrom(...TREND_BUCKETS);
    const whole = { from: noonPlus(-210 * HOUR), to: noonPlus(5 * HOUR) };
    const totals = [
      {},
      { rule_id: ['role_override', 'leak'] },
      { rule_id: ['leak'] },
      { rule_id: ['nobody'] },
    ].map((filter) => totalOf(onSqlite(filter, whole)));
    expect(new Set(totals).size).toBe(totals.length);
    expect(totals).toEqual(totals.toSorted((one, other) => other - one));
    await fc.assert(
      fc.asyncProperty(filters, times, times, buckets, async (filter, one, other, bucket) => {
        const window = { from: noonPlus(Math.min(one, other)), to: noonPlus(Math.max(one, other)) };
        expect(onSqlite(filter, window, bucket)).toEqual(await stores.audit.trend(filter, window, bucket));
      }),
      { numRuns: 150 },
    );
  });
});
