import { DataSource, type EntitySchema } from 'typeorm';
import { mariadbDriver } from './mariadb-driver.js';
import { positiveInteger, type TypeormStoresOptions } from './typeorm-stores.options.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** To call for helpers takes a server longer than any of our reads, and it thinks of it where it cannot know how few rows there are. */
const ALONE = '-c max_parallel_workers_per_gather=0 -c jit=off';

/** A DataSource that belongs to the stores. Making it connects to nothing. */
export function ownDataSource(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  return databaseType(options) === 'postgres'
    ? ownPostgres(options, entities)
    : ownMariadb(options, entities);
}

/** As TypeORM names it. */
export function databaseType({ dataSource, url = '' }: TypeormStoresOptions): string {
  if (dataSource !== undefined) return dataSource.options.type;
  return /^(?:mariadb|mysql)(?=:)/.exec(url)?.[0] ?? 'postgres';
}

function ownPostgres(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  const { url, driver, pooler, poolSize = 10 } = options;
  return new DataSource({
    type: 'postgres',
    applicationName: 'nest-guardrails',
    entities,
    synchronize: false,
    installExtensions: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolSize: positiveInteger('poolSize', poolSize),
    extra:
      pooler === undefined
        ? { statement_timeout: statementTimeout(options), ...(driver === undefined && { options: ALONE }) }
        : { query_timeout: responseTimeout(options) },
    ...(url === undefined ? {} : { url }),
    ...(driver === undefined ? {} : { driver }),
  });
}

function ownMariadb(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  const { url = '', driver, poolSize = 10 } = options;
  return new DataSource({
    type: databaseType(options) as 'mariadb' | 'mysql',
    url,
    entities,
    synchronize: false,
    timezone: 'Z',
    connectTimeout: CONNECT_TIMEOUT_MS,
    poolSize: positiveInteger('poolSize', poolSize),
    driver: mariadbDriver(statementTimeout(options), driver),
    maxQueryExecutionTime: responseTimeout(options),
    enableQueryTimeout: true,
  });
}

export function statementTimeout({ statementTimeoutMs = 2_000 }: TypeormStoresOptions): number {
  return positiveInteger('statementTimeoutMs', statementTimeoutMs);
}

export function responseTimeout({ responseTimeoutMs = 10_000 }: TypeormStoresOptions): number {
  return positiveInteger('responseTimeoutMs', responseTimeoutMs);
}
