import type { Page, PageRequest } from '../../../contracts/src/page.js';

interface Identified {
  readonly id: number;
}

/** Rows in the order of their ids, which grow. A row is never changed, only replaced. */
export class Table<Row extends Identified> {
  private readonly rows: Row[] = [];
  private lastId = 0;

  /** The id of the next row. */
  get nextId(): number {
    return this.lastId + 1;
  }

  insert(row: Omit<Row, 'id'>): Row {
    const inserted = { ...row, id: this.nextId } as Row;
    this.lastId = inserted.id;
    this.rows.push(inserted);
    return inserted;
  }

  /** A row whose id another table gave, higher than all before. */
  put(row: Row): void {
    this.lastId = row.id;
    this.rows.push(row);
  }

  replace(row: Row): void {
    const index = this.below(row.id);
    if (this.rows[index]?.id === row.id) this.rows[index] = row;
  }

  remove(id: number): void {
    const index = this.below(id);
    if (this.rows[index]?.id === id) this.rows.splice(index, 1);
  }

  find(id: number): Row | undefined {
    const row = this.rows[this.below(id)];
    return row?.id === id ? row : undefined;
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.rows.values();
  }

  /** Newest first, from below the cursor; looks one match further to know whether there is another page. */
  page(request: PageRequest, matches: (row: Row) => boolean): Page<Row> {
    const entries: Row[] = [];
    const end = request.cursor === undefined ? this.rows.length : this.below(request.cursor);
    for (let index = end - 1; index >= 0; index--) {
      const row = this.rows[index];
      if (row === undefined || !matches(row)) continue;
      if (entries.length === request.limit) {
        return { entries, nextCursor: entries.at(-1)?.id ?? null, partial: false };
      }
      entries.push(row);
    }
    return { entries, nextCursor: null, partial: false };
  }

  /** How many rows have an id below this one. */
  private below(id: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
