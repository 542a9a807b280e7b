import { scrubJson, scrubText, snakeCase } from '#contracts/common/text.js';

type SqlParameter = string | number | boolean | null | Date | Uint8Array | readonly unknown[];

/**
 * A statement or a part of one, with its parameters. The `sql` tag makes every interpolated value a parameter, except
 * other `Sql` parts, which are inserted as they are.
 */
export class Sql {
  /** @param strings around the parts, one more than these */
  constructor(
    private readonly strings: readonly string[],
    private readonly parts: readonly unknown[],
    private readonly knownText: string | null = null,
  ) {}

  /** The same statement with its text, which was composed before. */
  withText(text: string): Sql {
    return new Sql(this.strings, this.parts, text);
  }

  get text(): string {
    if (this.knownText !== null) return this.knownText;
    const pieces: string[] = [];
    this.addText(pieces, 0);
    return pieces.join('');
  }

  get values(): unknown[] {
    const values: unknown[] = [];
    this.addValues(values);
    return values;
  }

  /** @returns how many parameters the text has so far */
  private addText(pieces: string[], before: number): number {
    let count = before;
    pieces.push(this.strings[0] ?? '');
    for (const [index, part] of this.parts.entries()) {
      if (part instanceof Sql) count = part.addText(pieces, count);
      else pieces.push(`$${++count}`);
      pieces.push(this.strings[index + 1] ?? '');
    }
    return count;
  }

  private addValues(values: unknown[]) {
    for (const part of this.parts) {
      if (part instanceof Sql) part.addValues(values);
      else values.push(parameter(part));
    }
  }
}

export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | SqlParameter)[]): Sql {
  return new Sql(strings, parts);
}

/** Constant SQL text, such as the name of a table. Never pass untrusted text. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

export function join(parts: readonly Sql[], separator = ', '): Sql {
  if (parts.length === 0) return raw('');
  return new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);
}

/** `where` and all conditions, or nothing if there are none. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('') : sql`where ${join(conditions, ' and ')}`;
}

/** A column of a relation: its name, the PostgreSQL type of one value, and the value of a row. */
export type Column<Row> = readonly [name: string, type: string, valueOf: (row: Row) => unknown];

/** The columns of a relation `given` of rows. Their text is composed once. */
export class Columns<Row> {
  private readonly ofRows: readonly string[];
  private readonly ofOneRow: readonly string[];

  constructor(
    private readonly columns: readonly Column<Row>[],
    alias = 'given',
  ) {
    const textsOf = (start: string, between: string, array: '[]' | '', end: string): readonly string[] => [
      start,
      ...columns.map(([name, type], index) => {
        const isLast = index === columns.length - 1;
        return `::${type}${array}${end} as ${name}${isLast ? `) as ${alias}` : between}`;
      }),
    ];
    this.ofRows = textsOf('(select unnest(', ', unnest(', '[]', ')');
    this.ofOneRow = textsOf('(select ', ', ', '', '');
  }

  /** @param types the PostgreSQL type of each property; columns have the names of the properties in snake case */
  static of<Row extends object>(types: ColumnTypes<Row>, alias?: string): Columns<Row> {
    const columns = Object.entries(types as Readonly<Record<string, string>>).map(
      ([property, type]): Column<Row> => [
        snakeCase(property),
        type,
        (row) => (row as Readonly<Record<string, unknown>>)[property],
      ],
    );
    return new Columns(columns, alias);
  }

  /**
   * `unnest` stands once for each column in a list of values, because as a table function it would store each column
   * before the first row is read, which takes as long as inserting the rows.
   */
  rows(given: readonly Row[]): Sql {
    const lists = this.columns.map(([, , valueOf]) => arrayLiteral(given.map(valueOf)));
    return new Sql(this.ofRows, lists);
  }

  /** PostgreSQL needs half the time for a row of plain values. */
  oneRow(given: Row): Sql {
    return new Sql(
      this.ofOneRow,
      this.columns.map(([, , valueOf]) => valueOf(given)),
    );
  }
}

type ColumnTypes<Row> = { readonly [Property in keyof Row]?: string };

/** Records as a relation. */
export function rows<Row extends object>(
  records: readonly Row[],
  types: ColumnTypes<Row>,
  alias?: string,
): Sql {
  return Columns.of(types, alias).rows(records);
}

/** The clock of the database at the moment of evaluation, to the millisecond; not the start of the transaction. */
export const NOW = raw(`date_trunc('milliseconds', clock_timestamp())`);

export function fromNow(milliseconds: number): Sql {
  return sql`${NOW} + ${milliseconds}::bigint * interval '1 millisecond'`;
}

/** A JSON value as it is stored: as text, because `jsonb` changes the order of keys. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(scrubJson(value)) ?? 'null';
}

/** The first and the last time that every database can hold. */
export const EARLIEST = new Date('0001-01-01T00:00:00.000Z');
export const LATEST = new Date('9999-12-31T23:59:59.999Z');

/** The nearest time that the database can hold. */
export function clampTime(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), EARLIEST.getTime()), LATEST.getTime()));
}

type Listed = string | number | boolean | null | undefined | Date | Uint8Array;

/** A list as PostgreSQL reads it from a text. The driver would need twice the time. */
function arrayLiteral(values: readonly unknown[]) {
  return scrubText(`{${(values as readonly Listed[]).map(arrayElement).join(',')}}`);
}

function arrayElement(value: Listed) {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return quotedElement(value);
  if (value instanceof Date) return clampTime(value).toISOString();
  if (!(value instanceof Uint8Array)) return String(value);
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

function quotedElement(text: string) {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

function parameter(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (value instanceof Date) return clampTime(value).toISOString();
  return Array.isArray(value) ? value.map(parameter) : value;
}
