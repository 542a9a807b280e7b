import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AuditListItem } from '#contracts/audit/entry.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { searchPage, type SearchedIds, type SearchLimits } from './text-search.js';

const entry = (id: number): AuditListItem => ({ id }) as AuditListItem;

interface SearchedTable {
  readonly ids: SearchedIds | null;
  windows: number;
  search(page: PageRequest, limits?: SearchLimits): Promise<Page<AuditListItem>>;
}

/** A table with ids from 1 to `highest`, of which some match. */
function table(highest: number, matching: readonly number[]): SearchedTable {
  return {
    ids: highest === 0 ? null : { lowest: 1, highest },
    windows: 0,
    search(page, limits) {
      const hits = async (from: number, below: number, limit: number): Promise<AuditListItem[]> => {
        this.windows++;
        return matching
          .filter((id) => id >= from && id < below)
          .toSorted((one, other) => other - one)
          .slice(0, limit)
          .map(entry);
      };
      return searchPage(this.ids, hits, page, limits);
    },
  };
}

const matches = fc.uniqueArray(fc.integer({ min: 1, max: 200_000 }), { maxLength: 60 });

describe('text search by windows', () => {
  it('finds every match once, newest first, with any page size', async () => {
    await fc.assert(
      fc.asyncProperty(matches, fc.integer({ min: 1, max: 7 }), async (matching, limit) => {
        const found: number[] = [];
        let cursor: number | undefined;
        do {
          const page = await table(200_000, matching).search({ limit, ...(cursor && { cursor }) });
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          found.push(...page.entries.map(({ id }) => id));
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
        expect(found).toEqual(matching.toSorted((one, other) => other - one));
      }),
      { numRuns: 50 },
    );
  });

  it('stops reading when the page is full', async () => {
    const common = table(
      10_000_000,
      Array.from({ length: 100 }, (_, index) => 10_000_000 - index),
    );
    const page = await common.search({ limit: 50 });
    expect(page).toMatchObject({ next_cursor: 9_999_951 });
    expect(common.windows).toBe(1);
  });

  it('returns a short page and a cursor when its time is used up', async () => {
    const limits = { window: 100, milliseconds: -1, leastSearched: 250 };
    const rare = table(1_000, [720, 10]);
    const first = await rare.search({ limit: 5 }, limits);
    expect(first).toEqual({ entries: [entry(720)], next_cursor: 701, partial: true });
    const next = await rare.search({ cursor: 701, limit: 5 }, limits);
    expect(next).toEqual({ entries: [], next_cursor: 401, partial: true });
    const last = await rare.search({ cursor: 301, limit: 5 }, limits);
    expect(last).toEqual({ entries: [entry(10)], next_cursor: null });
  });

  it('returns an empty page for an empty table', async () => {
    expect(await table(0, []).search({ limit: 5 })).toEqual({
      entries: [],
      next_cursor: null,
    });
  });

  it('starts at the newest row if the cursor is higher, and finds nothing below the oldest row', async () => {
    expect((await table(5, [2]).search({ cursor: Number.MAX_SAFE_INTEGER, limit: 5 })).entries).toEqual([
      entry(2),
    ]);
    expect((await table(5, [2]).search({ cursor: 1, limit: 5 })).entries).toEqual([]);
  });
});
