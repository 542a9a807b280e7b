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
  auditListColumns,
  auditEntry,
  auditListEntry,
  type AuditEntryRow,
  type AuditPageRow,
} from './audit.rows.js';
import { CommitQueue } from './commit-queue.js';
import { decisionRow, type DecisionRow } from './decision-row.js';
import { DecisionWriter } from './decision-writer.js';
import { hasTrigrams, likePattern, type SearchBy } from './trigram-search.js';
import { isFolded, pointsOf, trendPoint, trendQuery, type TrendRow } from './trend-query.js';

interface IdRange {
  readonly from?: number;
  readonly below?: number | undefined;
}

/** Said of both tables where both are walked, because no planner concludes from one to the other. */
function idConditions({ from, below }: IdRange, searched: boolean, parameters: Parameters): string[] {
  return (searched ? ['e.id', 'c.evidence_id'] : ['e.id']).flatMap((id) => [
    ...(from === undefined ? [] : [`${id} >= ${parameters.add(from)}`]),
    ...(below === undefined ? [] : [`${id} < ${parameters.add(below)}`]),
  ]);
}

export class TypeormAuditStore extends AuditStore {
  private readonly queue: CommitQueue<DecisionRow>;
  /** What failed may be there nevertheless: it has to come as the same row to be known again. */
  private readonly failed = new WeakMap<Decision, DecisionRow>();

  constructor(
    private readonly database: Database,
    queueCapacity: number,
    private readonly searchBy: SearchBy,
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
    const row = this.failed.get(decision) ?? decisionRow(decision);
    try {
      return await this.queue.append(row);
    } catch (error) {
      this.failed.set(decision, row);
      throw error;
    }
  }

  /** Resolves when everything that was appended is committed, or has failed. */
  drain(): Promise<void> {
    return this.queue.drain();
  }

  override async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditListEntry>> {
    const { q } = filter;
    if (q !== undefined && !this.isIndexed(q)) return this.search(filter, page);
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
    const parameters = new Parameters();
    if (!isFolded(filter)) {
      const counting = this.trendOfRows({ ...filter, ...window }, parameters);
      return (await this.database.patientRows<TrendRow>(counting, parameters.values)).map(trendPoint);
    }
    const query = trendQuery(this.database.tables, filter, window, parameters);
    if (query === null) return [];
    return (await this.database.laggingRows<TrendRow>(query, parameters.values)).map(trendPoint);
  }

  private trendOfRows(filter: AuditFilter, parameters: Parameters): string {
    const { tables } = this.database;
    const conditions = this.conditions(filter, parameters);
    const withContent = filter.q === undefined ? '' : `join ${tables.content} c on c.evidence_id = e.id`;
    return pointsOf(
      `select e.day, e.outcome, 1 as decisions from ${tables.evidence} e ${withContent} ${whereAll(conditions)}`,
    );
  }

  private conditions({ q, ...others }: AuditFilter, parameters: Parameters): readonly string[] {
    const { dialect, tables } = this.database;
    const conditions = auditConditions(dialect, tables, others, parameters);
    if (q === undefined) return conditions;
    const found = this.isIndexed(q)
      ? dialect.containsIndexed('c.prompt', `${parameters.text(likePattern(q))}::text`)
      : dialect.contains('c.prompt', `${parameters.text(q)}::text`);
    return [found, ...conditions];
  }

  private isIndexed(q: string): boolean {
    return this.searchBy === 'trigram' && hasTrigrams(q);
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
    const { tables } = this.database;
    const parameters = new Parameters();
    const searched = filter.q !== undefined;
    const conditions = [...this.conditions(filter, parameters), ...idConditions(ids, searched, parameters)];
    const content = searched ? `join ${tables.content} c on c.evidence_id = e.id` : '';
    const rows = await this.database.laggingRows<AuditPageRow>(
      `select ${auditListColumns(tables)} from ${tables.evidence} e ${content} ${whereAll(conditions)}
       order by e.id desc limit ${parameters.add(limit)}`,
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
