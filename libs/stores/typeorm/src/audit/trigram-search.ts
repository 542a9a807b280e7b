import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../../../contracts/src/errors.js';
import type { Dialect } from '../dialects/dialect.js';
import { rowsOf } from '../rows.js';
import { tablesOf, type TableNaming } from '../tables.js';

/** How a text is found: by walking windows of rows, or by an index of its parts. */
export type SearchBy = 'windows' | 'trigram';

/** A shorter text has no trigram of its own, and no index helps to find it. */
const SHORTEST = 3;

export function hasTrigrams(q: string): boolean {
  return Array.from(q).length >= SHORTEST;
}

/** `q` anywhere in a text, literally, as LIKE wants it said. */
export function likePattern(q: string): string {
  return `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Makes the index of `search: 'trigram'` where it is missing; building it waits for no time-out. */
export async function makeTrigramIndex(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
): Promise<void> {
  const statements = indexStatements(dialect, naming);
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await dialect.lockMigrations(runner);
    for (const statement of statements) await runner.query(statement);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw withoutExtension(error) ?? error;
  } finally {
    await runner.release();
  }
}

/** Without it every search would walk the whole table. */
export async function assertTrigramIndex(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
): Promise<void> {
  const name = indexName(naming);
  const wanted = [name, naming.schema ?? null];
  const found = await rowsOf(dataSource.manager, dialect.indexNamed, wanted);
  if (found.length > 0) return;
  throw new ConfigurationError([
    `search: 'trigram' needs the index ${name}. Let the stores make it with typeormStores({ …, search: 'trigram', ` +
      `migrate: true }), or run yourself:\n${indexStatements(dialect, naming).join(';\n')};`,
  ]);
}

const indexName = ({ tablePrefix }: TableNaming): string => `${tablePrefix}content_by_trigram`;

function indexStatements(dialect: Dialect, naming: TableNaming): readonly string[] {
  return dialect.indexOfParts(indexName(naming), tablesOf(naming).content, 'prompt');
}

/** Not installed on the server, or not ours to create. */
function withoutExtension(error: unknown): ConfigurationError | null {
  if (!(error instanceof Error) || !/extension "pg_trgm"/.test(error.message)) return null;
  return new ConfigurationError([
    `search: 'trigram' needs the extension pg_trgm, and could not create it: ${error.message}. ` +
      "Let someone who may run create extension pg_trgm in this database, or leave search at 'windows'.",
  ]);
}
