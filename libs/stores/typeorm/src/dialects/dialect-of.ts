import { ConfigurationError } from '../../../../contracts/src/errors.js';
import type { Dialect } from './dialect.js';
import { mariadb } from './mariadb.js';
import { postgres } from './postgres.js';

/** The dialect of a DataSource of this type. */
export function dialectOf(type: string): Dialect {
  if (type === 'postgres') return postgres;
  if (type === 'mariadb' || type === 'mysql') return mariadb;
  throw new ConfigurationError([
    `typeormStores speaks PostgreSQL and MariaDB, and the DataSource it was given is of type ${type}.`,
  ]);
}
