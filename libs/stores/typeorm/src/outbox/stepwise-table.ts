import type { EntityManager } from 'typeorm';
import type { Database } from '../database.js';
import { perform, rowsOf } from '../rows.js';

export interface Delivery {
  readonly subject: string;
  readonly position: string;
}

/** The deliveries of one sink, as whoever alone may change them reads and writes them. */
export abstract class StepwiseTable {
  protected readonly table: string;
  /** `$1` of every statement is the sink. */
  protected readonly ofSink = 'sink = $1 and dead_at is null';

  constructor(
    private readonly manager: EntityManager,
    protected readonly database: Database,
    private readonly sink: string,
  ) {
    this.table = database.tables.deliveries;
  }

  protected rows<Row>(statement: string, ...parameters: readonly unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.manager, statement, [this.sink, ...parameters]);
  }

  protected async change(statement: string, ...parameters: readonly unknown[]): Promise<number> {
    const answer = await perform<{ affectedRows: number }>(this.manager, statement, [
      this.sink,
      ...parameters,
    ]);
    return answer.affectedRows;
  }
}
