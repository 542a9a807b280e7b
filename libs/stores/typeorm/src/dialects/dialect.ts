import type { EntityManager, EntitySchemaColumnOptions, QueryRunner } from 'typeorm';
import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import type { Batch } from '../audit/batch.js';
import type { WriterEnd } from '../audit/writer-parts.js';
import type { TableNaming, Tables, TableWord } from '../tables.js';

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

/** How the columns that no database spells as another does are made. */
export interface ColumnTypes {
  /** A primary key that the database gives, and that grows. */
  readonly growingId: string;
  readonly time: string;
  readonly text: string;
  /** A text that is part of a key, and as long as it says at most, where the database has to know. */
  key(length: number): string;
  /** A short text whose order is that of its bytes. */
  ordered(length: number): string;
  /** Digests, seals and salts. */
  readonly bytes: string;
  readonly uuid: string;
}

export interface Index {
  /** Without the tables' prefix. */
  readonly name: string;
  readonly on: TableWord;
  /** As they stand in the statement; a text by `head`. None: an index for other databases only. */
  readonly columns: readonly string[];
  readonly unique?: boolean;
  /** Only these rows, where the database can leave out the others. */
  readonly where?: string;
  /** The columns where it cannot; none: no index. Default: the same. */
  readonly instead?: readonly string[];
}

/** The ways to write to a database: as `Database` has them. */
export interface Writing {
  commit<Row>(statement: string, values: readonly unknown[]): Promise<Row[]>;
  write<Row>(manager: EntityManager, statement: string, values: readonly unknown[]): Promise<Row[]>;
  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result>;
}

/** What one SQL database says differently. A second database is a second file beside `postgres.ts`. */
export interface Dialect {
  /** As people call it. */
  readonly name: string;
  /** Whether one statement may both write and answer, as `update … returning` does, or a `with` that writes. */
  readonly writesInQueries: boolean;
  readonly columns: ColumnKinds;
  readonly types: ColumnTypes;
  /** What stands behind the columns of a table, whose rows change in place if it says to how many percent to fill it. */
  readonly tableEnd: (fillFactor?: number) => string;
  /** A text in an index: enough of its beginning, where the database takes a part of it. */
  readonly head: (column: string) => string;
  /** Where it does not: whether there is a text, and one that an index takes. */
  readonly indexable: (column: string) => string;
  /** Whether a text that is indexed is this one; `placeholder` is where the statement has it. */
  readonly isText: (column: string, placeholder: string, text: string) => string;
  /** `instead` where a text of any length cannot be part of a key. */
  primaryKey(columns: string, instead: string): string;
  /** Empty where this database has no use for it. */
  index(naming: TableNaming, index: Index): string;
  /** Performs a statement of a migration; again without harm, where a migration cannot be taken back. */
  define(runner: QueryRunner, statement: string): Promise<void>;
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
  /** A text among the fields of a JSON object kept as text, ready to be compared with a text. */
  fieldOf(json: string, field: string): string;
  /** To join with sideways: each `value` that this field has in the objects of a JSON array kept as text. */
  valuesOfField(json: string, field: string): string;
  /**
   * The rows of a batch commit together and by themselves, unless their writer has ended; answers their ids, in their
   * order.
   */
  commitBatch(database: Writing, tables: Tables, batch: Batch): Promise<readonly number[]>;
  /** The same within the transaction of `manager`. */
  writeBatch(
    database: Writing,
    manager: EntityManager,
    tables: Tables,
    batch: Batch,
  ): Promise<readonly number[]>;
  /** Whatever of a writer is not committed never will be. Answers how far it came. */
  endWriter(database: Writing, tables: Tables, writer: string): Promise<WriterEnd>;
  /** Events that belong to no decision, within the transaction of `manager`. */
  writeEvents(manager: EntityManager, tables: Tables, events: readonly OutgoingEvent[]): Promise<void>;
  /** Statements after which a table refuses UPDATE, TRUNCATE, and a DELETE that is no recorded retention run's. */
  appendOnly(naming: TableNaming, table: TableWord): readonly string[];
  /** Statements after which a finished run of retention is not changed any more, and none is ever deleted. */
  recordOnce(naming: TableNaming, table: TableWord): readonly string[];
  /**
   * Statements after which the steps of an approval are taken forward only, and of a decided one only the run goes on.
   * What was approved, by whom and when stays, but for what a recorded retention run erases; and only such a run deletes.
   */
  decidedOnce(naming: TableNaming, table: TableWord): readonly string[];
  /** Tells the guards that this transaction acts for a retention run whose row it has written. */
  actForRetention(manager: EntityManager, runs: string, runId: number): Promise<void>;
  /** Until the transaction ends, the evidence that is being appended is there, and what comes next waits. */
  waitForAppends(manager: EntityManager, tables: Tables): Promise<void>;
  /** Takes back what `appendOnly`, `recordOnce` and `decidedOnce` left, once its tables are gone. */
  dropGuards(naming: TableNaming): readonly string[];
  /** A reading statement that may take so long, and what to say before it within the same transaction, if anything. */
  patiently(milliseconds: number, statement: string): readonly [before: string | null, statement: string];
  /** Until the transaction ends and `unlockMigrations`, only one caller gets further, and no statement times out. */
  lockMigrations(runner: QueryRunner): Promise<void>;
  unlockMigrations(runner: QueryRunner): Promise<void>;
  /** Makes a schema that is not there yet. */
  ensureSchema(runner: QueryRunner, schema: string): Promise<void>;
  /** Lists `table_name` and `column_name` of the tables in `$1` (names), in the schema `$2` or on the search path. */
  readonly columnsOfTables: string;
}
