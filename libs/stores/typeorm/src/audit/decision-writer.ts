import type { Decision } from '#contracts/audit/record.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { isRefusal } from '../database/database-errors.js';
import { sql } from '../database/sql.js';
import { appendStatement, batchOf, type Batch } from './append-statement.js';
import { decisionRow, newWriter, type DecisionRow, type Writer } from './decision-row.js';

/** A batch whose connection ended before it was answered: it may or may not be committed. */
interface UncertainBatch {
  readonly given: readonly DecisionRow[];
  readonly batch: Batch;
}

/** Writes one batch at a time and numbers its rows. A row that is appended again is written once. */
export class DecisionWriter {
  private writer: Writer = newWriter();
  private uncertain: UncertainBatch | null = null;
  /** Ids of rows that are committed although their callers received an error. */
  private readonly committed = new WeakMap<DecisionRow, number>();

  constructor(private readonly database: Database) {}

  async commit(rows: readonly DecisionRow[]): Promise<readonly number[]> {
    await this.resolveUncertainBatch();
    const missing = rows.filter((row) => !this.committed.has(row));
    const ids = (missing.length === 0 ? [] : await this.write(missing)).values();
    return rows.map((row) => this.committed.get(row) ?? ids.next().value ?? Number.NaN);
  }

  private async write(given: readonly DecisionRow[]): Promise<readonly number[]> {
    const batch = batchOf(this.writer, given);
    const statement = appendStatement(this.database.tables, batch, { endsWriter: false });
    try {
      const rows = await this.database.query<{ id: number }>(statement, { isPrepared: true });
      this.writer = batch.end;
      return rows.map(({ id }) => id);
    } catch (error) {
      if (!isRefusal(error)) this.uncertain = { given, batch };
      throw error;
    }
  }

  /** Ends the writer of the uncertain batch. After that the batch is committed or never will be. */
  private async resolveUncertainBatch() {
    if (this.uncertain === null) return;
    const { given, batch } = this.uncertain;
    const { writers } = this.database.tables;
    // Waits for a batch of this writer that is being committed.
    const [end] = await this.database.query<{ sequence: number; lastId: number }>(
      sql`insert into ${writers} (writer, sequence, last_id, ended) values (${batch.end.writer}::uuid, 0, 0, true)
        on conflict (writer) do update set ended = true
        returning sequence, last_id as "lastId"`,
    );
    if (end?.sequence === batch.end.sequence) {
      const ids = await this.idsOf(batch, end.lastId);
      given.forEach((row, index) => this.committed.set(row, ids[index] ?? Number.NaN));
    }
    this.writer = newWriter();
    this.uncertain = null;
  }

  /** Ids grow with the sequence, and few rows of others lie between those of a batch. */
  private async idsOf({ sequences, end }: Batch, lastId: number): Promise<readonly number[]> {
    const found = await this.database.query<{ id: number }>(
      sql`select id from ${this.database.tables.evidence}
        where id <= ${lastId} and writer = ${end.writer} and sequence >= ${sequences[0] ?? 0}
        order by id desc limit ${sequences.length}`,
    );
    return found.map(({ id }) => id).toReversed();
  }
}

/**
 * Appends a decision that commits with the given transaction, and returns the id of its evidence. The transaction may
 * be rolled back, so the row gets a separate writer instead of the next number of another writer.
 */
export async function appendDecision(
  transaction: Transaction,
  { tables }: Database,
  decision: Decision,
): Promise<number> {
  const batch = batchOf(newWriter(), [decisionRow(decision)]);
  const statement = appendStatement(tables, batch, { endsWriter: true });
  const { rows } = await transaction.query<{ id: number }>(statement, { isPrepared: true });
  return rows[0]?.id ?? Number.NaN;
}
