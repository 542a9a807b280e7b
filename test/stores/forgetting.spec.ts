import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import { createEngine, type Engine } from '#engine/index.js';
import type { RetentionRun } from '#contracts/retention/retention.js';
import type { HeldRun } from '#contracts/stores/retention.store.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';

const TEXT = 'my card ends with 4711';
const NAME = 'customer-42';
const DICTIONARY = ['hello', 'customer-41', 'my card ends with 4710', TEXT, NAME];

let database: FreshDatabase;
let stores: StoreBackend;
let engine: Engine;
let close: () => Promise<void>;

beforeEach(async () => {
  database = await freshDatabase();
  stores = typeormStores({ url: database.url });
  await stores.open();
  engine = createEngine({
    stores,
    configured: { ...DEFAULT_SETTINGS, 'audit_hygiene.prompt_storage': 'raw' },
  });
  await engine.start();
  await engine.guardrails.screen(TEXT, { principalId: NAME });
  close = async () => {
    await engine.stop();
    await stores.close();
  };
});

afterEach(async () => {
  await close();
  await database.drop();
});

/** All values of all tables, as someone who copies the database gets them. */
async function loot(): Promise<readonly Buffer[]> {
  return onServer(async (server) => {
    const { rows: tables } = await server.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const values: unknown[] = [];
    for (const { name } of tables) {
      const { rows } = await server.query<Record<string, unknown>>(`select * from "${name}"`);
      values.push(...rows.flatMap((row) => Object.values(row)));
    }
    return values
      .filter((value) => value !== null)
      .map((value) =>
        Buffer.isBuffer(value)
          ? value
          : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
      );
  }, database.url);
}

/** Words of the dictionary whose digest is among the values, with any other value as the salt. */
function found(values: readonly Buffer[]): readonly string[] {
  const known = new Set(values.map((value) => value.toString('hex')));
  return DICTIONARY.filter((word) =>
    [Buffer.alloc(0), ...values].some((salt) =>
      ['', 'prompt\u0000', 'matchedText\u0000', 'principal\u0000'].some((field) =>
        known.has(
          createHash('sha256')
            .update(salt)
            .update(field + word)
            .digest('hex'),
        ),
      ),
    ),
  );
}

describe('a dictionary attack on a copied database', () => {
  it('finds a text and a name as long as their salt exists, and not after they are erased', async () => {
    expect(found(await loot())).toEqual([TEXT, NAME]);
    await engine.retention.apply({
      strategy: 'anonymize',
      scope: { kind: 'principal', principalId: NAME },
      actorId: 'ops-1',
    });
    const left = await loot();
    expect(left.some((value) => value.length === 32)).toBe(true);
    expect(found(left)).toEqual([]);
  });

  it('does not find the text of a single erased entry', async () => {
    await engine.retention.apply({
      strategy: 'anonymize',
      scope: { kind: 'entry', id: 1 },
      actorId: 'ops-1',
    });
    expect(found(await loot())).not.toContain(TEXT);
  });
});

describe('decisions that are appended while their principal is erased', () => {
  it('are erased too, or belong to a new row of the principal', async () => {
    const context = { principalId: NAME };
    const runs: (RetentionRun | null)[] = [];
    let written = 0;
    // Continues until at least two erasures ran at the same time.
    const write = async (): Promise<void> => {
      for (let n = 0; n < 40 || runs.length < 2; n++) {
        await engine.guardrails.screen(`${TEXT}, once more`, context);
        written++;
      }
    };
    const ended: number[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      await write();
      ended.push(writer);
    });
    const order = { strategy: 'anonymize', scope: { kind: 'principal', principalId: NAME } } as const;
    while (ended.length < writers.length)
      runs.push(await engine.retention.apply({ ...order, actorId: 'ops-1' }));
    await Promise.all(writers);

    const [left] = await onServer(async (server) => {
      const { rows } = await server.query<Record<'nameless' | 'named' | 'all', string>>(
        `select count(*) filter (where p.id is null and c.storage <> 'erased') as nameless,
           count(*) filter (where p.id is not null) as named, count(*) as all
         from guardrails_audit_evidence e
         join guardrails_audit_content c on c.evidence_id = e.id
         left join guardrails_principals p on p.id = e.principal_ref`,
      );
      return rows;
    }, database.url);
    const erased = runs.reduce((sum, run) => sum + (run?.counts.entries ?? 0), 0);
    expect(left).toMatchObject({ nameless: '0', all: String(written + 1) });
    expect(erased + Number(left?.named)).toBe(written + 1);
  });
});

describe('the erasure of a principal', () => {
  const scope = { kind: 'principal', principalId: NAME } as const;
  const begin = async (): Promise<HeldRun> =>
    (await stores.retention.begin({ strategy: 'anonymize', scope, actorId: 'ops-1' }, 60_000)) as HeldRun;

  /** One batch of at most ten records. */
  async function proceed(run: HeldRun): Promise<{ run: HeldRun; done: boolean }> {
    const step = await stores.retention.proceed(run, 10, 60_000);
    if (step === null) throw new Error('The run is not leased any more.');
    return step;
  }

  it('reads only entries that are newer than the run while appends wait', async () => {
    for (let n = 0; n < 29; n++) await engine.guardrails.screen(TEXT, { principalId: NAME });
    let step = { run: await begin(), done: false };
    await engine.guardrails.screen(`${TEXT}, once more`, { principalId: NAME });
    const send = jest.spyOn(Client.prototype, 'query');
    let whileWaiting: string[] = [];
    while (!step.done) {
      send.mockClear();
      step = await proceed(step.run);
      const texts = send.mock.calls.map(([query]) => (query as unknown as { text: string }).text);
      whileWaiting = texts.slice(texts.findIndex((text) => text.includes('append_lock" in exclusive mode')));
    }
    send.mockRestore();
    expect(step.run.counts).toMatchObject({ entries: 31, principals: 1 });
    expect(whileWaiting.filter((text) => text.includes('read_rows'))).toHaveLength(1);
  });

  it('includes entries that it skipped under a hold which was released meanwhile', async () => {
    const begun = await begin();
    const { id } = await stores.holds.set({ scope, reason: 'case 118', setBy: 'ops-1' }, () => []);
    let step = await proceed(begun);
    expect(step.run.counts.entries).toBe(0);
    await stores.holds.release(id, 'ops-1', () => []);
    while (!step.done) step = await proceed(step.run);
    expect(step.run.counts).toMatchObject({ entries: 1, principals: 1 });
    expect(found(await loot())).not.toContain(TEXT);
  });
});
