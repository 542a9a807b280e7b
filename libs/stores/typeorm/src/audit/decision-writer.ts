import type { Database } from '../database.js';
import { isRefusal } from '../store-errors.js';
import { batchOf, type Batch } from './batch.js';
import type { DecisionRow } from './decision-row.js';
import { newChain, type Chain } from './seal.js';

/** A connection that ended leaves unsaid whether these were committed. */
interface Doubt {
  readonly rows: readonly DecisionRow[];
  readonly batch: Batch;
}

/** Writes one batch after the other, and keeps the chain of their seals. A row that comes again is written once. */
export class DecisionWriter {
  private chain: Chain = newChain();
  private doubt: Doubt | null = null;
  /** Ids of rows whose callers were told that they failed, and which are there. */
  private readonly found = new WeakMap<DecisionRow, number>();

  constructor(private readonly database: Database) {}

  async commit(rows: readonly DecisionRow[]): Promise<readonly number[]> {
    await this.settle();
    const missing = rows.filter((row) => !this.found.has(row));
    const ids = (missing.length === 0 ? [] : await this.write(missing)).values();
    return rows.map((row) => this.found.get(row) ?? ids.next().value ?? Number.NaN);
  }

  private async write(rows: readonly DecisionRow[]): Promise<readonly number[]> {
    const batch = batchOf(this.chain, rows);
    const { database } = this;
    try {
      const ids = await database.dialect.commitBatch(database, database.tables, batch);
      this.chain = batch.end;
      return ids;
    } catch (error) {
      if (!isRefusal(error)) this.doubt = { rows, batch };
      throw error;
    }
  }

  /** Ends the writer whose last batch is in doubt: it is there by now, or never will be. Another one goes on. */
  private async settle(): Promise<void> {
    if (this.doubt === null) return;
    const { rows, batch } = this.doubt;
    const { database } = this;
    const end = await database.dialect.endWriter(database, database.tables, batch.writer);
    if (end.sequence === batch.end.sequence) {
      const ids = await this.idsOf(batch, end.lastId);
      rows.forEach((row, index) => this.found.set(row, ids[index] ?? Number.NaN));
    }
    this.chain = newChain();
    this.doubt = null;
  }

  /** Ids grow with the sequence, and few but its own rows lie between those of a batch. */
  private async idsOf({ writer, rows }: Batch, lastId: number): Promise<readonly number[]> {
    const found = await this.database.rows<{ id: string }>(
      `select id from ${this.database.tables.evidence}
       where id <= $1 and writer = $2 and sequence >= $3 order by id desc limit $4`,
      [lastId, writer, rows[0]?.sequence ?? 0, rows.length],
    );
    return found.map(({ id }) => Number(id)).toReversed();
  }
}
