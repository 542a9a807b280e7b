import { createRequire } from 'node:module';
import { ConfigurationError } from '../../../contracts/src/errors.js';

interface Connection {
  query(statement: string, done: (error: Error | null) => void): void;
  destroy(): void;
}

interface Pool {
  on(event: 'connection', listener: (connection: Connection) => void): void;
}

/** As much of `mysql2` as TypeORM makes a pool with. */
interface Driver {
  createPool(options: unknown): Pool;
}

/** `mysql2` with sessions that are all alike, whatever the server has as its defaults. */
export function mariadbDriver(statementTimeoutMs: number, given: unknown): Driver {
  const driver = (given ?? mysql2()) as Driver;
  const settings = sessionSettings(statementTimeoutMs);
  return {
    ...driver,
    createPool(options) {
      const pool = driver.createPool(options);
      // Whatever is asked of the connection waits in line behind these.
      pool.on('connection', (connection) => {
        for (const setting of settings) connection.query(setting, (error) => error && connection.destroy());
      });
      return pool;
    },
  };
}

/** What ends a statement has another name in MySQL; the server itself reads the comment that is meant for it. */
function sessionSettings(statementTimeoutMs: number): readonly string[] {
  const seconds = statementTimeoutMs / 1_000;
  const lockSeconds = Math.max(1, Math.ceil(seconds));
  return [
    `set session time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      innodb_lock_wait_timeout = ${lockSeconds}
      /*M!, max_statement_time = ${seconds} */ /*!80000, max_execution_time = ${statementTimeoutMs} */`,
    'set session transaction isolation level read committed',
  ];
}

function mysql2(): unknown {
  try {
    return createRequire(import.meta.url)('mysql2');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    throw new ConfigurationError(['typeormStores reaches MariaDB by mysql2: npm install mysql2.']);
  }
}
