import { describe, expect, it } from '@jest/globals';
import { Columns, join, raw, rows, sql, where } from './sql.js';

describe('the sql tag', () => {
  it('turns values into numbered parameters and inserts other parts', () => {
    const part = sql`id = any(${[1, 2]}::bigint[])`;
    const statement = sql`select 1 from ${raw('"t"')} where ${part} and name = ${'x'} limit ${5}`;
    expect(statement.text).toBe('select 1 from "t" where id = any($1::bigint[]) and name = $2 limit $3');
    expect(statement.values).toEqual([[1, 2], 'x', 5]);
  });

  it('replaces characters that PostgreSQL cannot store, also in lists', () => {
    expect(sql`${'a\u0000b'} ${['\uD800', null]} ${null}`.values).toEqual([
      'a\uFFFDb',
      ['\uFFFD', null],
      null,
    ]);
  });

  it.each([
    ['-000043-03-15T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['+275760-09-13T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['2026-03-10T12:00:00.001Z', '2026-03-10T12:00:00.001Z'],
  ])('sends the time %s as %s', (given, sent) => {
    expect(sql`${new Date(given)}`.values).toEqual([sent]);
  });

  it('joins parts and leaves out an empty where', () => {
    expect(join([sql`a = ${1}`, sql`b = ${2}`], ' or ').text).toBe('a = $1 or b = $2');
    expect([join([]).text, where([]).text]).toEqual(['', '']);
    expect(where([sql`a = ${1}`, raw('b')]).text).toBe('where a = $1 and b');
  });

  it('makes a relation of records, with columns in snake case', () => {
    const relation = rows([{ ruleId: 'a', hits: 1 }], { ruleId: 'text', hits: 'bigint' });
    expect(relation.text).toBe(
      '(select unnest($1::text[]) as rule_id, unnest($2::bigint[]) as hits) as given',
    );
    expect(relation.values).toEqual(['{"a"}', '{1}']);
  });

  it('makes a relation of one row, with plain values', () => {
    const columns = Columns.of<{ ruleId: string; hits: number }>({ ruleId: 'text', hits: 'bigint' });
    const relation = columns.oneRow({ ruleId: 'a\u0000', hits: 1 });
    expect(relation.text).toBe('(select $1::text as rule_id, $2::bigint as hits) as given');
    expect(relation.values).toEqual(['a\uFFFD', 1]);
  });

  it('writes the values of a column as an array literal', () => {
    const values = ['', 'NULL', '{"a\\b",}', 'a\u0000\uD800🙂', null, undefined];
    const others = [true, -1.5, Buffer.of(0, 255), Uint8Array.of(1), new Date(0), null];
    const given = values.map((text, index) => ({ text, other: others[index] }));
    expect(rows(given, { text: 'text', other: 'text' }).values).toEqual([
      '{"","NULL","{\\"a\\\\b\\",}","a\uFFFD\uFFFD🙂",NULL,NULL}',
      '{true,-1.5,\\\\x00ff,\\\\x01,1970-01-01T00:00:00.000Z,NULL}',
    ]);
  });
});
