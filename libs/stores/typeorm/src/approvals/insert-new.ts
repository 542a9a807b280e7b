import type { EntityManager } from 'typeorm';
import type { Database } from '../database.js';
import { isDuplicate } from '../store-errors.js';
import type { ApprovalValues } from './transition.js';

/** The id of the new row; `null` where one of its keys is taken. */
export async function insertNew(
  { dialect, entities }: Database,
  manager: EntityManager,
  values: ApprovalValues,
): Promise<number | null> {
  const insert = manager
    .createQueryBuilder()
    .insert()
    .into(entities.approval)
    .values(values)
    .updateEntity(false);
  if (dialect.writesInQueries) {
    const { raw } = await insert.orIgnore().returning('id').execute();
    const [row] = raw as { readonly id: string }[];
    return row === undefined ? null : Number(row.id);
  }
  // To ignore a taken key is to ignore a text that is cut as well; and a failed statement leaves the transaction whole.
  try {
    const { raw } = await insert.execute();
    return Number((raw as { readonly insertId: number | string }).insertId);
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}
