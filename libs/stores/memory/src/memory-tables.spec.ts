import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Table } from './memory-tables.js';

interface Row {
  readonly id: number;
  readonly wanted: boolean;
}

function tableOf(wanted: readonly boolean[]): Table<Row> {
  const table = new Table<Row>();
  for (const one of wanted) table.insert({ wanted: one });
  return table;
}

describe('Table', () => {
  it('returns every match once, newest first; pages before the last are full and the last is not empty', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 9 }), (wanted, limit) => {
        const table = tableOf(wanted);
        const shown: number[] = [];
        let cursor: number | undefined;
        for (;;) {
          const request = cursor === undefined ? { limit } : { limit, cursor };
          const page = table.page(request, (row) => row.wanted);
          shown.push(...page.entries.map((row) => row.id));
          if (page.next_cursor === null) {
            if (cursor !== undefined) expect(page.entries).not.toHaveLength(0);
            break;
          }
          expect(page.entries).toHaveLength(limit);
          cursor = page.next_cursor;
        }
        const matches = wanted.flatMap((one, index) => (one ? [index + 1] : []));
        expect(shown).toEqual(matches.toReversed());
      }),
    );
  });

  it('finds and replaces only the row with the given id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: -2, max: 45 }), (count, id) => {
        const table = tableOf(Array<boolean>(count).fill(false));
        table.replace({ id, wanted: true });
        const exists = id >= 1 && id <= count;
        expect(table.find(id)).toEqual(exists ? { id, wanted: true } : undefined);
        expect([...table].filter((row) => row.wanted)).toHaveLength(exists ? 1 : 0);
        expect([...table]).toHaveLength(count);
      }),
    );
  });
});
