import type { ValueTransformer } from 'typeorm';
import { jsonOf, jsonText } from '../json-text.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Dialect } from './dialect.js';
import { appendOnly, decidedOnce, dropGuards, recordOnce, RETENTION_SETTING } from './postgres-guards.js';

/** The driver hands 64-bit integers over as text; ours all fit a double. */
const asNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

const scrubbed: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? scrubText(value) : value),
  from: (value: unknown) => value,
};

const asJson: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : jsonText(value)),
  from: (value: unknown) => (value === null ? null : jsonOf(value as string)),
};

const asBase64url: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64url') : value),
  from: (value: unknown) => (value === null ? null : (value as Buffer).toString('base64url')),
};

/** Any number will do, as long as every instance takes the same one. */
const MIGRATION_LOCK = 4_715_203_117;

/** PostgreSQL 14 and later, and PGlite. */
export const postgres: Dialect = {
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment', transformer: asNumber },
    bigInteger: { type: 'bigint', transformer: asNumber },
    integer: { type: 'integer' },
    flag: { type: 'boolean' },
    time: { type: 'timestamptz', precision: 3 },
    text: { type: 'text', transformer: scrubbed },
    bytes: { type: 'bytea', transformer: asBase64url },
    uuid: { type: 'uuid' },
    json: { type: 'text', transformer: asJson },
  },

  now: `date_trunc('milliseconds', clock_timestamp())`,

  fromNow: (milliseconds) => `${postgres.now} + ${milliseconds} * interval '1 millisecond'`,

  // Under the collation "C" only ASCII letters have a lower case, whatever the database's own locale says.
  contains: (text, part) => `position(lower(${part} collate "C") in lower(${text} collate "C")) > 0`,

  containsIndexed: (text, pattern) => `lower(${text} collate "C") like lower(${pattern} collate "C")`,

  indexOfParts: (name, table, text) => [
    'create extension if not exists pg_trgm',
    `create index if not exists "${name}" on ${table} using gin (lower(${text} collate "C") gin_trgm_ops)`,
  ],

  indexNamed: `
    select 1 from pg_indexes
    where indexname = $1 and (schemaname = $2 or ($2::text is null and schemaname = any(current_schemas(false))))`,

  valuesOfField: (json, field) =>
    `lateral (select distinct element ->> '${field}' as value from jsonb_array_elements(${json}::jsonb) element)`,

  appendOnly,
  recordOnce,
  decidedOnce,
  dropGuards,

  async actForRetention(manager, runId) {
    await manager.query('select set_config($1, $2, true)', [RETENTION_SETTING, String(runId)]);
  },

  async waitForAppends(manager, table) {
    await manager.query(`lock table ${table} in share mode`);
  },

  timeOutAfter: (milliseconds) => `set local statement_timeout = ${milliseconds}`,

  async lockMigrations(runner) {
    // Neither waiting for another instance nor building an index may run into the time-out of ordinary statements.
    await runner.query('set local statement_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  },

  async ensureSchema(runner, schema) {
    // `if not exists` alone asks for the right to create schemas even where there is nothing to create.
    const found: unknown[] = await runner.query('select 1 from pg_namespace where nspname = $1', [schema]);
    if (found.length === 0) await runner.query(`create schema "${schema}"`);
  },

  columnsOfTables: `
    select table_name, column_name from information_schema.columns
    where table_name = any($1)
      and (table_schema = $2 or ($2::text is null and table_schema = any(current_schemas(false))))`,
};
