import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import type { Decision, Evidence, ExportedEntry } from '#contracts/audit/record.js';
import type { ExportSlice } from '#contracts/audit/store.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { overviewWindow } from '#contracts/overview/overview.js';
import type { TimeWindow } from '#contracts/common/page.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { decision } from '#stores/contract/index.js';
import { guardrailsMigrations, typeormStores } from '#stores/typeorm/index.js';
import { withFolding } from '../support/count-folding.js';
import { bareDatabase, freshDatabase, rowsOf } from '../postgres/database.js';
import { differencesOf, ROLLUPS } from '../postgres/rollups.mjs';
import { emptyTables } from './empty-tables.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DECISIONS = 1_000;
const CALLERS = 24;
const WINDOWS = 30;

/** Times near the two ends of a trailing day that begins at `start`, and in the middle of it. */
function timesFrom(start: number): fc.Arbitrary<Date> {
  const offsets = fc.oneof(
    fc.integer({ min: 0, max: 3_000 }),
    fc.integer({ min: 0, max: HOUR }),
    fc.integer({ min: 0, max: 60 }).map((minutes) => minutes * 60_000),
  );
  return fc
    .tuple(fc.constantFrom(0, DAY / 2, DAY), offsets)
    .map(([days, offset]) => new Date(start + days + offset));
}

function decisionsAt(times: fc.Arbitrary<Date>): fc.Arbitrary<Decision> {
  return fc
    .record({
      occurredAt: times,
      control: fc.constantFrom(...CONTROL_KEYS),
      outcome: fc.constantFrom('allowed', 'observed', 'blocked'),
      ruleId: fc.constantFrom(null, 'leak', 'role_override'),
      isSilenced: fc.boolean(),
      application: fc.constantFrom(null, 'shop'),
      rulesetVersion: fc.constantFrom('builtin-1', 'builtin-2'),
    })
    .map(({ isSilenced, ruleId, ...parts }) =>
      decision({
        ...parts,
        ruleId,
        matchedRules:
          ruleId === null ? [] : [{ ruleId, span: [0, 1], ...(isSilenced && { exception: true }) }],
        outputCounts: [{ kind: 'pii_redaction', detector: 'email', enforced: isSilenced, count: 1 }],
      }),
    );
}
let instances: readonly [StoreBackend, StoreBackend];

const database = await freshDatabase();

beforeEach(async () => {
  await emptyTables(database);
  const { url } = database;
  const statementTimeoutMs = 30_000;
  instances = [typeormStores({ url, statementTimeoutMs }), typeormStores({ url, statementTimeoutMs })];
  for (const stores of instances) await stores.open();
});

afterEach(async () => {
  for (const stores of instances) await stores.close();
});

afterAll(() => database.drop());

type Counts = ReadonlyMap<string, number>;

type Row = Pick<
  Evidence,
  'control' | 'outcome' | 'ruleId' | 'application' | 'rulesetVersion' | 'matchedRules' | 'occurredAt'
>;

/** The rows of a window, counted one by one. */
function walked(rows: readonly Row[], { from, to }: TimeWindow): Counts {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const row of rows) {
    if (row.occurredAt < from || row.occurredAt > to) continue;
    for (const name of ['all', 'outputs', `rule ${row.ruleId}`, `application ${row.application}`]) add(name);
    add(`${row.control} total`);
    if (row.outcome !== 'allowed') add(`${row.control} ${row.outcome}`);
    if (row.control !== 'input_screen') continue;
    add(`ruleset ${row.rulesetVersion}`);
    for (const { ruleId, exception } of row.matchedRules)
      add(`${exception === true ? 'silenced' : 'hits'} ${ruleId}`);
  }
  return counts;
}

/** The same from the counts of the stores. */
async function counted({ audit, overview, output }: StoreBackend, window: TimeWindow): Promise<Counts> {
  const [{ controls, rulesets }, hits, decided, byRule, byApplication, outputs] = await Promise.all([
    overview.activity(window),
    overview.ruleHits(window),
    audit.trend({}, window),
    audit.trendBy('rule_id', {}, window, 'day'),
    audit.trendBy('application', {}, window, 'hour'),
    output.stats(window),
  ]);
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
  const total = (some: readonly { total: number }[]): number => sum(some.map((point) => point.total));
  const counts: [string, number][] = [
    ['all', total(decided)],
    ['outputs', sum(outputs.map(({ count }) => count))],
    ...byRule.map(({ value, points }): [string, number] => [`rule ${value}`, total(points)]),
    ...byApplication.map(({ value, points }): [string, number] => [`application ${value}`, total(points)]),
    ...rulesets.map((one): [string, number] => [`ruleset ${one.rulesetVersion}`, one.attempts]),
  ];
  for (const key of CONTROL_KEYS)
    for (const name of ['total', 'blocked', 'observed'] as const)
      counts.push([`${key} ${name}`, controls[key][name]]);
  for (const [rule, its] of hits) counts.push([`hits ${rule}`, its.hits], [`silenced ${rule}`, its.silenced]);
  return new Map(counts.filter(([, number]) => number !== 0));
}

/** Every count is at least that of `least` and at most that of `most`. */
function expectBetween(counts: Counts, least: Counts, most: Counts): void {
  const names = [...new Set([...counts.keys(), ...least.keys(), ...most.keys()])];
  const of = (some: Counts, name: string): number => some.get(name) ?? 0;
  const wrong = names.filter(
    (name) => of(counts, name) < of(least, name) || of(counts, name) > of(most, name),
  );
  expect(
    wrong.map((name) => `${name}: ${of(least, name)} ≤ ${of(counts, name)} ≤ ${of(most, name)}`),
  ).toEqual([]);
}

/** An export, because the entries of a list have no matched rules. */
async function listed({ audit }: StoreBackend): Promise<ExportedEntry[]> {
  const entries: ExportedEntry[] = [];
  const through = await audit.newestId();
  let after: number | null = 0;
  while (after !== null) {
    const slice: ExportSlice = await audit.exportSlice(
      {},
      { after, through },
      { limit: 500, withContent: false },
    );
    entries.push(...slice.entries);
    after = slice.next;
  }
  return entries;
}

async function expectCountsEqualRows(url = database.url): Promise<void> {
  for (const table of Object.keys(ROLLUPS)) {
    expect([table, await rowsOf(url, differencesOf(table))]).toEqual([table, []]);
  }
}

/** What commit d30ab1d1 wrote: seven decisions whose counts were moved, and seven whose counts were not. */
const filled = JSON.parse(readFileSync('test/stores/counts-of-seconds.json', 'utf8')) as Readonly<
  Record<string, readonly object[]>
>;

/** Restores these rows into the tables of that version. */
async function restoreFilled(url: string): Promise<void> {
  const before = new DataSource({ type: 'postgres', url, migrations: guardrailsMigrations().slice(0, 4) });
  await before.initialize();
  await before.runMigrations();
  for (const [table, rows] of Object.entries(filled)) {
    if (table === 'guardrails_count_state') await before.query(`delete from ${table}`);
    await before.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
  await before.query(`select setval(pg_get_serial_sequence('guardrails_audit_evidence', 'id'), 1000)`);
  await before.destroy();
}

const sample = <Value>(values: fc.Arbitrary<Value>, many: number): Value[] => fc.sample(values, many);

/** Any window to the millisecond, and that of an overview, which begins with a whole minute. */
const windowsTo = (to: Date): readonly TimeWindow[] => [
  { from: new Date(to.getTime() - DAY + 1), to },
  overviewWindow(to),
];

describe('the counts of a day', () => {
  it('equal a count over the list while instances append and counts are moved', async () => {
    const times = timesFrom(Math.floor(Date.now() / HOUR) * HOUR - 25 * HOUR);
    const given = sample(decisionsAt(times), DECISIONS);
    const windows = sample(times, WINDOWS).flatMap(windowsTo);
    const [one, other] = instances;
    const [started, acknowledged]: [Row[], Row[]] = [[], []];
    const waiting = [...given];
    const append = async (stores: StoreBackend): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        started.push(next.evidence);
        await stores.audit.append(next);
        acknowledged.push(next.evidence);
      }
    };
    await withFolding(database.url, async (fold) => {
      const load = { isRunning: true };
      const appending = Promise.all(
        Array.from({ length: CALLERS }, (_, index) => append(index % 2 === 0 ? one : other)),
      ).finally(() => (load.isRunning = false));
      const folding = (async () => {
        while (load.isRunning) await fold();
      })();
      for (let index = 0; load.isRunning; index++) {
        const window = windows[index % windows.length] ?? overviewWindow(new Date());
        const before = [...acknowledged];
        const counts = await counted(one, window);
        expectBetween(counts, walked(before, window), walked([...started], window));
      }
      await Promise.all([appending, folding]);

      const rows = await listed(other);
      expect(rows).toHaveLength(DECISIONS);
      await expectCountsEqualRows();
      for (const window of windows) expect(await counted(other, window)).toEqual(walked(rows, window));
      await fold();
      await expectCountsEqualRows();
      for (const window of windows) expect(await counted(other, window)).toEqual(walked(rows, window));
    });
  });
});

describe('a database whose counts are by second', () => {
  it('has the same counts after the migration, moved or not', async () => {
    const old = await bareDatabase();
    await restoreFilled(old.url);
    const stores = typeormStores({ url: old.url, migrate: true });
    await stores.open();
    try {
      const rows = await listed(stores);
      expect(rows).toHaveLength(14);
      const check = async (): Promise<void> => {
        await expectCountsEqualRows(old.url);
        for (const { occurredAt } of rows)
          for (const window of [...windowsTo(occurredAt), { from: occurredAt, to: new Date() }])
            expect(await counted(stores, window)).toEqual(walked(rows, window));
      };
      await check();
      await withFolding(old.url, (fold) => fold());
      await check();
      await stores.audit.append(decision({ occurredAt: rows[0]?.occurredAt ?? new Date() }));
      await expectCountsEqualRows(old.url);
    } finally {
      await stores.close();
      await old.drop();
    }
  });
});
