import {
  OutputStore,
  type OutputCount,
  type OutputDay,
  type OutputWindow,
} from '#contracts/output/output.js';
import { textEquals } from '../database/list-filters.js';
import type { Database } from '../database/database.js';
import { join, raw, sql, type Sql } from '../database/sql.js';
import { inUnits, spanOf, windowParts, type TimeSpan } from '../database/time-windows.js';

/** By their bytes, which is the same in every database. */
const IN_ORDER = raw('kind collate "C", detector collate "C"');

export class TypeormOutputStore extends OutputStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Adds the sums of whole units of the window, and the single counts of the rest. */
  override async stats({ application, ...window }: OutputWindow) {
    const counted = this.counted(spanOf(window), application);
    return this.database.read<OutputCount>(
      sql`select kind, detector, enforced, sum(count) as count from (${join(counted, '\nunion all ')}) counted
        group by kind, detector, enforced order by ${IN_ORDER}, enforced`,
    );
  }

  private counted(span: TimeSpan, application: string | undefined): readonly Sql[] {
    const columns = raw('kind, detector, enforced, count');
    const single = (one: TimeSpan) =>
      sql`select ${columns} from (${this.singleCounts(one, application)}) single`;
    // The sums are not kept by application.
    if (application !== undefined) return [single(span)];
    const { days, hours, minutes, edges } = windowParts(span, 'day');
    const { tables } = this.database;
    const whole = inUnits([...days, ...hours, ...minutes]);
    return [sql`select ${columns} from ${tables.outputSums} where ${whole}`, ...edges.map(single)];
  }

  /** Reads single counts, because the sums do not show how many outputs they are of. */
  override async daily({ application, ...window }: OutputWindow) {
    return this.database.read<OutputDay>(
      sql`select date, kind, detector, count(distinct evidence_id) as outputs, sum(count) as findings
        from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as date, evidence_id, kind, detector, count
          from (${this.singleCounts(spanOf(window), application)}) single) counted
        group by grouping sets ((date, kind), (date, kind, detector))
        order by date, ${IN_ORDER} nulls first`,
    );
  }

  private singleCounts({ from, end }: TimeSpan, application: string | undefined): Sql {
    const { outputCounts, evidence } = this.database.tables;
    const condition =
      application === undefined
        ? raw('')
        : sql`and exists (select from ${evidence} e where e.id = single.evidence_id
            and ${textEquals('e.application', application)})`;
    return sql`select evidence_id, occurred_at, kind, detector, enforced, count from ${outputCounts} single
      where occurred_at >= ${from} and occurred_at < ${end} ${condition}`;
  }
}
