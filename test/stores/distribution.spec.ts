import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { typeormStores } from '#stores/typeorm/index.js';
import { bareDatabase } from '../postgres/database.js';

const GUIDE = new URL('../../docs/reference/distribution.md', import.meta.url);
const SCHEMA = 'guardrails_shop';
const OTHER = 'guardrails_support';

interface Distributed {
  readonly table: string;
  readonly column: string;
  readonly isInEveryKey: boolean;
  readonly triggers: readonly string[];
}

/** The tables that the guide calls distributable. */
function distributedTables(): readonly Distributed[] {
  const guide = readFileSync(GUIDE, 'utf8');
  const lines = guide.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (yes|no) +\| ([^|]*)\|$/gm);
  return [...lines].map(([, table = '', column = '', isInEveryKey, triggers = '']) => ({
    table,
    column,
    isInEveryKey: isInEveryKey === 'yes',
    triggers: [...triggers.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).toSorted(),
  }));
}

const DISTRIBUTED = distributedTables();

const database = await bareDatabase();
const client = new Client(database.url);
await client.connect();
for (const schema of [SCHEMA, OTHER]) {
  await client.query(`create schema ${schema}`);
  const stores = typeormStores({ url: database.url, schema, migrate: true });
  await stores.open();
  await stores.close();
}

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function read<Row extends object>(
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await client.query<Row>(statement, [...parameters])).rows;
}

/** The columns of each unique or exclusive index of a table, primary keys included. */
function keysOf(
  table: string,
): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]> {
  return read(
    `select i.indexrelid::regclass::text as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns
     from pg_index i where i.indrelid = $1::regclass and (i.indisunique or i.indisexclusion)`,
    [`${SCHEMA}.guardrails_${table}`],
  );
}

it('finds every table with rows of an entry in the guide', async () => {
  const tables = await read<{ readonly name: string }>(
    `select replace(c.relname, 'guardrails_', '') as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::regnamespace and c.relkind = 'r'
       and (a.attname = 'evidence_id' or c.relname = 'guardrails_audit_evidence' and a.attname = 'id')`,
    [SCHEMA],
  );

  expect(DISTRIBUTED.map(({ table }) => table).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

describe.each(DISTRIBUTED)('$table, distributed by $column', ({ table, column, isInEveryKey, triggers }) => {
  it('has the column, never null, in the type of the other tables', async () => {
    const columns = await read(
      `select format_type(atttypid, atttypmod) as type, attnotnull as "isNotNull"
       from pg_attribute where attrelid = $1::regclass and attname = $2`,
      [`${SCHEMA}.guardrails_${table}`, column],
    );

    expect(columns).toEqual([{ type: 'bigint', isNotNull: true }]);
  });

  it(`has the column in ${isInEveryKey ? 'every' : 'not every'} unique index, as the guide states`, async () => {
    const keys = await keysOf(table);

    expect(keys).not.toEqual([]);
    expect(keys.every(({ columns }) => columns.includes(column))).toBe(isInEveryKey);
  });

  it('has the triggers that the guide lists', async () => {
    const found = await read<{ readonly name: string }>(
      'select tgname::text as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal',
      [`${SCHEMA}.guardrails_${table}`],
    );

    expect(found.map(({ name }) => name).toSorted()).toEqual(triggers);
  });
});

describe('an installation in a schema', () => {
  it('has no foreign key, no partition and no inheritance', async () => {
    const found = await read(
      `select conname::text as name from pg_constraint where contype = 'f' and connamespace = any($1::regnamespace[])
       union all
       select inhrelid::regclass::text from pg_inherits`,
      [[SCHEMA, OTHER]],
    );

    expect(found).toEqual([]);
  });

  it('has every table, index, sequence and function in this schema', async () => {
    const outside = await read(
      `select relname::text as name from pg_class where relname like '%guardrails%' and relnamespace <> all($1::regnamespace[])
       union all
       select proname::text from pg_proc where proname like '%guardrails%' and pronamespace <> all($1::regnamespace[])`,
      [[SCHEMA, OTHER]],
    );

    expect(outside).toEqual([]);
  });

  it('has no object that depends on another schema of ours', async () => {
    const across = await read(
      `with placed as (
         select 'pg_class'::regclass as kind, oid, relnamespace as schema from pg_class where relnamespace <> 'pg_toast'::regnamespace
         union all select 'pg_proc'::regclass, oid, pronamespace from pg_proc
         union all
         select 'pg_trigger'::regclass, t.oid, c.relnamespace from pg_trigger t join pg_class c on c.oid = t.tgrelid
         union all
         select 'pg_attrdef'::regclass, a.oid, c.relnamespace from pg_attrdef a join pg_class c on c.oid = a.adrelid)
       select one.kind::text, one.oid::text, other.kind::text as "otherKind", other.oid::text as other
       from pg_depend d
       join placed one on one.kind = d.classid and one.oid = d.objid
       join placed other on other.kind = d.refclassid and other.oid = d.refobjid
       where one.schema <> other.schema
         and (one.schema = any($1::regnamespace[]) or other.schema = any($1::regnamespace[]))`,
      [[SCHEMA, OTHER]],
    );

    expect(across).toEqual([]);
  });

  it('has functions of triggers that name no schema', async () => {
    const functions = await read<{ readonly name: string; readonly body: string }>(
      'select oid::regprocedure::text as name, prosrc as body from pg_proc where pronamespace = any($1::regnamespace[])',
      [[SCHEMA, OTHER]],
    );

    expect(functions.length).toBeGreaterThan(0);
    for (const { body } of functions) expect(body).not.toMatch(new RegExp(`${SCHEMA}|${OTHER}|public\\.`));
  });
});
