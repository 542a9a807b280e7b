import {
  AuditStore,
  type AuditEntry,
  type AuditFilter,
  type AuditListEntry,
  type CommitFigures,
  type Decision,
  type TrendPoint,
} from '../../../../contracts/src/audit.js';
import type { Page, PageRequest, TimeWindow } from '../../../../contracts/src/page.js';
import type { Database } from '../database.js';
import { isRefusal } from '../store-errors.js';
import { pageOf, whereAll } from '../pages.js';
import { Parameters } from '../parameters.js';
import { auditConditions } from './audit-conditions.js';
import { searchPage } from './audit-search.js';
import {
  AUDIT_ENTRY_COLUMNS,
  AUDIT_LIST_COLUMNS,
  auditEntry,
  auditListEntry,
  type AuditEntryRow,
  type AuditListRow,
} from './audit.rows.js';
import { CommitQueue } from './commit-queue.js';
import { decisionRow, type DecisionRow } from './decision-row.js';
import { DecisionWriter } from './decision-writer.js';

interface IdRange {
  readonly from?: number;
  readonly below?: number | undefined;
}

/** Said of both tables, because no planner concludes from one to the other. */
function idConditions({ from, below }: IdRange, parameters: Parameters): string[] {
  return ['e.id', 'c.evidence_id'].flatMap((id) => [
    ...(from === undefined ? [] : [`${id} >= ${parameters.add(from)}`]),
    ...(below === undefined ? [] : [`${id} < ${parameters.add(below)}`]),
  ]);
}

export class TypeormAuditStore extends AuditStore {
  private readonly queue: CommitQueue<DecisionRow>;

  constructor(
    private readonly database: Database,
    queueCapacity: number,
  ) {
    super();
    const writer = new DecisionWriter(database);
    this.queue = new CommitQueue((rows) => writer.commit(rows), isRefusal, queueCapacity);
  }

  override get commits(): CommitFigures {
    return this.queue;
  }

  /** What cannot be made a row of fails here, before it can harm anyone else's commit. */
  override async append(decision: Decision): Promise<number> {
    return this.queue.append(decisionRow(decision));
  }

  /** Resolves when everything that was appended is committed, or has failed. */
  drain(): Promise<void> {
    return this.queue.drain();
  }

  override async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditListEntry>> {
    if (filter.q !== undefined) return this.search(filter, page);
    const { cursor, limit } = page;
    return pageOf(await this.rowsBetween(filter, { below: cursor }, limit + 1), page);
  }

  override async find(id: number): Promise<AuditEntry | null> {
    const { tables } = this.database;
    const [row] = await this.database.rows<AuditEntryRow>(
      `select ${AUDIT_ENTRY_COLUMNS}
       from ${tables.evidence} e join ${tables.content} c on c.evidence_id = e.id
       left join ${tables.principals} p on p.id = e.principal_ref
       where e.id = $1`,
      [id],
    );
    return row === undefined ? null : auditEntry(row);
  }

  override async trend(filter: AuditFilter, window: TimeWindow): Promise<readonly TrendPoint[]> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const conditions = auditConditions(dialect, tables, { ...filter, ...window }, parameters);
    const withContent = filter.q === undefined ? '' : `join ${tables.content} c on c.evidence_id = e.id`;
    const rows = await this.database.laggingRows<Record<'day' | 'total' | 'blocked' | 'observed', string>>(
      `select e.day, count(*) as total,
         sum(case when e.outcome = 'blocked' then 1 else 0 end) as blocked,
         sum(case when e.outcome = 'observed' then 1 else 0 end) as observed
       from ${tables.evidence} e ${withContent} ${whereAll(conditions)}
       group by e.day order by e.day`,
      parameters.values,
    );
    return rows.map(({ day, total, blocked, observed }) => ({
      date: day,
      total: Number(total),
      blocked: Number(blocked),
      observed: Number(observed),
    }));
  }

  private search(filter: AuditFilter, page: PageRequest): Promise<Page<AuditListEntry>> {
    return searchPage(
      {
        bounds: () => this.bounds(),
        hits: (from, below, limit) => this.rowsBetween(filter, { from, below }, limit),
      },
      page,
    );
  }

  private async rowsBetween(filter: AuditFilter, ids: IdRange, limit: number): Promise<AuditListEntry[]> {
    const { tables, dialect } = this.database;
    const parameters = new Parameters();
    const conditions = [
      ...auditConditions(dialect, tables, filter, parameters),
      ...idConditions(ids, parameters),
    ];
    const rows = await this.database.laggingRows<AuditListRow>(
      `select ${AUDIT_LIST_COLUMNS}
       from ${tables.evidence} e join ${tables.content} c on c.evidence_id = e.id
       left join ${tables.principals} p on p.id = e.principal_ref
       ${whereAll(conditions)} order by e.id desc limit ${parameters.add(limit)}`,
      parameters.values,
    );
    return rows.map(auditListEntry);
  }

  private async bounds(): Promise<{ readonly lowest: number; readonly highest: number } | null> {
    const [row] = await this.database.laggingRows<{ lowest: string | null; highest: string | null }>(
      `select min(id) as lowest, max(id) as highest from ${this.database.tables.evidence}`,
    );
    if (row === undefined || row.lowest === null || row.highest === null) return null;
    return { lowest: Number(row.lowest), highest: Number(row.highest) };
  }
}
