import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RetentionRun } from '../../libs/contracts/src/retention.js';
import type { StoreBackend } from '../../libs/contracts/src/store-backend.js';
import { Retention, SystemClock } from '../../libs/engine/src/index.js';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';
import { bareDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import {
  append,
  fill,
  IDS_OF_A_MONTH,
  monthsBefore,
  partitions,
  suffixOf,
  timeIn,
  turnTo,
  turnToNow,
  verify,
  withMaintenance,
} from './months.js';

const [OLDEST, OLDER, OLD] = [monthsBefore(3), monthsBefore(2), monthsBefore(1)];
const AHEAD = [monthsBefore(0), monthsBefore(-1), monthsBefore(-2)].map(suffixOf);

let database: FreshDatabase;
let stores: StoreBackend;

beforeEach(async () => {
  database = await bareDatabase();
  stores = typeormStores({ url: database.url, partitions: 'monthly', migrate: true });
  await stores.open();
});

const threeMonths = (): Promise<void> => fill(database.url, stores, [OLDEST, OLDER, OLD]);

afterEach(async () => {
  await stores.close();
  await database.drop();
});

const scope = (before: Date) => ({ kind: 'before', before }) as const;

async function purge(before: Date): Promise<RetentionRun> {
  const retention = new Retention(stores.retention, new SystemClock());
  const run = await retention.apply({ strategy: 'purge', actorId: 'ops-1', scope: scope(before) });
  if (run === null) throw new Error('Another run is held.');
  return run;
}

const left = async (): Promise<readonly string[]> =>
  (await stores.audit.list({}, { limit: 50 })).entries.map(({ occurredAt }) => occurredAt.toISOString());

const inDatabase = (...statements: string[]): Promise<void> =>
  onServer(async (server) => {
    for (const statement of statements) await server.query(statement);
  }, database.url);

describe('a purge by age', () => {
  it('drops months that are wholly expired, takes the rest by rows, and counts both', async () => {
    await threeMonths();
    const run = await purge(timeIn(OLDER, 60));
    expect(run.counts).toMatchObject({ entries: 4, rejections: 4 });
    expect(await partitions(database.url)).toEqual([OLDER, OLD].map(suffixOf).concat(AHEAD));
    expect(await left()).toHaveLength(6);
    expect(await verify(database.url)).toMatchObject({ entries: 6, removed: 4, findings: [] });
  });

  it('keeps counts and trends', async () => {
    await threeMonths();
    const window = { from: timeIn(OLDEST), to: new Date() };
    const before = await stores.audit.trend({}, window);
    await purge(timeIn(OLD));
    expect(await stores.audit.trend({}, window)).toEqual(before);
  });

  it('comes to what was counted before, and to nothing the second time', async () => {
    await threeMonths();
    const expected = await stores.retention.count({ strategy: 'purge', scope: scope(timeIn(OLD)) });
    const months = await withMaintenance(database.url, (maintenance) =>
      maintenance.expiredMonths(timeIn(OLD)),
    );
    expect(months).toEqual([OLDEST, OLDER].map((month) => suffixOf(month).slice(1).replace('_', '-')));
    expect((await purge(timeIn(OLD))).counts).toEqual(expected);
    expect((await purge(timeIn(OLD))).counts).toMatchObject({ entries: 0, rejections: 0 });
  });

  it('drops no month that somebody may still write to, nor one to come', async () => {
    await turnTo(database.url, OLDEST);
    await append(stores, timeIn(OLDEST));
    expect((await purge(timeIn(OLD))).counts.entries).toBe(1);
    await append(stores, timeIn(OLDEST, 1));
    // From now on ids are another month's; who has taken one of these may still commit it.
    await turnToNow(database.url);
    await append(stores, new Date());
    expect((await purge(timeIn(OLD))).counts.entries).toBe(1);
    expect(await partitions(database.url)).toEqual([suffixOf(OLDEST), ...AHEAD]);
  });

  it('leaves a month that holds one entry too young, and takes the others', async () => {
    await turnTo(database.url, OLDEST);
    await append(stores, timeIn(OLDEST));
    await append(stores, timeIn(OLDER, 1));
    await turnTo(database.url, OLD);
    await append(stores, timeIn(OLD));
    expect((await purge(timeIn(OLDER))).counts.entries).toBe(1);
    expect((await partitions(database.url))[0]).toBe(suffixOf(OLDEST));
    expect(await left()).toEqual([timeIn(OLD), timeIn(OLDER, 1)].map((time) => time.toISOString()));
    expect((await verify(database.url)).findings).toEqual([]);
  });

  it('is taken over where it was killed, between one month and the next', async () => {
    await threeMonths();
    const order = { strategy: 'purge', actorId: 'ops-1', scope: scope(timeIn(OLD)) } as const;
    const begun = await stores.retention.begin(order, -1);
    if (begun === null) throw new Error('Another run is held.');
    await stores.retention.proceed(begun, 500, -1);
    expect(await partitions(database.url)).toEqual([OLDER, OLD].map(suffixOf).concat(AHEAD));

    const [ended] = await new Retention(stores.retention, new SystemClock()).resume();
    expect(ended?.counts).toMatchObject({ entries: 6, rejections: 6 });
    expect(await partitions(database.url)).toEqual([OLD].map(suffixOf).concat(AHEAD));
    expect(await verify(database.url)).toMatchObject({ entries: 4, removed: 6, findings: [] });
  });

  it('gives up in words where somebody reads for too long, drops nothing, and is ended later', async () => {
    await threeMonths();
    await onServer(async (reader) => {
      await reader.query('begin; select count(*) from guardrails_audit_evidence');
      const appended = purge(timeIn(OLDER)).catch((error: unknown) => String(error));
      await append(stores, new Date());
      expect(await appended).toMatch(/somebody reads the audit for so long/);
      expect((await partitions(database.url))[0]).toBe(suffixOf(OLDEST));
      await reader.query('commit');
    }, database.url);
    await inDatabase(`update guardrails_retention_runs set lease_until = now() - interval '1 second'`);
    expect((await purge(timeIn(OLDER))).counts).toMatchObject({ entries: 0 });
    expect((await partitions(database.url))[0]).toBe(suffixOf(OLDER));
    expect((await verify(database.url)).findings).toEqual([]);
  });

  it('does not hide what somebody had deleted from a month before', async () => {
    await threeMonths();
    await inDatabase(
      'set session_replication_role = replica',
      `delete from guardrails_audit_evidence where id = ${OLDEST * IDS_OF_A_MONTH + 2}`,
    );
    await purge(timeIn(OLDER));
    const { findings } = await verify(database.url);
    expect(findings.map(({ kind }) => kind)).toContain('missing');
  });
});
