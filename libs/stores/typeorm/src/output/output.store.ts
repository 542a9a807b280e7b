import { OutputStore, type OutputCount } from '#contracts/output.js';
import type { TimeWindow } from '#contracts/page.js';
import type { Database } from '../database.js';
import { join, sql } from '../sql.js';
import { hourParts, hourText, spanOf } from '../time-windows.js';

export class TypeormOutputStore extends OutputStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Adds the counts of whole hours and the single counts at the edges of the window. */
  override async stats(window: TimeWindow): Promise<readonly OutputCount[]> {
    const { outputHourly, outputCounts } = this.database.tables;
    const { hours, edges } = hourParts(spanOf(window));
    const counted = [
      ...hours.map(
        ({ from, end }) => sql`select kind, detector, enforced, count from ${outputHourly}
          where hour >= ${hourText(from)} and hour < ${hourText(end)}`,
      ),
      ...edges.map(
        ({ from, end }) => sql`select kind, detector, enforced, count from ${outputCounts}
          where occurred_at >= ${from} and occurred_at < ${end}`,
      ),
    ];
    if (counted.length === 0) return [];
    return this.database.read<OutputCount>(
      sql`select kind, detector, enforced, sum(count) as count from (${join(counted, '\nunion all ')}) counted
        group by kind, detector, enforced order by kind, detector, enforced`,
    );
  }
}
