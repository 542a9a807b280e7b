import assert from 'node:assert/strict';
import type { Page, PageRequest } from '../../../contracts/src/page.js';

/** Every page of a list, by following its cursor to the end. A search may hand over short pages on the way. */
export async function pagesOf<Entry>(
  read: (page: PageRequest) => Promise<Page<Entry>>,
  limit = 200,
): Promise<Page<Entry>[]> {
  const pages: Page<Entry>[] = [];
  let cursor: number | null = Number.MAX_SAFE_INTEGER;
  while (cursor !== null) {
    const page: Page<Entry> = await read({ cursor, limit });
    assert.ok(page.entries.length <= limit, 'a page is never longer than its limit');
    assert.ok(page.nextCursor === null || page.nextCursor < cursor, 'a cursor always moves on');
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

/** Every entry of a list, newest first. */
export async function entriesOf<Entry>(
  read: (page: PageRequest) => Promise<Page<Entry>>,
  limit = 200,
): Promise<Entry[]> {
  return (await pagesOf(read, limit)).flatMap((page) => page.entries);
}
