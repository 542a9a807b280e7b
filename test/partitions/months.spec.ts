import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ConfigurationError } from '../../libs/contracts/src/errors.js';
import type { StoreBackend } from '../../libs/contracts/src/store-backend.js';
import {
  guardrailsEntities,
  guardrailsMigrations,
  typeormStores,
  type TablePlace,
} from '../../libs/stores/typeorm/src/index.js';
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
} from './months.js';

const [NOW, OLD, OLDER] = [monthsBefore(0), monthsBefore(1), monthsBefore(14)];

let database: FreshDatabase;
let opened: StoreBackend[];

beforeEach(async () => {
  database = await bareDatabase();
  opened = [];
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  await database.drop();
});

async function open(place: TablePlace = { partitions: 'monthly' }, migrate = true): Promise<StoreBackend> {
  const stores = typeormStores({ url: database.url, migrate, ...place });
  opened.push(stores);
  await stores.open();
  return stores;
}

const monthOf = (id: number): number => Math.floor(id / IDS_OF_A_MONTH);

/** Partitions that a statement reads, by their suffix. */
async function readBy(statement: string): Promise<readonly string[]> {
  return onServer(async (server) => {
    const { rows } = await server.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off) ${statement}`,
    );
    const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('never executed'));
    return [
      ...new Set(lines.flatMap((line) => line.match(/(?<=guardrails_audit_evidence)_\d{4}_\d{2}\b/g) ?? [])),
    ];
  }, database.url);
}

describe('months', () => {
  it('are this one and the next two at first, also where instances start together', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(await partitions(database.url)).toEqual([NOW, NOW + 1, NOW + 2].map(suffixOf));
    const ids = await Promise.all([first, second, first, second].map((stores) => append(stores, new Date())));
    expect(ids.map(monthOf)).toEqual([NOW, NOW, NOW, NOW]);
  });

  it('are turned to by whoever starts, once for all, and no id is given twice', async () => {
    const running = await open();
    await turnTo(database.url, OLD);
    const before = await append(running, timeIn(OLD));
    const busy = Array.from({ length: 200 }, () => append(running, new Date()));
    const [one] = await Promise.all([open(), open(), open(), ...busy]);
    const after = await Promise.all([append(running, new Date()), append(one, new Date())]);
    const ids = [before, ...(await Promise.all(busy)), ...after];
    expect(new Set(ids).size).toBe(ids.length);
    expect([monthOf(before), ...after.map(monthOf)]).toEqual([OLD, NOW, NOW]);
  });

  it('may be late: entries go on in the one before', async () => {
    const stores = await open();
    await turnTo(database.url, OLD);
    await onServer(
      (server) => server.query(`drop table guardrails_audit_content${suffixOf(NOW)}`),
      database.url,
    );
    expect(monthOf(await append(stores, new Date()))).toBe(OLD);
    await expect(
      onServer((server) => server.query('select guardrails_turn_month()'), database.url),
    ).rejects.toThrow(/The partitions of \d{4}-\d{2} are not there/);
  });

  it('lose nothing where none is left to write to: the decision is refused', async () => {
    const stores = await open();
    await onServer(
      (server) =>
        server.query(`select setval('guardrails_audit_evidence_id_seq', ${(NOW + 9) * IDS_OF_A_MONTH})`),
      database.url,
    );
    await expect(append(stores, new Date())).rejects.toThrow(/no partition/);
    expect((await stores.audit.list({}, { limit: 5 })).entries).toEqual([]);
  });
});

describe('reading', () => {
  it('goes through all of them in pages, by filter and by text, and finds each entry', async () => {
    const stores = await open();
    await fill(database.url, stores, [OLDER, OLD]);
    const pages = async (filter: object): Promise<number> => {
      let count = 0;
      let cursor: number | undefined;
      do {
        const page = await stores.audit.list(filter, {
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        count += page.entries.length;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return count;
    };
    expect(await pages({})).toBe(7);
    expect(await pages({ principalId: 'customer-42' })).toBe(7);
    expect(await pages({ q: 'written' })).toBe(7);
    expect(await pages({ q: `written ${timeIn(OLDER).toISOString()}` })).toBe(1);
    expect(await pages({ from: timeIn(OLD), to: timeIn(OLD, 60 * 24) })).toBe(3);
    expect(await stores.audit.find(OLDER * IDS_OF_A_MONTH + 2)).toMatchObject({
      occurredAt: timeIn(OLDER, 120),
    });
    expect((await stores.firewall.list({}, { limit: 50 })).entries).toHaveLength(7);
  });

  it('asks only the partitions that can have an answer', async () => {
    const stores = await open();
    await fill(database.url, stores, [OLDER, OLD]);
    const ids = (month: number): number => month * IDS_OF_A_MONTH;
    const table = 'guardrails_audit_evidence';
    expect(await readBy(`select * from ${table} where id = ${ids(OLD) + 1}`)).toEqual([suffixOf(OLD)]);
    expect(await readBy(`select * from ${table} where id < ${ids(NOW)} order by id desc limit 2`)).toEqual([
      suffixOf(OLD),
    ]);
    const hour = timeIn(OLDER).toISOString().slice(0, 13);
    expect(
      await readBy(`select * from ${table}
        where id >= (select min(min_id) from guardrails_audit_hours where hour >= '${hour}' and hour <= '${hour}')
          and id <= (select max(max_id) from guardrails_audit_hours where hour >= '${hour}' and hour <= '${hour}')
        order by id desc limit 51`),
    ).toEqual([suffixOf(OLDER)]);
  });
});

describe('opening', () => {
  it('refuses tables that were made otherwise, and says what to do', async () => {
    await open({});
    const refused = open({ partitions: 'monthly' }, false);
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(/made without partitions.*nest-guardrails migrate --partitions/s);

    await open({ tablePrefix: 'shop_', partitions: 'monthly' });
    await expect(open({ tablePrefix: 'shop_' }, false)).rejects.toThrow(
      /say so with.*partitions: 'monthly'/s,
    );
  });

  it("keeps installations apart, by prefix and by schema, and goes up and down among a host's migrations", async () => {
    await open();
    const place = { tablePrefix: 'shop_', schema: 'guarded', partitions: 'monthly' } as const;
    expect(monthOf(await append(await open(place), new Date()))).toBe(NOW);

    const other = { tablePrefix: 'other_', partitions: 'monthly' } as const;
    const host = await new DataSource({
      type: 'postgres',
      url: database.url,
      entities: guardrailsEntities(other),
      migrations: [...guardrailsMigrations(other)],
      installExtensions: false,
    }).initialize();
    try {
      for (let time = 0; time < 2; time++) {
        await host.runMigrations();
        await host.undoLastMigration();
      }
      const { length } = await host.query<unknown[]>(
        "select 1 from pg_class where relname like 'other%' union all select 1 from pg_proc where proname like 'other%'",
      );
      expect(length).toBe(0);
    } finally {
      await host.destroy();
    }
  });
});
