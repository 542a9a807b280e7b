import type { DataSource } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { inMigrationTransaction } from '../migrations/migrations.js';
import { sql, type Sql } from '../database/sql.js';
import { tablesOf, type TableNaming } from '../database/tables.js';

export interface SearchLimits {
  /** The most ids that one statement reads. */
  readonly window: number;
  /** A request stops after this time … */
  readonly milliseconds: number;
  /** … and after at least this many ids. */
  readonly leastSearched: number;
}

const LIMITS: SearchLimits = { window: 40_000, milliseconds: 1_000, leastSearched: 500_000 };

/** The first window is small, because it has a page of a common text. */
const FIRST_WINDOW = 1_250;
const GROWTH = 4;

export interface SearchedIds {
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Reads the ids downwards in windows, so a rare text costs a request no more than a common one: the page may be short,
 * with `partial: true` and a cursor to continue from.
 *
 * @param hits returns matches with `from` ≤ id < `below`, newest first
 */
export async function searchPage<Entry extends { readonly id: number }>(
  ids: SearchedIds | null,
  hits: (from: number, below: number, limit: number) => Promise<readonly Entry[]>,
  { cursor, after, limit }: PageRequest,
  limits = LIMITS,
): Promise<Page<Entry>> {
  if (ids === null) return { entries: [], next_cursor: null };
  const lowest = Math.max(ids.lowest, (after ?? 0) + 1);
  const start = Math.min(cursor ?? Number.MAX_SAFE_INTEGER, ids.highest + 1);
  const startedAt = performance.now();
  const entries: Entry[] = [];
  let below = start;
  let window = Math.min(FIRST_WINDOW, limits.window);
  while (below > lowest) {
    const from = Math.max(below - window, lowest);
    entries.push(...(await hits(from, below, limit + 1 - entries.length)));
    below = from;
    window = Math.min(window * GROWTH, limits.window);
    if (entries.length > limit) {
      const shown = entries.slice(0, limit);
      return { entries: shown, next_cursor: shown.at(-1)?.id ?? null };
    }
    const isLate = performance.now() - startedAt > limits.milliseconds;
    if (isLate && start - below >= limits.leastSearched && below > lowest)
      return { entries, next_cursor: below, partial: true };
  }
  return { entries, next_cursor: null };
}

/** Shorter texts have no trigram. */
const SHORTEST = 3;

export function hasTrigrams(q: string): boolean {
  return Array.from(q).length >= SHORTEST;
}

/** Contains `q` literally, by the trigram index. */
export function containsByTrigram(q: string): Sql {
  const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`lower(c.prompt collate "C") like lower(${pattern}::text collate "C")`;
}

/** Creates the index of `search: 'trigram'` if it is missing. */
export async function createTrigramIndex(dataSource: DataSource, naming: TableNaming): Promise<void> {
  try {
    await inMigrationTransaction(dataSource, async (runner) => {
      for (const statement of indexStatements(naming)) await runner.query(statement);
    });
  } catch (error) {
    if (!(error instanceof Error) || !/extension "pg_trgm"/.test(error.message)) throw error;
    throw new ConfigurationError([
      `search: 'trigram' needs the extension pg_trgm, which could not be created: ${error.message}. ` +
        `Have an administrator run \`create extension pg_trgm\` in this database, or use search: 'windows'.`,
    ]);
  }
}

/** Without the index every search would read the whole table. */
export async function assertTrigramIndex(dataSource: DataSource, naming: TableNaming): Promise<void> {
  const name = indexName(naming);
  const found = await dataSource.query<unknown[]>(
    `select 1 from pg_indexes
     where indexname = $1 and (schemaname = $2 or ($2::text is null and schemaname = any(current_schemas(false))))`,
    [name, naming.schema ?? null],
  );
  if (found.length > 0) return;
  throw new ConfigurationError([
    `search: 'trigram' needs the index ${name}. Create it with typeormStores({ …, search: 'trigram', ` +
      `migrate: true }), or run:\n${indexStatements(naming).join(';\n')};`,
  ]);
}

const indexName = ({ tablePrefix }: TableNaming) => `${tablePrefix}content_by_trigram`;

function indexStatements(naming: TableNaming): readonly string[] {
  return [
    'create extension if not exists pg_trgm',
    `create index if not exists "${indexName(naming)}" on ${tablesOf(naming).content.text}
      using gin (lower(prompt collate "C") gin_trgm_ops)`,
  ];
}
