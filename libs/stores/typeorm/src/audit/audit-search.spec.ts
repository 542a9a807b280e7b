import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { AuditListEntry } from '../../../../contracts/src/audit.js';
import { searchPage, type SearchedTable } from './audit-search.js';

const entry = (id: number): AuditListEntry => ({ id }) as AuditListEntry;

/** A table of which only the rows that match are kept. */
function table(highest: number, matching: readonly number[]): SearchedTable & { windows: number } {
  return {
    windows: 0,
    bounds: async () => (highest === 0 ? null : { lowest: 1, highest }),
    async hits(from, below, limit) {
      this.windows++;
      return matching
        .filter((id) => id >= from && id < below)
        .toSorted((one, other) => other - one)
        .slice(0, limit)
        .map(entry);
    },
  };
}

const matches = fc.uniqueArray(fc.integer({ min: 1, max: 200_000 }), { maxLength: 60 });

describe('searching by windows', () => {
  it('finds every match once, newest first, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(matches, fc.integer({ min: 1, max: 7 }), async (matching, limit) => {
        const found: number[] = [];
        let cursor: number | undefined;
        do {
          const page = await searchPage(table(200_000, matching), { limit, ...(cursor && { cursor }) });
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          found.push(...page.entries.map(({ id }) => id));
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect(found).toEqual(matching.toSorted((one, other) => other - one));
      }),
      { numRuns: 50 },
    );
  });

  it('looks no further than a full page needs', async () => {
    const common = table(
      10_000_000,
      Array.from({ length: 100 }, (_, index) => 10_000_000 - index),
    );
    const page = await searchPage(common, { limit: 50 });
    expect(page).toMatchObject({ nextCursor: 9_999_951, partial: false });
    expect(common.windows).toBe(1);
  });

  it('gives a short page and goes on from there when its patience ends', async () => {
    const impatient = { window: 100, milliseconds: -1, leastSearched: 250 };
    const rare = table(1_000, [720, 10]);
    const first = await searchPage(rare, { limit: 5 }, impatient);
    expect(first).toEqual({ entries: [entry(720)], nextCursor: 701, partial: true });
    const next = await searchPage(rare, { cursor: 701, limit: 5 }, impatient);
    expect(next).toEqual({ entries: [], nextCursor: 401, partial: true });
    const last = await searchPage(rare, { cursor: 301, limit: 5 }, impatient);
    expect(last).toEqual({ entries: [entry(10)], nextCursor: null, partial: false });
  });

  it('says nothing further of an empty table', async () => {
    expect(await searchPage(table(0, []), { limit: 5 })).toEqual({
      entries: [],
      nextCursor: null,
      partial: false,
    });
  });

  it('starts at the newest row under a cursor beyond it, and finds nothing below the oldest', async () => {
    expect((await searchPage(table(5, [2]), { cursor: Number.MAX_SAFE_INTEGER, limit: 5 })).entries).toEqual([
      entry(2),
    ]);
    expect((await searchPage(table(5, [2]), { cursor: 1, limit: 5 })).entries).toEqual([]);
  });
});
