import type { DataSource, EntityManager, EntitySchema, ObjectLiteral, Repository } from 'typeorm';
import type { Dialect } from './dialects/dialect.js';
import type { Entities } from './entities.js';
import { PreparedStatements } from './prepared-statements.js';
import { guarded, untilSettled } from './store-errors.js';
import type { Tables } from './tables.js';

/** What every store of a backend shares: one connection, one set of tables, one way to fail. */
export class Database {
  private readonly statements: PreparedStatements;

  constructor(
    private readonly dataSource: DataSource,
    readonly dialect: Dialect,
    readonly tables: Tables,
    readonly entities: Entities,
    /** A connection that says nothing for so long is given up. */
    patienceMs = 10_000,
  ) {
    this.statements = new PreparedStatements(dataSource, patienceMs);
  }

  /** Rows of one reading statement. */
  rows<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return guarded(() => rowsOf<Row>(this.dataSource.manager, statement, parameters));
  }

  /** Rows of one statement that commits by itself, and is sent again after a conflict. */
  prepared<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return guarded(() => untilSettled(() => this.statements.rows<Row>(statement, values)));
  }

  /** Work that is a single statement, and needs no transaction around it. */
  statement<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return guarded(() => untilSettled(() => work(this.dataSource.manager)));
  }

  /** Reads through the repository of one entity, outside any transaction. */
  read<Row extends ObjectLiteral, Result>(
    entity: EntitySchema<Row>,
    work: (repository: Repository<Row>) => Promise<Result>,
  ): Promise<Result> {
    return guarded(() => work(this.dataSource.getRepository(entity)));
  }

  /**
   * `work` commits whole or not at all, and may run again after a conflict. It must use the manager it is given and
   * nothing else: on a database of a single session any other way to it would wait for ever.
   */
  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return guarded(() => untilSettled(() => this.dataSource.transaction(work)));
  }
}

/** A statement must begin with `select` or `with`: TypeORM answers bare updates in another shape. */
export function rowsOf<Row>(
  manager: EntityManager,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return manager.query<Row[]>(statement, [...parameters]);
}
