import type { DataSource, EntitySchema } from 'typeorm';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import { openHostDataSource } from './host-data-source.js';
import { ownDataSource, responseTimeout, statementTimeout } from './own-data-source.js';
import { ReplicaReads } from './replica-reads.js';
import { LentSessions, OwnSessions, type Sessions } from './sessions.js';
import type { TypeormStoresOptions } from './typeorm-stores.options.js';

/** The ways to a database: to its primary, and to the replicas that some reads may go to. */
export class Connections {
  readonly dataSource: DataSource;
  readonly primary: Sessions;
  readonly replicas: ReplicaReads;
  /** In the role that erases and deletes; `null`: that is the primary's. */
  readonly maintenance: Sessions | null;

  constructor(
    private readonly options: TypeormStoresOptions,
    private readonly entities: EntitySchema[],
  ) {
    this.dataSource = primaryOf(options, entities);
    this.primary = sessionsOf(this.dataSource, options);
    const { maintenanceUrl: url } = options;
    this.maintenance =
      url === undefined
        ? null
        : sessionsOf(ownDataSource({ ...keeperOptions(options), url }, entities), options);
    const urls = options.replicas ?? [];
    this.replicas = new ReplicaReads(
      urls.map((replica) =>
        sessionsOf(ownDataSource({ ...options, dataSource: undefined, url: replica }, []), options),
      ),
    );
  }

  async open(): Promise<void> {
    const { dataSource } = this.options;
    if (dataSource === undefined) await this.dataSource.initialize().catch(explained);
    else await openHostDataSource(dataSource, this.entities);
    await this.maintenance?.dataSource.initialize();
    await this.replicas.open();
  }

  async close(): Promise<void> {
    await this.replicas.close();
    if (this.maintenance?.dataSource.isInitialized === true) await this.maintenance.dataSource.destroy();
    if (this.options.dataSource === undefined && this.dataSource.isInitialized)
      await this.dataSource.destroy();
  }
}

/** A month is read through before it is dropped; behind a pooler our own patience is all that ends a statement. */
const KEEPER_PATIENCE_MS = 10 * 60_000;

/** One run at a time: it needs no pool. */
function keeperOptions(options: TypeormStoresOptions) {
  return { ...options, dataSource: undefined, poolSize: 1, responseTimeoutMs: KEEPER_PATIENCE_MS } as const;
}

function primaryOf(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  const { dataSource, url, driver } = options;
  if (dataSource !== undefined) return dataSource;
  if (url !== undefined || driver !== undefined) return ownDataSource(options, entities);
  throw new ConfigurationError([
    'typeormStores needs a database: { url: process.env.DATABASE_URL }, { dataSource } or { driver }. ' +
      'A url that is undefined is usually an environment variable that is not set.',
  ]);
}

function sessionsOf(dataSource: DataSource, options: TypeormStoresOptions): Sessions {
  return options.pooler === undefined
    ? new OwnSessions(dataSource, responseTimeout(options), isolationOf(options))
    : new LentSessions(dataSource, statementTimeout(options));
}

/** PostgreSQL's own; of our own connections to MariaDB it is set once, and of a host's for each transaction. */
function isolationOf({ dataSource }: TypeormStoresOptions): 'READ COMMITTED' | undefined {
  return dataSource === undefined || dataSource.options.type === 'postgres' ? undefined : 'READ COMMITTED';
}

/** Ignoring the parameter would help as well, but then nothing would end a statement that takes too long. */
function explained(error: unknown): never {
  if (error instanceof Error && /unsupported startup parameter/i.test(error.message)) {
    throw new ConfigurationError([
      'Between typeormStores and its database stands a pooler that lends sessions by the transaction: ' +
        `say so with typeormStores({ …, pooler: 'transaction' }).`,
    ]);
  }
  throw error;
}
