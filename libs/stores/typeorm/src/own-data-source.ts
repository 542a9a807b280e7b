import { DataSource, type EntitySchema } from 'typeorm';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import { positiveInteger, type TypeormStoresOptions } from './typeorm-stores.options.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** To call for helpers takes a server longer than any of our reads, and it thinks of it where it cannot know how few rows there are. */
const ALONE = '-c max_parallel_workers_per_gather=0 -c jit=off';

/** A DataSource that belongs to the stores. Making it connects to nothing. */
export function ownDataSource(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  return ownPostgres(options, entities);
}

/** As TypeORM names it. */
export function databaseType({ dataSource }: TypeormStoresOptions): string {
  return dataSource === undefined ? 'postgres' : dataSource.options.type;
}

function ownPostgres(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
  const { url, driver, pooler, poolSize = 10 } = options;
  if (url !== undefined && /^(mysql|mariadb):/i.test(url))
    throw new ConfigurationError([
      'MySQL and MariaDB are not supported. Give typeormStores a PostgreSQL URL: postgres://user:password@host:5432/database.',
    ]);
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

export function statementTimeout({ statementTimeoutMs = 2_000 }: TypeormStoresOptions): number {
  return positiveInteger('statementTimeoutMs', statementTimeoutMs);
}

export function responseTimeout({ responseTimeoutMs = 10_000 }: TypeormStoresOptions): number {
  return positiveInteger('responseTimeoutMs', responseTimeoutMs);
}
