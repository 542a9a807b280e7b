import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import type { SearchBy } from './audit/trigram-search.js';
import type { TableNaming } from './tables.js';

/** How the stores get at their database: one of three. */
export type TypeormConnection =
  | {
      /**
       * The host's own DataSource, shared and never closed by us. If it is initialised before the stores open, its
       * `entities` must include `...guardrailsEntities()`; otherwise they are added and it is initialised. Its pool,
       * time-outs and logging stay the host's.
       */
      readonly dataSource: DataSource;
      readonly url?: never;
      readonly driver?: never;
    }
  | {
      readonly dataSource?: never;
      /**
       * `postgres://user:password@host:5432/database` (also PGlite, by `driver`); the stores open and close a pool of their own. `undefined`, as
       * an environment variable that is not set gives it, is refused in words.
       */
      readonly url: string | undefined;
      /** A module with the face of `pg`. Default: that module itself. */
      readonly driver?: unknown;
    }
  | {
      readonly dataSource?: never;
      readonly url?: never;
      /** A module with the face of `pg` that knows its database, such as `createPgliteDriver(db)`. */
      readonly driver: unknown;
    };

export interface TablePlace {
  /** Stands before every table's name: `^[a-z][a-z0-9_]{0,29}$`. Default `guardrails_`. */
  readonly tablePrefix?: string;
  /** The PostgreSQL schema that holds the tables: `^[a-z_][a-z0-9_]{0,62}$`. Default: the connection's search path. */
  readonly schema?: string;
}

export type TypeormStoresOptions = TypeormConnection &
  TablePlace & {
    /** Brings the tables up to date when the stores open. Default `false`: then `open` only checks that they fit. */
    readonly migrate?: boolean;
    /**
     * Ends a statement that takes longer, with `query_timeout`. Default 2000. Set when a connection of our own pool
     * is opened, or at the beginning of each transaction where there is a `pooler` in between. A trend by text or by
     * principal, which has to count rows, may take five times as long.
     */
    readonly statementTimeoutMs?: number;
    /** A connection that does not answer for this long is given up, with `store_unavailable`. Default 10 000. */
    readonly responseTimeoutMs?: number;
    /** So many decisions wait for their commit at most; beyond it they are refused with `store_unavailable`. Default 10 000. */
    readonly queueCapacity?: number;
    /**
     * What stands before the database lends its sessions by the transaction (PgBouncer's `pool_mode = transaction`, and
     * most hosted poolers): then nothing is left behind in a session, at the price of a transaction for each statement.
     */
    readonly pooler?: 'transaction';
    /**
     * Streaming replicas, as URLs like `url`. Lists, trends and statistics are read from one of them, and may be as old
     * as it is; whatever decides, and whoever must see what he has just written, reads from the primary. A replica that
     * cannot answer is left out until it can.
     */
    readonly replicas?: readonly string[];
    /**
     * A URL like `url`, in the maintenance role of `nest-guardrails grants`: only retention goes there. Without it
     * `retention.schedule` needs the rights of both roles in that of the application.
     */
    readonly maintenanceUrl?: string;
    /**
     * How `q` finds its texts. `windows` (default) looks through the rows, a million and more in the second that one
     * request may take. `trigram` has an index of their parts (`pg_trgm`): rare texts of three characters and more are
     * found at once, at the price of an index as large as the texts, and of several times slower writing.
     */
    readonly search?: SearchBy;
    /** Connections of our own pool at most. Default 10. */
    readonly poolSize?: number;
  };

const PREFIX = /^[a-z][a-z0-9_]{0,29}$/;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Names go into statements as they are, so nothing but a plain name may pass. */
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
