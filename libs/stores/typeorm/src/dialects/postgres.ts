import { rowsOf } from '../rows.js';
import { indexNaming, tablesOf } from '../tables.js';
import { outgoingParts } from '../outbox/outgoing-insert.js';
import { Parameters } from '../parameters.js';
import { batchStatement } from '../audit/batch-statement.js';
import { endingStatement } from '../audit/writer-parts.js';
import { asBase64url, asJson, asNumber, scrubbed } from './column-values.js';
import type { Dialect } from './dialect.js';
import { appendOnly, decidedOnce, dropGuards, recordOnce, RETENTION_SETTING } from './postgres-guards.js';

/** Any number will do, as long as every instance takes the same one. */
const MIGRATION_LOCK = 4_715_203_117;

/** A b-tree takes about 2700 of one entry. What is longer is kept all the same, and found without an index. */
const MOST_BYTES = 2_000;

/** PostgreSQL 14 and later, and PGlite. */
export const postgres: Dialect = {
  name: 'PostgreSQL',
  writesInQueries: true,

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

  types: {
    growingId: 'bigint generated always as identity primary key',
    time: 'timestamptz(3)',
    text: 'text',
    key: () => 'text',
    ordered: (length) => `varchar(${length}) collate "C"`,
    bytes: 'bytea',
    uuid: 'uuid',
  },

  tableEnd: (fillFactor) => (fillFactor === undefined ? '' : `with (fillfactor = ${fillFactor})`),

  head: (column) => column,

  indexable: (column) => `octet_length(${column}) <= ${MOST_BYTES}`,

  // Only a statement that says so is served by an index over the texts that fit into one.
  isText: (column, placeholder, text) =>
    Buffer.byteLength(text) <= MOST_BYTES
      ? `${postgres.indexable(column)} and ${column} = ${placeholder}`
      : `${column} = ${placeholder}`,

  primaryKey: (columns) => `primary key (${columns})`,

  index(naming, { name, on, columns, unique = false, where }) {
    if (columns.length === 0) return '';
    return `create ${unique ? 'unique ' : ''}index ${indexNaming(naming)(name)} on ${tablesOf(naming)[on]}
      (${columns.join(', ')})${where === undefined ? '' : ` where ${where}`}`;
  },

  async define(runner, statement) {
    await runner.query(statement);
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

  fieldOf: (json, field) => `(${json}::jsonb ->> '${field}')`,

  valuesOfField: (json, field) =>
    `lateral (select element ->> '${field}' as value from jsonb_array_elements(${json}::jsonb) element)`,

  async commitBatch(database, tables, batch) {
    const { text, values } = batchStatement(tables, batch, { marked: true });
    const rows = await database.commit<{ id: string }>(text, values);
    return rows.map(({ id }) => Number(id));
  },

  async writeBatch(database, manager, tables, batch) {
    const { text, values } = batchStatement(tables, batch, { marked: false });
    const rows = await database.write<{ id: string }>(manager, text, values);
    return rows.map(({ id }) => Number(id));
  },

  async endWriter(database, tables, writer) {
    const statement = endingStatement(tables);
    const [row] = await database.commit<{ sequence: string; last_id: string }>(statement, [writer]);
    return { sequence: Number(row?.sequence), lastId: Number(row?.last_id) };
  },

  async writeEvents(manager, tables, events) {
    if (events.length === 0) return;
    const parameters = new Parameters();
    const parts = outgoingParts(
      tables,
      events.map((event) => ({ event, place: 1 })),
      parameters,
    );
    await rowsOf(manager, `with ${parts.join(',\n')} select position from outgoing`, parameters.values);
  },

  appendOnly,
  recordOnce,
  decidedOnce,
  dropGuards,

  async actForRetention(manager, _runs, runId) {
    await manager.query('select set_config($1, $2, true)', [RETENTION_SETTING, String(runId)]);
  },

  async waitForAppends(manager, { evidence }) {
    await manager.query(`lock table ${evidence} in share mode`);
  },

  patiently: (milliseconds, statement) => [`set local statement_timeout = ${milliseconds}`, statement],

  async lockMigrations(runner) {
    // Neither waiting for another instance nor building an index may run into the time-out of ordinary statements.
    await runner.query('set local statement_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  },

  async unlockMigrations() {
    // The lock ends with the transaction.
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
