import { ConfigurationError } from '../../../../contracts/src/errors.js';
import type { Dialect } from './dialect.js';
import { postgres } from './postgres.js';

/** The dialect of a DataSource of this type. */
export function dialectOf(type: string): Dialect {
  if (type === 'postgres') return postgres;
  throw new ConfigurationError([
    `typeormStores supports PostgreSQL only. The given DataSource has the type ${type}.`,
  ]);
}
