import { OutputStore, type OutputCount, type OutputDay, type OutputWindow } from '#contracts/output.js';
import { textEquals } from '../list-filters.js';
import type { Database } from '../database.js';
import { join, raw, sql, type Sql } from '../sql.js';
import { hourParts, hourText, spanOf, type TimeSpan } from '../time-windows.js';

export class TypeormOutputStore extends OutputStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** Adds the counts of whole hours and the single counts at the edges of the window. */
  override async stats({ application, ...window }: OutputWindow): Promise<readonly OutputCount[]> {
    const { outputHourly } = this.database.tables;
    const span = spanOf(window);
    // Hourly counts have no application.
    const { hours, edges } = application === undefined ? hourParts(span) : { hours: [], edges: [span] };
    const counted = [
      ...hours.map(
        ({ from, end }) => sql`select kind, detector, enforced, count from ${outputHourly}
          where hour >= ${hourText(from)} and hour < ${hourText(end)}`,
      ),
      ...edges.map((edge) => this.singleCounts(edge, application)),
    ];
    if (counted.length === 0) return [];
    return this.database.read<OutputCount>(
      sql`select kind, detector, enforced, sum(count) as count from (${join(
        counted.map((part) => sql`select kind, detector, enforced, count from (${part}) part`),
        '\nunion all ',
      )}) counted
        group by kind, detector, enforced order by kind, detector, enforced`,
    );
  }

  /** Reads single counts, because the hourly ones do not show how many outputs they are of. */
  override async daily({ application, ...window }: OutputWindow): Promise<readonly OutputDay[]> {
    return this.database.read<OutputDay>(
      sql`select date, kind, detector, count(distinct evidence_id) as outputs, sum(count) as findings
        from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as date, evidence_id, kind, detector, count
          from (${this.singleCounts(spanOf(window), application)}) single) counted
        group by grouping sets ((date, kind), (date, kind, detector))
        order by date, kind, detector nulls first`,
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
