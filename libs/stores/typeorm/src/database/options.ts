import type { DataSource } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { TableNaming } from './tables.js';

/** How `q` is found: by reading windows of rows, or with an index of trigrams. */
export type SearchBy = 'windows' | 'trigram';

/** How the stores connect: one of three. */
export type TypeormConnection =
  | {
      /**
       * A DataSource of the host, which the stores never close. If it is initialized before the stores open, its
       * `entities` must include `...guardrailsEntities()`; otherwise the stores add them and initialize it. Its pool,
       * time-outs and logging apply.
       */
      readonly dataSource: DataSource;
      readonly url?: never;
      readonly driver?: never;
    }
  | {
      readonly dataSource?: never;
      /**
       * `postgres://user:password@host:5432/database`. The stores open and close their own pool. `undefined`, for
       * example from a missing environment variable, is refused.
       */
      readonly url: string | undefined;
      /** A module with the interface of `pg`. Default: `pg`. */
      readonly driver?: unknown;
    }
  | {
      readonly dataSource?: never;
      readonly url?: never;
      /** A module with the interface of `pg` and a fixed database, such as `createPgliteDriver(db)`. */
      readonly driver: unknown;
    };

/** The schema and the name prefix of the tables. */
export interface TablePlace {
  /** The beginning of every table name: `^[a-z][a-z0-9_]{0,29}$`. Default `guardrails_`. */
  readonly tablePrefix?: string;
  /** The PostgreSQL schema of the tables: `^[a-z_][a-z0-9_]{0,62}$`. Default: the search path of the connection. */
  readonly schema?: string;
}

/** The options of `typeormStores`: a connection, the place of the tables, and limits. */
export type TypeormStoresOptions = TypeormConnection &
  TablePlace & {
    /** Creates or updates the tables when the stores open. Default `false`: opening only checks them. */
    readonly migrate?: boolean;
    /**
     * Ends a statement that takes longer, with `query_timeout`. Default: the setting `store.statement_timeout` (2 s). A
     * trend by text or by principal, which counts rows, may take five times as long.
     */
    readonly statementTimeoutMs?: number;
    /** Closes a connection that does not answer for this long, with `store_unavailable`. Default 10 000. */
    readonly responseTimeoutMs?: number;
    /** How many decisions may wait for a commit. Further ones fail with `store_unavailable`. Default 10 000. */
    readonly queueCapacity?: number;
    /**
     * Required with a pooler in transaction mode (PgBouncer's `pool_mode = transaction`, and most
     * hosted poolers). Every statement then runs in a transaction and sets its own time-out.
     */
    readonly pooler?: 'transaction';
    /**
     * URLs of streaming replicas. Lists, trends and statistics are read from one of them, and may be out of date; all
     * other reads use the primary. A replica that does not answer is not used until it does.
     */
    readonly replicas?: readonly string[];
    /**
     * A URL with the maintenance role of `nest-guardrails grants`, used by retention only. Without it
     * `retention.schedule` needs the rights of both roles in the role of the application.
     */
    readonly maintenanceUrl?: string;
    /**
     * How `q` searches texts. `windows` (default) reads the rows, at least a million per second. `trigram` uses an index
     * (`pg_trgm`), which finds rare texts of three or more characters at once, is as large as the texts, and makes
     * appends several times slower.
     */
    readonly search?: SearchBy;
    /** The largest number of connections in our own pool. Default 10. */
    readonly poolSize?: number;
  };

const PREFIX = /^[a-z][a-z0-9_]{0,29}$/;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Names are part of statements, so only plain identifiers are accepted. */
export function tableNaming({ tablePrefix = 'guardrails_', schema }: TablePlace): TableNaming {
  const reasons = [
    ...(PREFIX.test(tablePrefix) ? [] : [`typeormStores: tablePrefix must match ${PREFIX.source}.`]),
    ...(schema === undefined || SCHEMA.test(schema)
      ? []
      : [`typeormStores: schema must match ${SCHEMA.source}.`]),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return { tablePrefix, schema };
}

export function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError([`typeormStores: ${name} must be a positive integer.`]);
}

export function assertPostgresUrl(url: string): void {
  if (!/^(mysql|mariadb):/i.test(url)) return;
  throw new ConfigurationError([
    'MySQL and MariaDB are not supported. Use a PostgreSQL URL: postgres://user:password@host:5432/database.',
  ]);
}

/** The checks that need no connection. */
export function assertValidOptions(options: TypeormStoresOptions): void {
  const { dataSource, url, driver, replicas = [], maintenanceUrl } = options;
  if (dataSource !== undefined && dataSource.options.type !== 'postgres')
    throw new ConfigurationError([
      `typeormStores needs a DataSource of type postgres. This one is of type ${dataSource.options.type}.`,
    ]);
  if (dataSource === undefined && url === undefined && driver === undefined)
    throw new ConfigurationError([
      'typeormStores needs a database: { url: process.env.DATABASE_URL }, { dataSource } or { driver }. ' +
        'If url is undefined, the environment variable is not set.',
    ]);
  for (const given of [url, maintenanceUrl, ...replicas]) if (given !== undefined) assertPostgresUrl(given);
  for (const name of ['statementTimeoutMs', 'responseTimeoutMs', 'queueCapacity', 'poolSize'] as const) {
    const value = options[name];
    if (value !== undefined) positiveInteger(name, value);
  }
}
