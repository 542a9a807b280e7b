import type { AuditListEntry } from '../../../../contracts/src/audit.js';
import type { Page, PageRequest } from '../../../../contracts/src/page.js';

export interface SearchPatience {
  /** So many ids are looked through by one statement. */
  readonly window: number;
  /** A request goes on for this long … */
  readonly milliseconds: number;
  /** … and for at least this many ids. */
  readonly leastSearched: number;
}

const PATIENCE: SearchPatience = { window: 20_000, milliseconds: 1_000, leastSearched: 500_000 };

export interface SearchedTable {
  /** The lowest and the highest id; `null` while there is none. */
  bounds(): Promise<{ readonly lowest: number; readonly highest: number } | null>;
  /** Hits with `from` ≤ id < `below`, newest first. */
  hits(from: number, below: number, limit: number): Promise<readonly AuditListEntry[]>;
}

/**
 * Text is found by walking the ids downwards, window by window, so that a rare text costs one request no more than
 * a common one: the page comes back as it is, and says where to go on.
 */
export async function searchPage(
  table: SearchedTable,
  { cursor, limit }: PageRequest,
  patience = PATIENCE,
): Promise<Page<AuditListEntry>> {
  const bounds = await table.bounds();
  if (bounds === null) return { entries: [], nextCursor: null, partial: false };

  const start = Math.min(cursor ?? Number.MAX_SAFE_INTEGER, bounds.highest + 1);
  const startedAt = performance.now();
  const entries: AuditListEntry[] = [];
  let below = start;
  let searched = 0;
  while (below > bounds.lowest) {
    const from = Math.max(below - patience.window, bounds.lowest);
    entries.push(...(await table.hits(from, below, limit + 1 - entries.length)));
    searched += below - from;
    below = from;
    if (entries.length > limit) {
      const shown = entries.slice(0, limit);
      return { entries: shown, nextCursor: shown.at(-1)?.id ?? null, partial: false };
    }
    const isLate = performance.now() - startedAt > patience.milliseconds;
    const tired = isLate && searched >= patience.leastSearched;
    if (tired && below > bounds.lowest) return { entries, nextCursor: below, partial: true };
  }
  return { entries, nextCursor: null, partial: false };
}
