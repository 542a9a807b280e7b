import { OutputStore, type OutputCount } from '../../../../contracts/src/output.js';
import type { TimeWindow } from '../../../../contracts/src/page.js';
import type { Database } from '../database.js';
import { Parameters } from '../parameters.js';
import { hourParts, hourText, spanOf } from '../time-parts.js';

/** MariaDB has 0 and 1 for a flag. */
type SummedRow = Omit<OutputCount, 'count' | 'enforced'> & {
  readonly count: string;
  readonly enforced: boolean | number;
};

const LINE = 'kind, detector, enforced';

export class TypeormOutputStore extends OutputStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Whole hours as they were folded, the edges of the window from single counts. */
  override async stats(window: TimeWindow): Promise<readonly OutputCount[]> {
    const { tables } = this.database;
    const parameters = new Parameters();
    const { hours, edges } = hourParts(spanOf(window));
    const counted = [
      ...hours.map(
        ({ from, end }) => `select ${LINE}, count from ${tables.outputHourly}
          where hour >= ${parameters.add(hourText(from))} and hour < ${parameters.add(hourText(end))}`,
      ),
      ...edges.map(
        ({ from, end }) => `select ${LINE}, count from ${tables.outputCounts}
          where occurred_at >= ${parameters.time(from)} and occurred_at < ${parameters.time(end)}`,
      ),
    ];
    if (counted.length === 0) return [];
    const rows = await this.database.laggingRows<SummedRow>(
      `select ${LINE}, sum(count) as count from (${counted.join('\nunion all ')}) counted
       group by ${LINE} order by ${LINE}`,
      parameters.values,
    );
    return rows.map((row) => ({ ...row, enforced: Boolean(row.enforced), count: Number(row.count) }));
  }
}
