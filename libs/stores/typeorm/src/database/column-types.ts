import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';
import { scrubText, snakeCase } from '#contracts/common/text.js';
import { clampTime, toJsonText } from './sql.js';
import { tableName, type TableKey, type TableNaming } from './tables.js';

const asNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

const scrubbed: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? scrubText(value) : value),
  from: (value: unknown) => value,
};

const clamped: ValueTransformer = {
  to: (value: unknown) => (value instanceof Date ? clampTime(value) : value),
  from: (value: unknown) => value,
};

export const asJson: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : toJsonText(value)),
  from: (value: unknown) => (value === null ? null : JSON.parse(value as string)),
};

const asBase64url: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64url') : value),
  from: (value: unknown) => (value === null ? null : (value as Buffer).toString('base64url')),
};

/** Columns of entities, with the conversion between the database and our records. */
export const COLUMN = {
  id: { type: 'bigint', primary: true, generated: 'increment', transformer: asNumber },
  /** Up to 2^53 - 1. */
  bigint: { type: 'bigint', transformer: asNumber },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  time: { type: 'timestamptz', precision: 3, transformer: clamped },
  text: { type: 'text', transformer: scrubbed },
  /** base64url in records. */
  bytes: { type: 'bytea', transformer: asBase64url },
  uuid: { type: 'uuid' },
  /** Stored as text, which keeps the order of keys. */
  json: { type: 'text', transformer: asJson },
} as const satisfies Readonly<Record<string, EntitySchemaColumnOptions>>;

type ColumnsOf<Row> = Readonly<Record<keyof Row, EntitySchemaColumnOptions>>;

/** Column names are the property names in snake case, unless a column has a `name`. */
export function entity<Row>(naming: TableNaming, key: TableKey, columns: ColumnsOf<Row>): EntitySchema<Row> {
  const entries = Object.entries<EntitySchemaColumnOptions>(columns);
  return new EntitySchema<Row>({
    name: tableName(naming, key),
    schema: naming.schema,
    synchronize: false,
    columns: Object.fromEntries(
      entries.map(([property, column]) => [property, { name: snakeCase(property), ...column }]),
    ) as ColumnsOf<Row>,
  });
}

export function nullable(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, nullable: true };
}

export function primary(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, primary: true };
}
