import type { DataSource, EntityManager } from 'typeorm';
import { spelled } from './dialects/spelling.js';

/** A statement must begin with `select` or `with`: TypeORM answers bare updates in another shape. */
export function rowsOf<Row>(
  manager: EntityManager,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return perform<Row[]>(manager, statement, parameters);
}

/** Any statement, in the spelling of its database; the answer is as the driver gives it. */
export function perform<Answer>(
  manager: EntityManager,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<Answer> {
  const { text, values } = spelled(databaseType(manager), statement, parameters);
  return manager.query<Answer>(text, values);
}

/** Under its older name the property is there in every version of TypeORM. */
function databaseType({ connection }: { readonly connection: DataSource }): string {
  return connection.options.type;
}

/** Performs a statement that changes rows, and answers how many. */
export async function changedBy(
  manager: EntityManager,
  change: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  if (databaseType(manager) !== 'postgres') {
    return (await perform<{ affectedRows: number }>(manager, change, parameters)).affectedRows;
  }
  const statement = `with touched as (${change} returning 1) select count(*) as count from touched`;
  const [row] = await rowsOf<{ count: string }>(manager, statement, parameters);
  return Number(row?.count);
}
