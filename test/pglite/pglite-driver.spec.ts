import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createPgliteDriver } from '#stores/typeorm/index.js';

let pglite: PGlite;

beforeAll(async () => {
  pglite = await PGlite.create();
});

afterAll(() => pglite.close());

const count = async (client: { query(text: string): Promise<{ rows: unknown[] }> }): Promise<unknown> =>
  (await client.query('select count(*)::int as notes from notes')).rows[0];

/** The driver has the interface of `pg`. Its type is open, so that hosts need no types of `pg`. */
const driverOver = (...options: Parameters<typeof createPgliteDriver>) =>
  createPgliteDriver(...options) as typeof pg;

describe('the pg driver over PGlite', () => {
  beforeEach(() => pglite.exec('drop table if exists notes; create table notes (text text)'));

  it('returns types, parameters and error codes like a server', async () => {
    const pool = new (driverOver(pglite).Pool)();
    const { rows } = await pool.query('select $1::bigint as big, $2::text as text, $3::timestamptz as time', [
      '9007199254740993',
      "it's 😀",
      new Date(0),
    ]);
    expect(rows).toEqual([{ big: '9007199254740993', text: "it's 😀", time: new Date(0) }]);
    await expect(pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await pool.end();
  });

  it('sends and receives megabytes', async () => {
    const pool = new (driverOver(pglite).Pool)();
    const text = 'ä'.repeat(2 ** 20);
    const { rows } = await pool.query<{ text: string }>('select $1::text as text', [text]);
    expect(rows[0]?.text === text).toBe(true);
    await pool.end();
  });

  it('isolates transactions, also those of two pools', async () => {
    const pools = [1, 2].map(() => new (driverOver(pglite).Pool)());
    const seen = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const client = await pools[index % 2]!.connect();
        await client.query('begin');
        const before = await count(client);
        await client.query('insert into notes values ($1)', [`${index}`]);
        const after = await count(client);
        await client.query(index % 5 === 0 ? 'rollback' : 'commit');
        client.release();
        return [before, after];
      }),
    );
    for (const [before, after] of seen) {
      expect(after).toEqual({ notes: (before as { notes: number }).notes + 1 });
    }
    expect(await count(pools[0]!)).toEqual({ notes: 8 });
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it('rolls back the transaction of a closed connection, and gives the session to the next one', async () => {
    const pool = new (driverOver(pglite).Pool)();
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into notes values ('lost')");
    client.release(true);
    expect(await count(pool)).toEqual({ notes: 0 });
    await pool.end();
  });

  it('reports a use of the pool inside a transaction', async () => {
    const pool = new (driverOver(pglite, { acquireTimeoutMs: 20 }).Pool)();
    const client = await pool.connect();
    await client.query('begin');
    await expect(pool.query('select 1')).rejects.toThrow(/inside an open transaction/);
    await client.query('commit');
    client.release();
    expect(await count(pool)).toEqual({ notes: 0 });
    await pool.end();
  });
});
