import type { Database } from '../database.js';
import { isRefusal } from '../store-errors.js';
import { batchOf } from './batch.js';
import type { DecisionRow } from './decision-row.js';
import { newChain, type Chain } from './seal.js';

/** Writes one batch after the other, and keeps the chain of their seals. */
export class DecisionWriter {
  private chain: Chain = newChain();

  constructor(private readonly database: Database) {}

  async commit(rows: readonly DecisionRow[]): Promise<readonly number[]> {
    const batch = batchOf(this.chain, rows);
    const { database } = this;
    try {
      const ids = await database.dialect.commitBatch(database, database.tables, batch);
      this.chain = batch.end;
      return ids;
    } catch (error) {
      // A connection that ended leaves unsaid whether the batch was committed: another writer goes on.
      if (!isRefusal(error)) this.chain = newChain();
      throw error;
    }
  }
}
