import { OutputStore, type OutputCount } from '../../../../contracts/src/output.js';
import type { TimeWindow } from '../../../../contracts/src/page.js';
import type { Database } from '../database.js';
import { Parameters } from '../parameters.js';

type SummedRow = Omit<OutputCount, 'count'> & { readonly count: string };

export class TypeormOutputStore extends OutputStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async stats({ from, to }: TimeWindow): Promise<readonly OutputCount[]> {
    const parameters = new Parameters();
    const rows = await this.database.laggingRows<SummedRow>(
      `select kind, detector, enforced, sum(count) as count
       from ${this.database.tables.outputCounts}
       where occurred_at >= ${parameters.time(from)} and occurred_at <= ${parameters.time(to)}
       group by kind, detector, enforced order by kind, detector, enforced`,
      parameters.values,
    );
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  }
}
