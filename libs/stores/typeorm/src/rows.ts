import type { EntityManager } from 'typeorm';

/** A statement must begin with `select` or `with`: TypeORM answers bare updates in another shape. */
export function rowsOf<Row>(
  manager: EntityManager,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return manager.query<Row[]>(statement, [...parameters]);
}
