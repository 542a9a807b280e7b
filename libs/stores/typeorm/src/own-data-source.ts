import { DataSource, type EntitySchema } from 'typeorm';
import { positiveInteger, type TypeormStoresOptions } from './typeorm-stores.options.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** A DataSource that belongs to the stores. Making it connects to nothing. */
export function ownDataSource(options: TypeormStoresOptions, entities: EntitySchema[]): DataSource {
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
        ? { statement_timeout: statementTimeout(options) }
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
