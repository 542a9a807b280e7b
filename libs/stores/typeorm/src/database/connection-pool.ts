import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { GuardrailsError } from '#contracts/common/errors.js';
import { isResponseTimeout, isUnknownStatement } from './database-errors.js';
import type { Sql } from './sql.js';

export interface QueryOptions {
  /** For statements that are sent often: planned once per connection. */
  readonly isPrepared?: boolean;
}

export interface QueryResult<Row> {
  readonly rows: Row[];
  /** Rows that the statement read or changed. */
  readonly rowCount: number;
}

interface PoolOptions {
  /** Returns an initialized DataSource. */
  connect(): Promise<DataSource>;
  /** The DataSource belongs to the host and stays open. */
  readonly isShared?: boolean;
  /** A connection that does not answer within this time is closed. */
  readonly responseTimeoutMs: number;
  /**
   * For a pooler in transaction mode. Its sessions keep no settings and no prepared statements, so
   * every statement runs in a transaction that sets this time-out.
   */
  readonly transactionTimeoutMs?: () => number;
}

/** Sends statements to one server, through a TypeORM DataSource. */
export class ConnectionPool {
  private readonly statementNames = new Map<string, string>();
  private opened: DataSource | null = null;
  private canPrepare: boolean;

  constructor(private readonly options: PoolOptions) {
    this.canPrepare = options.transactionTimeoutMs === undefined;
  }

  get isOpen(): boolean {
    return this.opened?.isInitialized === true;
  }

  get dataSource(): DataSource {
    if (this.opened === null)
      throw GuardrailsError.storeUnavailable(new Error('The stores are not open. Call open() first.'));
    return this.opened;
  }

  async open(): Promise<void> {
    if (this.isOpen) return;
    this.opened = await this.options.connect();
    listenForErrors(this.opened);
  }

  async close(): Promise<void> {
    if (this.isOpen && this.options.isShared !== true) await this.dataSource.destroy();
  }

  /** One statement in a transaction of its own. */
  query<Row>(statement: Sql, options: QueryOptions = {}): Promise<QueryResult<Row>> {
    if (this.options.transactionTimeoutMs !== undefined)
      return this.transaction((transaction) => transaction.query<Row>(statement, options));
    return this.withConnection((client) => this.send<Row>(client, statement, options));
  }

  /** For reads through a repository, outside a transaction. */
  withManager<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    if (this.options.transactionTimeoutMs !== undefined)
      return this.transaction(({ manager }) => work(manager));
    return this.withConnection((_, manager) => work(manager));
  }

  /** @param timeoutMs replaces the time-out of each statement in the transaction */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    timeoutMs = this.options.transactionTimeoutMs?.(),
  ): Promise<Result> {
    return this.withConnection(async (client, manager) => {
      const responseTimeoutMs = this.options.responseTimeoutMs + (timeoutMs ?? 0);
      const send = (text: string): Promise<unknown> =>
        client.query({ text, query_timeout: responseTimeoutMs } as pg.QueryConfig);
      try {
        await send(timeoutMs === undefined ? 'begin' : `begin; set local statement_timeout = ${timeoutMs}`);
        const result = await work({
          manager,
          query: (statement, options = {}) => this.send(client, statement, options, responseTimeoutMs),
        });
        await send('commit');
        return result;
      } catch (error) {
        if (!isResponseTimeout(error))
          await send('rollback').catch((failure: Error) => discard(client, failure));
        throw error;
      }
    });
  }

  private async withConnection<Result>(
    work: (client: pg.PoolClient, manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as pg.PoolClient;
      try {
        return await work(client, runner.manager);
      } catch (error) {
        // A late response must not be read as the response to another statement.
        if (isResponseTimeout(error)) discard(client, error as Error);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }

  private async send<Row>(
    client: pg.PoolClient,
    statement: Sql,
    { isPrepared = false }: QueryOptions,
    responseTimeoutMs = this.options.responseTimeoutMs,
  ): Promise<QueryResult<Row>> {
    const { text, values } = statement;
    const query = {
      text,
      values,
      query_timeout: responseTimeoutMs,
      types: { getTypeParser: (type: number, format: 'text') => parserOf(client, type, format) },
      ...(isPrepared && this.canPrepare && { name: this.nameOf(text) }),
    };
    try {
      const { rows, rowCount } = await client.query<object>(query as pg.QueryConfig);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    } catch (error) {
      // This error shows a pooler that shares sessions, although the option `pooler` is not set.
      if (isUnknownStatement(error)) this.canPrepare = false;
      throw error;
    }
  }

  private nameOf(text: string) {
    const name =
      this.statementNames.get(text) ??
      `guardrails_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    this.statementNames.set(text, name);
    return name;
  }
}

export interface Transaction {
  /** For repositories. */
  readonly manager: EntityManager;
  query<Row>(statement: Sql, options?: QueryOptions): Promise<QueryResult<Row>>;
}

const BIGINT = 20;
const NUMERIC = 1700;

/** The driver returns `bigint` and sums of it as text. All values of this package are exact as a number. */
function parserOf(client: pg.PoolClient, type: number, format: 'text'): (value: string) => unknown {
  return type === BIGINT || type === NUMERIC
    ? Number
    : (client.getTypeParser(type, format) as (value: string) => unknown);
}

/**
 * Between the pool and TypeORM a connection has no listener for a moment. If it ended in that moment, its error would end
 * the process. The pool and TypeORM replace such a connection by themselves.
 */
function listenForErrors({ driver }: DataSource) {
  const { master: pool } = driver as unknown as { readonly master: pg.Pool };
  pool.off('acquire', listenToClient).on('acquire', listenToClient);
}

function listenToClient(client: pg.PoolClient) {
  client.off('error', ignore).on('error', ignore);
}

function ignore() {}

/** TypeORM closes a connection whose client reports an error, instead of using it again. */
function discard(client: pg.PoolClient, error: Error) {
  if (client.listenerCount('error') > 0) client.emit('error', error);
}
