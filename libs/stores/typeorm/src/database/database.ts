import type { EntitySchema, ObjectLiteral, Repository } from 'typeorm';
import type { ConnectionPool, QueryOptions, QueryResult, Transaction } from './connection-pool.js';
import { retryConflicts, translateErrors } from './database-errors.js';
import type { Entities } from './entities.js';
import type { Sql } from './sql.js';
import type { Tables } from './tables.js';

interface TimeOptions {
  /** The statements read or change many rows, and each may take five times the usual time. */
  readonly isSlow?: boolean;
}

/** Servers besides the primary for reads that may be out of date: the optional part `replicas`. */
export interface OutOfDateReads {
  /** Reads from the primary where no other server answers. */
  read<Result>(
    elsewhere: (pool: ConnectionPool) => Promise<Result>,
    fromPrimary: () => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** What the stores of a backend share: connections, tables, and the translation of errors. */
export class Database {
  /** Set while the stores are open, with the option `replicas` only. */
  replicas: OutOfDateReads | null = null;

  constructor(
    private readonly pool: ConnectionPool,
    readonly tables: Tables,
    readonly entities: Entities,
    /** `undefined`: the time-out of the host's DataSource applies. */
    private readonly slowTimeoutMs: () => number | undefined = () => undefined,
  ) {}

  /** Runs one statement on the primary and returns its rows. */
  async query<Row>(statement: Sql, options?: QueryOptions): Promise<Row[]> {
    return (await this.send<Row>(statement, options)).rows;
  }

  /** Runs one statement on the primary and returns how many rows it changed. */
  async execute(statement: Sql): Promise<number> {
    return (await this.send(statement)).rowCount;
  }

  /** Rows that may come from a replica and be out of date. No decision may depend on them. */
  read<Row>(statement: Sql, { isSlow = false, ...options }: TimeOptions & QueryOptions = {}): Promise<Row[]> {
    const timeoutMs = isSlow ? this.slowTimeoutMs() : undefined;
    const readFrom = async (pool: ConnectionPool): Promise<Row[]> => {
      const { rows } =
        timeoutMs === undefined
          ? await pool.query<Row>(statement, options)
          : await pool.transaction((transaction) => transaction.query<Row>(statement, options), timeoutMs);
      return rows;
    };
    const fromPrimary = () => translateErrors(() => retryConflicts(() => readFrom(this.pool)));
    return this.replicas === null ? fromPrimary() : this.replicas.read(readFrom, fromPrimary);
  }

  /** For a single read or change through the repository of an entity, outside a transaction. */
  repository<Row extends ObjectLiteral, Result>(
    entity: EntitySchema<Row>,
    work: (repository: Repository<Row>) => Promise<Result>,
  ): Promise<Result> {
    return translateErrors(() =>
      retryConflicts(() => this.pool.withManager((manager) => work(manager.getRepository(entity)))),
    );
  }

  /**
   * Commits `work` as a whole or not at all, and runs it again after a conflict. `work` must use the given transaction
   * only: PGlite has a single session, and any other way to it would wait until it times out.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    { isSlow = false }: TimeOptions = {},
  ): Promise<Result> {
    const timeoutMs = isSlow ? this.slowTimeoutMs() : undefined;
    return translateErrors(() => retryConflicts(() => this.pool.transaction(work, timeoutMs)));
  }

  private send<Row>(statement: Sql, options?: QueryOptions): Promise<QueryResult<Row>> {
    return translateErrors(() => retryConflicts(() => this.pool.query<Row>(statement, options)));
  }
}
