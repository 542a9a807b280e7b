import {
  AuditStore,
  type AuditNeighbors,
  type CommitFigures,
  type DecidedCall,
  type ExportRange,
} from '#contracts/audit/store.js';
import type { AuditEntry, Decision, FacetField } from '#contracts/audit/record.js';
import type { AuditFilter, TrendBucket, TrendGroup } from '#contracts/audit/filter.js';
import type { AuditListItem } from '#contracts/audit/entry.js';
import type { Page, PageRequest, TimeWindow } from '#contracts/common/page.js';
import type { Database } from '../database/database.js';
import { isRefusal } from '../database/database-errors.js';
import { auditEntry, exportedEntry, type EntryRow, type WholeRow } from '../database/entry-columns.js';
import { pageOf, withinPage, withinTimes } from '../database/list-filters.js';
import { raw, sql, where, type Sql } from '../database/sql.js';
import {
  auditConditions,
  auditListItem,
  auditListQuery,
  auditJoins,
  readsWindows,
  type AuditListRow,
  type IdRange,
} from './audit-list.js';
import {
  exportQuery,
  firstTexts,
  nextExported,
  textSizesQuery,
  wholeEntriesQuery,
  type TextSize,
} from './whole-entries.js';
import { countFacets, facetQuery, type FacetRow } from './facets.js';
import { CommitQueue } from './commit-queue.js';
import { decisionRow, type DecisionRow } from './decision-row.js';
import { DecisionWriter } from './decision-writer.js';
import type { SearchBy } from '../database/options.js';
import { hasTrigrams, searchPage, type SearchedIds } from './text-search.js';
import {
  countedIn,
  isCounted,
  ONE_DECISION,
  pointsOf,
  seriesOf,
  summed,
  trendPoint,
  trendQuery,
  type TrendRow,
  trendSeries,
  type TrendSeriesRow,
  valueOf,
} from './trend.js';

/** Rows that one slice of an export reads where no index answers its filter. */
const SCANNED_IDS = 10_000;

/**
 * The limits of the default page and of the panel's. Without a filter every plan is the same, and planning takes as long as
 * reading. Other sizes are not prepared: the limit is in the text, and every connection keeps each text it prepared.
 */
const PREPARED_LIMITS: readonly number[] = [51, 101];

/** As in the counts: `YYYY-MM-DDTHH`, in UTC. */
const HOUR_OF_ROW = `to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`;

export class TypeormAuditStore extends AuditStore {
  private readonly queue: CommitQueue<DecisionRow>;
  /** Rows of failed appends, which may be committed nevertheless. A retry must use the same row. */
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

  /** A decision that cannot be converted to a row fails here, before it can disturb a commit. */
  override async append(decision: Decision): Promise<number> {
    const row = this.failed.get(decision) ?? decisionRow(decision);
    try {
      return await this.queue.append(row);
    } catch (error) {
      this.failed.set(decision, row);
      throw error;
    }
  }

  /** Resolves when every appended decision is committed or has failed. */
  drain(): Promise<void> {
    return this.queue.drain();
  }

  override async list(filter: AuditFilter, page: PageRequest) {
    return this.paged(filter, page, (ids, limit) => this.entries(filter, ids, limit));
  }

  override async find(id: number) {
    const query = wholeEntriesQuery(this.database.tables, [sql`e.id = ${id}`], 1);
    const [row] = await this.database.query<WholeRow>(query);
    return row === undefined ? null : auditEntry(row);
  }

  override async neighbors({ id, control }: Pick<AuditEntry, 'id' | 'control'>) {
    const { evidence } = this.database.tables;
    const [found] = await this.database.read<AuditNeighbors>(
      sql`select
        (select id from ${evidence} where control = ${control} and id < ${id} order by id desc limit 1)
          as "previousId",
        (select id from ${evidence} where control = ${control} and id > ${id} order by id limit 1) as "nextId"`,
    );
    return found ?? { previousId: null, nextId: null };
  }

  override async decidedCalls(window: TimeWindow, page: PageRequest) {
    const { tables } = this.database;
    const conditions = [
      sql`e.control = 'hitl'`,
      sql`e.origin = 'tool_call'`,
      ...withinPage('e.id', page),
      ...withinTimes(window, { id: 'e.id', time: 'e.occurred_at' }, tables),
    ];
    const rows = await this.database.read<DecidedCall>(
      sql`select e.id, e.occurred_at as "occurredAt", e.tool, e.application, c.policy, c.storage
        from ${tables.evidence} e join ${tables.content} c on c.evidence_id = e.id ${where(conditions)}
        order by e.id desc limit ${page.limit + 1}`,
      { isSlow: true },
    );
    return pageOf(rows, page);
  }

  override async recordedTexts(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
    const { tables } = this.database;
    const usesTrigrams = this.usesTrigrams(filter.q);
    const found = await this.paged(filter, page, (ids, limit) =>
      this.database.read<TextSize>(textSizesQuery(tables, filter, ids, limit, usesTrigrams)),
    );
    const ids = firstTexts(found.entries).map(({ id }) => id);
    const isFound = sql`e.id = any(${ids}::bigint[])`;
    const query = wholeEntriesQuery(tables, [isFound], ids.length);
    const rows = ids.length === 0 ? [] : await this.database.read<WholeRow>(query);
    const next_cursor = ids.length < found.entries.length ? (ids.at(-1) ?? null) : found.next_cursor;
    const isShort = rows.length < page.limit;
    return {
      entries: rows.map(auditEntry),
      next_cursor,
      ...(next_cursor !== null && isShort && { partial: true }),
    };
  }

  override async newestId() {
    const { evidence } = this.database.tables;
    const [row] = await this.database.query<{ id: number | null }>(
      sql`select max(id) as id from ${evidence}`,
    );
    return row?.id ?? 0;
  }

  override async exportSlice(
    filter: AuditFilter,
    range: ExportRange,
    options: { readonly limit: number; readonly withContent: boolean },
  ) {
    const usesTrigrams = this.usesTrigrams(filter.q);
    const { tables } = this.database;
    const isTimed = filter.from !== undefined || filter.to !== undefined;
    const isScanned = isTimed || (filter.q !== undefined && !usesTrigrams) || readsWindows(filter);
    const scanned = Math.min(range.through, range.after + SCANNED_IDS);
    const part = isScanned ? { ...range, through: scanned } : range;
    const query = exportQuery(tables, filter, part, options, usesTrigrams);
    const rows = await this.database.read<EntryRow>(query, { isSlow: true });
    let next = isScanned && scanned < range.through ? scanned : null;
    if (rows.length === options.limit) next = rows.at(-1)?.id ?? null;
    else if (rows.length === 0 && isTimed && next !== null) {
      const jump = nextExported(tables, filter, range, scanned);
      next = (await this.database.read<{ next: number | null }>(jump, { isSlow: true }))[0]?.next ?? null;
    }
    return { entries: rows.map(exportedEntry), next };
  }

  override async trend(filter: AuditFilter, window: TimeWindow, bucket: TrendBucket = 'day') {
    const isSlow = !isCounted(filter);
    const query = isSlow
      ? pointsOf(this.countedRows(filter, window, bucket), filter)
      : trendQuery(this.database.tables, filter, window, bucket);
    return (await this.database.read<TrendRow>(query, { isSlow })).map(trendPoint);
  }

  override async trendBy(group: TrendGroup, filter: AuditFilter, window: TimeWindow, bucket: TrendBucket) {
    const isSlow = !isCounted(filter);
    const counted = isSlow
      ? summed(this.countedRows(filter, window, bucket, group))
      : countedIn(this.database.tables, filter, window, bucket, group);
    const rows = await this.database.read<TrendSeriesRow>(seriesOf(counted, filter), { isSlow });
    return rows.map(trendSeries);
  }

  override async facets(field: FacetField, filter: AuditFilter) {
    const { tables } = this.database;
    const usesTrigrams = this.usesTrigrams(filter.q);
    return countFacets(await this.searchedIds(filter), (from, below) =>
      this.database.read<FacetRow>(facetQuery(tables, field, filter, { from, below }, usesTrigrams)),
    );
  }

  /** For filters that the counts cannot answer. */
  private countedRows(filter: AuditFilter, window: TimeWindow, bucket: TrendBucket, by?: TrendGroup): Sql {
    const { tables } = this.database;
    const conditions = auditConditions(tables, { ...filter, ...window }, this.usesTrigrams(filter.q));
    const label = bucket === 'day' ? raw('e.day') : raw(HOUR_OF_ROW);
    const value = by === undefined ? raw('') : valueOf(`e.${by}`);
    return sql`select ${label} as bucket, ${ONE_DECISION}${value}
      from ${tables.evidence} e ${auditJoins(tables, filter)} ${where(conditions)}`;
  }

  private usesTrigrams(q: string | undefined) {
    return q !== undefined && this.searchBy === 'trigram' && hasTrigrams(q);
  }

  private async paged<Entry extends { readonly id: number }>(
    filter: AuditFilter,
    page: PageRequest,
    read: (ids: IdRange, limit: number) => Promise<readonly Entry[]>,
  ): Promise<Page<Entry>> {
    const isSearched = filter.q !== undefined && !this.usesTrigrams(filter.q);
    if (!isSearched && !readsWindows(filter))
      return pageOf(await read({ below: page.cursor, above: page.after }, page.limit + 1), page);
    const ids = await this.searchedIds();
    return searchPage(ids, (from, below, limit) => read({ from, below }, limit), page);
  }

  private async entries(filter: AuditFilter, ids: IdRange, limit: number): Promise<AuditListItem[]> {
    const query = auditListQuery(this.database.tables, filter, ids, limit, this.usesTrigrams(filter.q));
    const isPlain = Object.keys(filter).every((name) => name === 'control');
    const isPrepared = isPlain && PREPARED_LIMITS.includes(limit);
    return (await this.database.read<AuditListRow>(query, { isPrepared })).map(auditListItem);
  }

  private async searchedIds({ from, to }: AuditFilter = {}): Promise<SearchedIds | null> {
    const { tables } = this.database;
    const within = where(withinTimes({ from, to }, { id: 'id', time: 'occurred_at' }, tables));
    const [row] = await this.database.read<{ lowest: number | null; highest: number | null }>(
      sql`select min(id) as lowest, max(id) as highest from ${tables.evidence} ${within}`,
    );
    if (row === undefined || row.lowest === null || row.highest === null) return null;
    return { lowest: row.lowest, highest: row.highest };
  }
}
