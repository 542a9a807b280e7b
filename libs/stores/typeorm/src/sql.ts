import { scrubJson, scrubText, snakeCase } from '#contracts/text.js';

type SqlParameter = string | number | boolean | null | Date | Uint8Array | readonly unknown[];

/**
 * A statement or a part of one, with its parameters. The `sql` tag makes every interpolated value a parameter, except
 * other `Sql` parts, which are inserted as they are.
 */
export class Sql {
  constructor(
    private readonly chunks: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  get text(): string {
    return this.chunks.reduce((text, chunk, index) => `${text}$${index}${chunk}`);
  }

  static combine(strings: readonly string[], parts: readonly (Sql | SqlParameter)[]): Sql {
    const chunks = [strings[0] ?? ''];
    const values: unknown[] = [];
    const append = (text: string): void => {
      chunks[chunks.length - 1] += text;
    };
    parts.forEach((part, index) => {
      const following = strings[index + 1] ?? '';
      if (part instanceof Sql) {
        append(part.chunks[0] ?? '');
        chunks.push(...part.chunks.slice(1));
        values.push(...part.values);
        append(following);
      } else {
        values.push(parameter(part));
        chunks.push(following);
      }
    });
    return new Sql(chunks, values);
  }
}

export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | SqlParameter)[]): Sql {
  return Sql.combine(strings, parts);
}

/** Constant SQL text, such as the name of a table. Never pass untrusted text. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

export function join(parts: readonly Sql[], separator = ', '): Sql {
  if (parts.length === 0) return raw('');
  return Sql.combine(['', ...parts.slice(1).map(() => separator), ''], parts);
}

/** `where` and all conditions, or nothing if there are none. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('') : sql`where ${join(conditions, ' and ')}`;
}

export interface Column {
  readonly name: string;
  /** The PostgreSQL type of one value. */
  readonly type: string;
  readonly values: readonly unknown[];
}

/**
 * Columns of equal length as a relation. `unnest` stands once for each column in a list of values, because as a table
 * function it would store each column before the first row is read, which takes as long as inserting the rows.
 */
export function relation(columns: readonly Column[], alias = 'given'): Sql {
  const chunks = columns.map(({ name, type }, index) => {
    const isLast = index === columns.length - 1;
    return `::${type}[]) as ${name}${isLast ? `) as ${alias}` : ', unnest('}`;
  });
  return new Sql(
    ['(select unnest(', ...chunks],
    columns.map(({ values }) => arrayLiteral(values)),
  );
}

/** Like `relation`, for columns of one value. PostgreSQL needs half the time for a row of plain values. */
export function singleRow(columns: readonly Column[], alias = 'given'): Sql {
  const chunks = columns.map(({ name, type }, index) => {
    const isLast = index === columns.length - 1;
    return `::${type} as ${name}${isLast ? `) as ${alias}` : ', '}`;
  });
  return new Sql(
    ['(select ', ...chunks],
    columns.map(({ values: [value] }) => parameter(value)),
  );
}

/** Records as a relation. Columns have the names of the properties in snake case. */
export function rows<Row extends object>(
  records: readonly Row[],
  types: ColumnTypes<Row>,
  alias?: string,
): Sql {
  return relation(columnsOf(records, types), alias);
}

export type ColumnTypes<Row> = { readonly [Property in keyof Row]?: string };

export function columnsOf<Row extends object>(records: readonly Row[], types: ColumnTypes<Row>): Column[] {
  return Object.entries(types as Readonly<Record<string, string>>).map(([property, type]) => ({
    name: snakeCase(property),
    type,
    values: records.map((record) => (record as Readonly<Record<string, unknown>>)[property]),
  }));
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

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The nearest time between the years 1 and 9999. */
export function clampTime(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), EARLIEST_MS), LATEST_MS));
}

type Listed = string | number | boolean | null | undefined | Date | Uint8Array;

/** A list as PostgreSQL reads it from a text. The driver would need twice the time. */
function arrayLiteral(values: readonly unknown[]): string {
  return scrubText(`{${(values as readonly Listed[]).map(arrayElement).join(',')}}`);
}

function arrayElement(value: Listed): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return quotedElement(value);
  if (value instanceof Date) return clampTime(value).toISOString();
  if (!(value instanceof Uint8Array)) return String(value);
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

function quotedElement(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

function parameter(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (value instanceof Date) return clampTime(value).toISOString();
  return Array.isArray(value) ? value.map(parameter) : value;
}
