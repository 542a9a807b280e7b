import type { EntityManager, EntitySchema, ObjectLiteral, Repository } from 'typeorm';
import type { Dialect } from './dialects/dialect.js';
import type { Entities } from './entities.js';
import { ReplicaReads } from './replica-reads.js';
import { perform, rowsOf } from './rows.js';
import type { Sessions } from './sessions.js';
import { guarded, untilSettled } from './store-errors.js';
import type { Tables } from './tables.js';

/** What every store of a backend shares: one connection, one set of tables, one way to fail. */
export class Database {
  constructor(
    private readonly sessions: Sessions,
    readonly dialect: Dialect,
    readonly tables: Tables,
    readonly entities: Entities,
    private readonly replicas = new ReplicaReads([]),
    /** For what may take longer than other statements. `null`: a host's own time-out stands for everything. */
    private readonly patientTimeoutMs: number | null = null,
  ) {}

  /** Rows of one reading statement. */
  rows<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return guarded(() => this.sessions.rows<Row>(statement, parameters));
  }

  /** Whether some rows may be a little old. */
  get lags(): boolean {
    return this.replicas.any;
  }

  /** Rows that a replica may give, and which may then be a little old. Nothing is to be decided by them. */
  laggingRows<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.replicas.read(
      (replica) => replica.rows<Row>(statement, parameters),
      () => this.rows<Row>(statement, parameters),
    );
  }

  /** The same for what has to look at very many rows, and may take its time. */
  patientRows<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { patientTimeoutMs: timeout } = this;
    if (timeout === null) return this.laggingRows<Row>(statement, parameters);
    const work = async (manager: EntityManager): Promise<Row[]> => {
      const [before, patient] = this.dialect.patiently(timeout, statement);
      if (before !== null) await perform(manager, before);
      return rowsOf<Row>(manager, patient, parameters);
    };
    return this.replicas.read(
      (replica) => replica.transaction(work),
      () => this.transaction(work),
    );
  }

  /** Rows of one statement that commits by itself, and is sent again after a conflict. */
  commit<Row>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return guarded(() => untilSettled(() => this.sessions.prepared<Row>(statement, values)));
  }

  /** The same within the transaction of `manager`, and without a second attempt. */
  write<Row>(manager: EntityManager, statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.sessions.preparedWithin<Row>(manager, statement, values);
  }

  /** Work that is a single statement, and needs no transaction around it. */
  statement<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return guarded(() => untilSettled(() => this.sessions.single(work)));
  }

  /** Reads through the repository of one entity, outside any transaction. */
  read<Row extends ObjectLiteral, Result>(
    entity: EntitySchema<Row>,
    work: (repository: Repository<Row>) => Promise<Result>,
  ): Promise<Result> {
    return guarded(() => this.sessions.single((manager) => work(manager.getRepository(entity))));
  }

  /**
   * `work` commits whole or not at all, and may run again after a conflict. It must use the manager it is given and
   * nothing else: on a database of a single session any other way to it would wait for ever.
   */
  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return guarded(() => untilSettled(() => this.sessions.transaction(work)));
  }
}
