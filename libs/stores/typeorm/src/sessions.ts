import type pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { hangUp, isSilence, PreparedStatements } from './prepared-statements.js';
import { spelled } from './dialects/spelling.js';
import { rowsOf } from './rows.js';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** How the stores' work gets hold of a connection, and of the time-out that its statements run under. */
export abstract class Sessions {
  constructor(readonly dataSource: DataSource) {}

  /** Work that is a single statement. */
  abstract single<Result>(work: Work<Result>): Promise<Result>;

  /** A single statement that reads. */
  abstract rows<Row>(statement: string, values: readonly unknown[]): Promise<Row[]>;

  /** A single statement that is sent again and again. */
  abstract prepared<Row>(statement: string, values: readonly unknown[]): Promise<Row[]>;

  /** The same within a transaction. */
  abstract preparedWithin<Row>(
    manager: EntityManager,
    statement: string,
    values: readonly unknown[],
  ): Promise<Row[]>;

  /** `work` commits whole or not at all. */
  abstract transaction<Result>(work: Work<Result>): Promise<Result>;
}

/** Connections that stay ours while they are open: what was set at their opening holds. */
export class OwnSessions extends Sessions {
  private readonly statements: PreparedStatements;

  /** @param patienceMs a connection that says nothing for so long is given up */
  constructor(
    dataSource: DataSource,
    patienceMs: number,
    private readonly isolation?: 'READ COMMITTED',
  ) {
    super(dataSource);
    this.statements = new PreparedStatements(dataSource, patienceMs);
  }

  override single<Result>(work: Work<Result>): Promise<Result> {
    return work(this.dataSource.manager);
  }

  override rows<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.dataSource.options.type !== 'postgres')
      return this.single((manager) => rowsOf<Row>(manager, statement, values));
    const { text, values: given } = spelled('postgres', statement, values);
    return this.statements.once<Row>(text, given);
  }

  override prepared<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.statements.rows<Row>(statement, values);
  }

  override async preparedWithin<Row>(
    { queryRunner }: EntityManager,
    statement: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (queryRunner === undefined) throw new Error('There is no transaction to write in.');
    const client = (await queryRunner.connect()) as pg.PoolClient;
    return this.statements.sendTo<Row>(client, statement, values);
  }

  override transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.isolation === undefined
      ? this.dataSource.transaction(work)
      : this.dataSource.transaction(this.isolation, work);
  }
}

/**
 * Behind a pooler that lends the server's sessions by the transaction nothing can be set, and no statement be prepared,
 * but within one; and so everything is one. Its beginning and its time-out are sent together.
 */
export class LentSessions extends Sessions {
  constructor(
    dataSource: DataSource,
    private readonly statementTimeoutMs: number,
  ) {
    super(dataSource);
  }

  override single<Result>(work: Work<Result>): Promise<Result> {
    return this.transaction(work);
  }

  override rows<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.single((manager) => rowsOf<Row>(manager, statement, values));
  }

  override prepared<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.transaction((manager) => this.preparedWithin<Row>(manager, statement, values));
  }

  override preparedWithin<Row>(
    manager: EntityManager,
    statement: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return rowsOf<Row>(manager, statement, values);
  }

  override async transaction<Result>(work: Work<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.query(`begin; set local statement_timeout = ${this.statementTimeoutMs}`);
      const result = await work(runner.manager);
      await runner.query('commit');
      return result;
    } catch (error) {
      await takeBack(runner, error);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

/** A connection that fell silent, or takes nothing back, is of no use: once it ends, the server takes back. */
async function takeBack(runner: QueryRunner, error: unknown): Promise<void> {
  try {
    if (isSilence(error)) hangUp((await runner.connect()) as pg.PoolClient);
    else await runner.query('rollback');
  } catch {
    // The connection has ended already.
  }
}
