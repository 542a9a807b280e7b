import type { EntityManager, EntitySchemaColumnOptions, QueryRunner } from 'typeorm';
import type { TableNaming, TableWord } from '../tables.js';

/** The kinds of columns our tables are made of. Each already turns what the driver gives into what records hold. */
export interface ColumnKinds {
  /** Given by the database, growing. */
  readonly id: EntitySchemaColumnOptions;
  /** Up to 2^53 - 1. */
  readonly bigInteger: EntitySchemaColumnOptions;
  readonly integer: EntitySchemaColumnOptions;
  readonly flag: EntitySchemaColumnOptions;
  readonly time: EntitySchemaColumnOptions;
  /** Scrubbed on the way in. */
  readonly text: EntitySchemaColumnOptions;
  /** Bytes that records hold as base64url. */
  readonly bytes: EntitySchemaColumnOptions;
  readonly uuid: EntitySchemaColumnOptions;
  /** A JSON value, kept as text because columns of a JSON type may reorder keys. */
  readonly json: EntitySchemaColumnOptions;
}

/** What one SQL database says differently. A second database is a second file beside `postgres.ts`. */
export interface Dialect {
  readonly columns: ColumnKinds;
  /** The database's clock at this very moment, to the millisecond; not the start of the transaction. */
  readonly now: string;
  /** `now`, this many milliseconds later. */
  fromNow(milliseconds: string): string;
  /** Whether `text` contains `part`, literally; ASCII letters match in either case, and no others. */
  contains(text: string, part: string): string;
  /** The same by an index over parts of texts; `pattern` is one of LIKE. */
  containsIndexed(text: string, pattern: string): string;
  /** Makes that index, unless one of its name is there. */
  indexOfParts(name: string, table: string, text: string): readonly string[];
  /** Whether an index of the name `$1` is there, in the schema `$2` or on the search path: a row, or none. */
  readonly indexNamed: string;
  /** To join with sideways: each `value` that this field has in the objects of a JSON array kept as text, once. */
  valuesOfField(json: string, field: string): string;
  /** Statements after which a table refuses UPDATE, TRUNCATE, and a DELETE that is no recorded retention run's. */
  appendOnly(naming: TableNaming, table: TableWord): readonly string[];
  /** Statements after which a finished run of retention is not changed any more, and none is ever deleted. */
  recordOnce(naming: TableNaming, table: TableWord): readonly string[];
  /**
   * Statements after which of a decided approval only the run goes on. What was approved, by whom and when stays, but
   * for what a recorded retention run erases; and only such a run deletes.
   */
  decidedOnce(naming: TableNaming, table: TableWord): readonly string[];
  /** Tells the guards that this transaction acts for a retention run whose row it has written. */
  actForRetention(manager: EntityManager, runId: number): Promise<void>;
  /** Until the transaction ends, what is being appended to this table is there, and what comes next waits. */
  waitForAppends(manager: EntityManager, table: string): Promise<void>;
  /** Takes back what `appendOnly`, `recordOnce` and `decidedOnce` left, once its tables are gone. */
  dropGuards(naming: TableNaming): readonly string[];
  /** Until the transaction ends, a statement may take so long. */
  timeOutAfter(milliseconds: number): string;
  /** Until the transaction ends, only one caller on this database gets further, and no statement times out. */
  lockMigrations(runner: QueryRunner): Promise<void>;
  /** Makes a schema that is not there yet. */
  ensureSchema(runner: QueryRunner, schema: string): Promise<void>;
  /** Lists `table_name` and `column_name` of the tables in `$1` (names), in the schema `$2` or on the search path. */
  readonly columnsOfTables: string;
}
