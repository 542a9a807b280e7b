import type { Database } from '../database.js';
import { isRefusal } from '../store-errors.js';
import { batchOf } from './batch.js';
import { batchStatement } from './batch-statement.js';
import type { DecisionRow } from './decision-row.js';
import { newChain, type Chain } from './seal.js';

/** Writes one batch after the other, and keeps the chain of their seals. */
export class DecisionWriter {
  private chain: Chain = newChain();

  constructor(private readonly database: Database) {}

  async commit(rows: readonly DecisionRow[]): Promise<readonly number[]> {
    const batch = batchOf(this.chain, rows);
    const { text, values } = batchStatement(this.database.tables, batch);
    try {
      const written = await this.database.commit<{ id: string }>(text, values);
      this.chain = batch.end;
      return written.map(({ id }) => Number(id));
    } catch (error) {
      // A connection that ended leaves unsaid whether the batch was committed: another writer goes on.
      if (!isRefusal(error)) this.chain = newChain();
      throw error;
    }
  }
}
