import { describe, expect, it } from '@jest/globals';
import { countFacets } from './facets.js';

const oneEach = async (from: number, below: number) => [{ value: 'tool', count: String(below - from) }];
const ids = { lowest: 1, highest: 1_000 };
const never = Number.POSITIVE_INFINITY;

describe('facets by windows', () => {
  it('counts every id of the range once', async () => {
    const limits = { window: 300, milliseconds: never, least: 0, most: 1_000 };
    expect(await countFacets(ids, oneEach, limits)).toEqual({
      values: [{ value: 'tool', count: 1_000 }],
    });
  });

  it('is partial if the rows are used up', async () => {
    const limits = { window: 300, milliseconds: never, least: 0, most: 600 };
    expect(await countFacets(ids, oneEach, limits)).toEqual({
      values: [{ value: 'tool', count: 600 }],
      partial: true,
    });
  });

  it('is partial if the time is used up, after the least number of rows', async () => {
    const limits = { window: 100, milliseconds: -1, least: 250, most: 1_000 };
    expect(await countFacets(ids, oneEach, limits)).toEqual({
      values: [{ value: 'tool', count: 300 }],
      partial: true,
    });
  });
});
