import { ConfigurationError } from '../../../../contracts/src/errors.js';
import { perform, rowsOf } from '../rows.js';
import type { Dialect } from './dialect.js';

/** Of the server, not of a database: the name of the database is part of it. */
const LOCK = `concat('guardrails_migrations:', database())`;

/** A table, an index, a row or a trigger that is there already. */
const THERE_ALREADY = new Set([1050, 1061, 1062, 1359]);

/**
 * Every definition commits by itself, so that a migration that failed half-way is not taken back: the next one passes
 * over what is there and goes on. That all of it is there is checked when the stores open.
 */
export const mariadbMigrations: Pick<
  Dialect,
  'define' | 'lockMigrations' | 'unlockMigrations' | 'ensureSchema'
> = {
  async define(runner, statement) {
    try {
      await perform(runner.manager, statement);
    } catch (error) {
      const { errno } = (error as { readonly driverError?: { readonly errno?: number } }).driverError ?? {};
      if (errno === undefined || !THERE_ALREADY.has(errno)) throw error;
    }
  },

  async lockMigrations(runner) {
    // Neither waiting for another instance nor building an index may run into the time-out of ordinary statements.
    await perform(runner.manager, 'set @guardrails_time = @@max_statement_time, max_statement_time = 0');
    await rowsOf(runner.manager, `select get_lock(${LOCK}, 3600)`);
  },

  async unlockMigrations(runner) {
    await rowsOf(runner.manager, `select release_lock(${LOCK})`);
    await perform(runner.manager, 'set max_statement_time = @guardrails_time');
  },

  ensureSchema() {
    throw new ConfigurationError([
      'typeormStores: MariaDB knows no schemas. Name the database in the url, and leave `schema` out.',
    ]);
  },
};
