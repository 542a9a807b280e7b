import type { EntityManager } from 'typeorm';
import { perform } from '../rows.js';

export type Cell = string | number | boolean | Uint8Array | null;
export type Row = readonly Cell[];

/** A server takes 16 MB at once unless it was told otherwise; a character may need four bytes, and a sign before it. */
const MOST_CHARACTERS = 1_000_000;

export interface Insert {
  readonly into: string;
  readonly columns: readonly string[];
  /** What to do with a row that is there already. */
  readonly onDuplicate?: string;
}

/** Inserts rows in their order. Answers the id of each where the database gives them. */
export async function insertRows(
  manager: EntityManager,
  { into, columns, onDuplicate }: Insert,
  rows: readonly Row[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  const step = rows.length > 1 ? await idStep(manager) : 1;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const end = onDuplicate === undefined ? '' : ` on duplicate key update ${onDuplicate}`;
  for (const some of inPortions(rows)) {
    const statement = `insert into ${into} (${names}) values $1${end}`;
    const { insertId } = await perform<{ readonly insertId: number | string }>(manager, statement, [some]);
    ids.push(...some.map((_, place) => Number(insertId) + place * step));
  }
  return ids;
}

/** Rows of one statement get consecutive ids; on a cluster, every n-th. */
async function idStep(manager: EntityManager): Promise<number> {
  const [row] = await perform<{ step: string }[]>(manager, 'select @@auto_increment_increment as step');
  return Number(row?.step);
}

function* inPortions(rows: readonly Row[]): Generator<readonly Row[]> {
  let portion: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const more = row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);
    if (portion.length > 0 && characters + more > MOST_CHARACTERS) {
      yield portion;
      portion = [];
      characters = 0;
    }
    portion.push(row);
    characters += more;
  }
  if (portion.length > 0) yield portion;
}
