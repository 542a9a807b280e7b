import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Table } from './table.js';

interface Row {
  readonly id: number;
  readonly wanted: boolean;
}

function tableOf(wanted: readonly boolean[]): Table<Row> {
  const table = new Table<Row>();
  for (const one of wanted) table.insert({ wanted: one });
  return table;
}

describe('a table', () => {
  it('shows every match once, newest first, in pages that are full up to the last, which is never empty', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 9 }), (wanted, limit) => {
        const table = tableOf(wanted);
        const shown: number[] = [];
        let cursor: number | undefined;
        for (;;) {
          const request = cursor === undefined ? { limit } : { limit, cursor };
          const page = table.page(request, (row) => row.wanted);
          shown.push(...page.entries.map((row) => row.id));
          if (page.nextCursor === null) {
            if (cursor !== undefined) expect(page.entries).not.toHaveLength(0);
            break;
          }
          expect(page.entries).toHaveLength(limit);
          cursor = page.nextCursor;
        }
        const matches = wanted.flatMap((one, index) => (one ? [index + 1] : []));
        expect(shown).toEqual(matches.toReversed());
      }),
    );
  });

  it('finds and replaces a row by its id, and no other', () => {
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
