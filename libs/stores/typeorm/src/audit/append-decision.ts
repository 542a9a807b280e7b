import type { EntityManager } from 'typeorm';
import type { Decision } from '../../../../contracts/src/audit.js';
import type { Database } from '../database.js';
import { batchOf } from './batch.js';
import { decisionRow } from './decision-row.js';
import { newChain } from './seal.js';

/**
 * A decision that commits with something else, within the transaction of `manager`. Whether it will commit is not
 * ours to know, so its evidence is the only row of a writer of its own.
 */
export async function appendDecision(
  manager: EntityManager,
  database: Database,
  decision: Decision,
): Promise<number> {
  const batch = batchOf(newChain(), [decisionRow(decision)]);
  const [id] = await database.dialect.writeBatch(database, manager, database.tables, batch);
  return Number(id);
}
