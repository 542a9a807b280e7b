import type { Page, PageRequest } from '../../../contracts/src/page.js';

/** Of one row more than asked for, a page: the row too many says that there is more. */
export function pageOf<Entry extends { readonly id: number }>(
  found: readonly Entry[],
  { limit }: PageRequest,
): Page<Entry> {
  const entries = found.slice(0, limit);
  const nextCursor = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
  return { entries, nextCursor, partial: false };
}

export function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}
