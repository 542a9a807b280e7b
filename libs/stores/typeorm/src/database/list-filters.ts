import { hash } from 'node:crypto';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { scrubText } from '#contracts/common/text.js';
import { EARLIEST, join, LATEST, raw, sql, type Sql } from './sql.js';
import type { Tables } from './tables.js';
import { inUnits, spanOf, wholeMinutes, windowParts } from './time-windows.js';

/** A page from rows that were read with one row more than the limit. */
export function pageOf<Entry extends { readonly id: number }>(
  found: readonly Entry[],
  { limit }: PageRequest,
): Page<Entry> {
  const entries = found.slice(0, limit);
  const next_cursor = found.length > limit ? (entries.at(-1)?.id ?? null) : null;
  return { entries, next_cursor };
}

/** A page of the rows of a table, as `row` in the conditions that `select` adds, newest first. */
export async function pageFrom<Row extends { readonly id: number }>(
  repository: Repository<Row>,
  page: PageRequest,
  select: (query: SelectQueryBuilder<Row>) => void,
): Promise<Page<Row>> {
  const { cursor, after, limit } = page;
  const query = repository
    .createQueryBuilder('row')
    .orderBy('row.id', 'DESC')
    .take(limit + 1);
  if (cursor !== undefined) query.andWhere('row.id < :cursor', { cursor });
  if (after !== undefined) query.andWhere('row.id > :after', { after });
  select(query);
  return pageOf(await query.getMany(), page);
}

/** The rows between `after` and the cursor. */
export function withinPage(id: string, { cursor, after }: PageRequest): readonly Sql[] {
  return [
    ...(cursor === undefined ? [] : [sql`${raw(id)} < ${cursor}`]),
    ...(after === undefined ? [] : [sql`${raw(id)} > ${after}`]),
  ];
}

/** A B-tree entry holds about 2,700 bytes. Longer texts are stored, and found without an index. */
const INDEXED_BYTES = 2_000;

/** The `where` of an index over texts of any length. */
export function fitsIndex(column: string): string {
  return `octet_length(${column}) <= ${INDEXED_BYTES}`;
}

export function isIndexed(text: string): boolean {
  return Buffer.byteLength(text) <= INDEXED_BYTES;
}

export function isIn(column: string, texts: readonly string[]): Sql {
  const [text, ...others] = texts;
  if (text !== undefined && others.length === 0) return sql`${raw(column)} = ${text}`;
  return sql`${raw(column)} in (${join(texts.map((one) => sql`${one}`))})`;
}

/** Repeats the condition of the partial index where the texts fit into it, so that the index is used. */
export function textIn(column: string, texts: readonly string[]): Sql {
  const equal = isIn(column, texts);
  return texts.every(isIndexed) ? sql`${raw(fitsIndex(column))} and ${equal}` : equal;
}

export function textEquals(column: string, text: string): Sql {
  return textIn(column, [text]);
}

/** Literal search. Under the collation "C" only ASCII letters have a lower case. */
export function contains(column: string, part: string): Sql {
  return sql`position(lower(${part}::text collate "C") in lower(${raw(column)} collate "C")) > 0`;
}

/** Identifies a principal in an index; a name may be too long for one. */
export function principalDigest(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}

export function principalEquals(reference: string, name: string, { principals }: Tables): Sql {
  const digest = principalDigest(scrubText(name));
  return sql`${raw(reference)} = (select id from ${principals} where digest = ${digest})`;
}

interface IdAndTime {
  readonly id: string;
  readonly time: string;
}

interface Times {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Both ends are inclusive. */
export function hasTimes(column: string, { from, to }: Times): readonly Sql[] {
  return [
    ...(from === undefined ? [] : [sql`${raw(column)} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${raw(column)} <= ${to}`]),
  ];
}

/**
 * Ids grow with time, but not strictly: instances commit out of order, and clocks are corrected. The lowest and highest
 * id of each hour and minute are recorded, so a range of time becomes a range of ids; the times are compared as well, so
 * at each end at most the rows of one minute are read and left out. Only for lists: whoever can change the recorded ranges
 * can hide rows until `verify` runs, so exports do not use them.
 */
export function withinTimes(times: Times, { id, time }: IdAndTime, { idRanges }: Tables): readonly Sql[] {
  const { from, to } = times;
  if (from === undefined && to === undefined) return [];
  const { hours, minutes } = windowParts(
    wholeMinutes(spanOf({ from: from ?? EARLIEST, to: to ?? LATEST })),
    'hour',
  );
  const ranges = sql`${idRanges} where ${inUnits([...hours, ...minutes])}`;
  return [
    ...(from === undefined ? [] : [sql`${raw(id)} >= (select min(min_id) from ${ranges})`]),
    ...(to === undefined ? [] : [sql`${raw(id)} <= (select max(max_id) from ${ranges})`]),
    ...hasTimes(time, times),
  ];
}
