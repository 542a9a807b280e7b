import { DataSource, type EntitySchema } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Starting parallel workers or the JIT takes longer than any of our reads. */
const PLANNER_OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off';

interface OwnDataSourceOptions {
  readonly url?: string | undefined;
  readonly driver?: unknown;
  readonly poolSize: number;
  /** `null`: none, for a pooler that shares sessions and for migrations. */
  readonly statementTimeoutMs: number | null;
  readonly responseTimeoutMs: number | null;
  readonly entities: EntitySchema[];
}

/** Connects with a DataSource that the stores create. */
export async function openOwnDataSource(options: OwnDataSourceOptions): Promise<DataSource> {
  const { url, driver, poolSize, statementTimeoutMs, responseTimeoutMs, entities } = options;
  const dataSource = new DataSource({
    type: 'postgres',
    applicationName: 'nest-guardrails',
    entities,
    synchronize: false,
    installExtensions: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolSize,
    extra: {
      ...(statementTimeoutMs !== null && { statement_timeout: statementTimeoutMs }),
      ...(statementTimeoutMs !== null && driver === undefined && { options: PLANNER_OPTIONS }),
      ...(responseTimeoutMs !== null && { query_timeout: responseTimeoutMs }),
    },
    ...(url !== undefined && { url }),
    ...(driver !== undefined && { driver }),
  });
  try {
    return await dataSource.initialize();
  } catch (error) {
    throw withPoolerAdvice(error);
  }
}

/** Adds our entities to a DataSource of the host, and initializes it, unless the host has done so. */
export async function openHostDataSource(
  dataSource: DataSource,
  entities: readonly EntitySchema[],
): Promise<DataSource> {
  if (!dataSource.isInitialized) {
    const given = dataSource.options.entities ?? [];
    const known = Array.isArray(given) ? given : Object.values(given as Record<string, EntitySchema>);
    const names = new Set(
      known.map((entity) => (entity as { options?: { name?: string } }).options?.name ?? ''),
    );
    const added = entities.filter(({ options: { name } }) => !names.has(name));
    dataSource.setOptions({ entities: [...known, ...added] });
    await dataSource.initialize();
  }
  if (entities.every((entity) => dataSource.hasMetadata(entity))) return dataSource;
  throw new ConfigurationError([
    'The DataSource for typeormStores is initialized and lacks our entities. Add ' +
      '...guardrailsEntities() to its `entities`, with the same tablePrefix and schema.',
  ]);
}

/** `ignore_startup_parameters` of the pooler would connect as well, but then no time-out would end a slow statement. */
function withPoolerAdvice(error: unknown): unknown {
  if (!(error instanceof Error) || !/unsupported startup parameter/i.test(error.message)) return error;
  return new ConfigurationError([
    'typeormStores connects through a pooler in transaction mode. ' +
      `Set typeormStores({ …, pooler: 'transaction' }).`,
  ]);
}
