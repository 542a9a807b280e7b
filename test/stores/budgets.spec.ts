import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { BudgetState } from '#contracts/approvals/budgets.js';
import { decision } from '#stores/contract/index.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { statesOf } from '#stores/typeorm/budgets/budgets.store.js';
import { guardrailsMigrations, typeormStores } from '#stores/typeorm/index.js';
import { tablesOf } from '#stores/typeorm/database/tables.js';
import { bench, refundTool } from '../support/engine.js';
import { bareDatabase, freshDatabase } from '../postgres/database.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const database = await freshDatabase();
const connection = new Client(database.url);
await connection.connect();
const stores = typeormStores({ url: database.url, migrate: true });
await stores.open();

afterAll(async () => {
  await stores.close();
  await connection.end();
  await database.drop();
});

const sql = async (text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await connection.query<Record<string, unknown>>(text, values)).rows;

const newBudget = (): string => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');

/** Inserts a reservation with an earlier time. */
async function reservedBefore(budget: string, agoMs: number, cents: number): Promise<void> {
  await sql(
    `with given as (select date_trunc('milliseconds', clock_timestamp()) - $2 * interval '1 millisecond' as at),
      hours as (
        insert into guardrails_budget_hours as held (budget, hour, amount)
        select $1::text, floor(extract(epoch from at) / 3600), $3::numeric / 100 from given
        on conflict (budget, hour) do update set amount = held.amount + excluded.amount)
      insert into guardrails_budget_reservations (reference, budget, amount, reserved_at)
      select gen_random_uuid(), $1::text, $3::numeric / 100, at from given`,
    [budget, agoMs, cents],
  );
}

const stateOf = async (budget: string, windowMs: number): Promise<BudgetState | undefined> =>
  (await stores.budgets.states([], [{ budget, windowMs, lte: '0' }]))[0];

/** What commit bbbb067d wrote: two refunds that ran, 70 together, and one that waits, of 50. */
const filled = JSON.parse(readFileSync('test/stores/budgets-with-exact-keys.json', 'utf8')) as Readonly<
  Record<string, readonly Readonly<Record<string, unknown>>[]>
>;
const FILLED_AT = Date.parse('2026-11-28T09:19:14Z');

/** Restores these rows into the tables of that version, as if they were written so many hours ago. */
async function restoreFilled(url: string, agoHours: number): Promise<void> {
  const [initialTables] = guardrailsMigrations();
  const before = new DataSource({ type: 'postgres', url, migrations: initialTables ? [initialTables] : [] });
  await before.initialize();
  await before.runMigrations();
  const hours = Math.floor((Date.now() - FILLED_AT) / HOUR_MS) - agoHours;
  const later = (time: unknown): string => new Date(Date.parse(String(time)) + hours * HOUR_MS).toISOString();
  for (const [table, rows] of Object.entries(filled)) {
    const moved = rows.map((row) => ({
      ...row,
      ...('hour' in row && { hour: Number(row['hour']) + hours }),
      ...('reserved_at' in row && { reserved_at: later(row['reserved_at']) }),
      ...('expires_at' in row && { expires_at: new Date(Date.now() + DAY_MS).toISOString() }),
    }));
    await before.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(moved)],
    );
  }
  await before.destroy();
}

describe('budgets that an earlier version filled, with keys over the exact names', () => {
  const policy = { rules: [{ require: 'allow' }], limits: [{ sum: '/amount', lte: 100, per: '30 days' }] };

  it.each([
    { agoDays: 29, fits: 30 },
    { agoDays: 31, fits: 100 },
  ])('count for 30 days: after $agoDays days $fits of 100 are left', async ({ agoDays, fits }) => {
    const upgraded = await bareDatabase();
    await restoreFilled(upgraded.url, agoDays * 24);
    const own = typeormStores({ url: upgraded.url, migrate: true });
    const tool = refundTool({ name: 'Refund' });
    const settings = { 'hitl.enabled': true, 'hitl.policies': { [tool.name]: policy } };
    const { engine } = await bench(settings, { stores: own, tools: [tool] });
    const statusOf = async (amount: number, principalId: string): Promise<string> => {
      const guarded = engine.guardrails.guardTool(tool, { principalId });
      return (await guarded.execute({ order: 'A-1', amount })).status;
    };
    expect(await statusOf(fits + 1, 'Customer-42')).toBe('parked');
    expect(await statusOf(fits, 'Customer-42')).toBe('executed');
    expect(await statusOf(1, 'Customer-42')).toBe('parked');
    // What is reserved since the upgrade is one sum for every spelling.
    expect(await statusOf(101 - fits, 'customer-42')).toBe('parked');
    // The call that waited at the upgrade reserves under the key that it was parked with.
    expect(
      (await engine.approvalService.decideById(1, 'approved', { actorId: 'ops-1', reason: null })).status,
    ).toBe('executed');
    const [{ spent } = { spent: '' }] = await own.budgets.states(
      [],
      [{ budget: String(filled['guardrails_budgets']?.[0]?.['budget']), windowMs: 30 * DAY_MS, lte: '0' }],
    );
    expect(spent).toBe(String(100 - fits + 50));
    await engine.stop();
    await own.close();
    await upgraded.drop();
  });
});

describe('budgets on PostgreSQL', () => {
  it('sum exactly the reservations within the window, across hours', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 31 * 24 * 60 }), fc.integer({ min: 0, max: 99_999 })), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.constantFrom(HOUR_MS, DAY_MS, 30 * DAY_MS),
        async (reserved, windowMs) => {
          const budget = newBudget();
          // Half a minute away from every edge, so that the time that the test takes does not matter.
          const ages = reserved.map(([minutes, cents]) => [minutes * 60_000 + 30_000, cents] as const);
          for (const [ago, cents] of ages) await reservedBefore(budget, ago, cents);
          const cents = ages.reduce((sum, [ago, amount]) => sum + (ago < windowMs ? amount : 0), 0);
          const state = await stateOf(budget, windowMs);
          expect(state?.spent).toBe(String(cents / 100));
          expect(state?.isExceeded).toBe(cents > 0);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it('release a reservation from the sum of its hour', async () => {
    const budget = newBudget();
    await reservedBefore(budget, 5 * HOUR_MS, 1000);
    await reservedBefore(budget, 5 * HOUR_MS, 50);
    const [{ reference } = {}] = await sql(
      'select reference from guardrails_budget_reservations where budget = $1 and amount = 10',
      [budget],
    );
    await stores.budgets.release(String(reference));
    expect((await stateOf(budget, DAY_MS))?.spent).toBe('0.5');
  });

  it('remove reservations that no window includes any more', async () => {
    const budget = newBudget();
    for (const days of [1, 32, 33, 34]) await reservedBefore(budget, days * DAY_MS, 100);
    const claims = [{ budget, owner: null, amount: '1' }];
    await stores.budgets.admit({ reference: 'new', claims }, [], () => decision());
    for (const table of ['budget_reservations', 'budget_hours']) {
      const [{ rows } = {}] = await sql(
        `select count(*)::integer as rows from guardrails_${table} where budget = $1`,
        [budget],
      );
      expect([table, rows]).toEqual([table, 2]);
    }
    expect((await stateOf(budget, 30 * DAY_MS))?.spent).toBe('2');
  });

  it('are deleted by retention once no window reaches them, also where the budget is not used again', async () => {
    const [idle, used] = [newBudget(), newBudget()];
    for (const days of [31, 32, 40]) await reservedBefore(idle, days * DAY_MS, 100);
    await sql(`insert into guardrails_budgets (budget, owner) values ($1, 'customer-42')`, [idle]);
    const claims = [{ budget: used, owner: 'customer-7', amount: '1' }];
    await stores.budgets.admit({ reference: used, claims }, [], () => decision());
    await reservedBefore(used, 29 * DAY_MS, 100);
    const scope = { kind: 'before', before: new Date(Date.now() - DAY_MS) } as const;
    const run = await stores.retention.begin({ strategy: 'anonymize', scope, actorId: 'ops-1' }, HOUR_MS);
    await complete(stores.retention, run!, 2);
    const left = await sql(
      `select $1 = budget as "isIdle", count(*)::integer as rows from (
         select budget from guardrails_budgets union all select budget from guardrails_budget_hours
         union all select budget from guardrails_budget_reservations) kept
       where budget = any($2) group by 1`,
      [idle, [idle, used]],
    );
    expect(left).toEqual([{ isIdle: false, rows: 5 }]);
    expect((await stateOf(used, 30 * DAY_MS))?.spent).toBe('2');
  });

  it('read one hour of reservations and the sums of later hours by their indexes', async () => {
    const budget = newBudget();
    await sql(
      `insert into guardrails_budget_reservations (reference, budget, amount, reserved_at)
       select gen_random_uuid(), $1::text, 1, clock_timestamp() - n * interval '26 seconds' from generate_series(1, 100000) n`,
      [budget],
    );
    await sql(
      `insert into guardrails_budget_hours (budget, hour, amount)
       select $1::text, floor(extract(epoch from reserved_at) / 3600), sum(amount)
       from guardrails_budget_reservations where budget = $1::text group by 2`,
      [budget],
    );
    await sql(
      `insert into guardrails_budget_hours (budget, hour, amount)
       select md5(n::text), hour, 1 from generate_series(1, 50) n, generate_series(500000, 501000) hour`,
    );
    await sql('analyze guardrails_budget_reservations, guardrails_budget_hours');
    const [{ counted } = {}] = await sql(
      `select count(*)::integer as counted from guardrails_budget_reservations
       where budget = $1 and reserved_at > clock_timestamp() - interval '30 days'`,
      [budget],
    );
    const spent = Number((await stateOf(budget, 30 * DAY_MS))?.spent);
    expect(Math.abs(spent - Number(counted))).toBeLessThanOrEqual(1);
    const limit = { budget, windowMs: 30 * DAY_MS, lte: '0' };
    const { text, values } = statesOf(
      tablesOf({ tablePrefix: 'guardrails_', schema: undefined }),
      [],
      [limit],
    );
    const plan = JSON.stringify(await sql(`explain (analyze, format json) ${text}`, [...values]));
    expect(plan).not.toContain('Seq Scan');
    const read = [...plan.matchAll(/"Actual Rows":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThanOrEqual(720);
  });
});
