// The database of a command: its options, its connection, and errors for the terminal. Stores and engine load on demand.
import { GuardrailsError } from '#contracts/common/errors.js';
import type * as engine from '#engine/index.js';
import type { Maintenance, TablePlace } from '#stores/typeorm/index.js';
import type * as stores from '../../../../libs/stores/typeorm/src/index.js';
import { UsageError, type OptionDeclaration, type Session, type ParsedOptions } from './command.js';

const DEFAULT_PORT = 5432;

export const TABLE_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  'table-prefix': { value: 'PREFIX', help: 'Prefix of every table name. Default: guardrails_.' },
  schema: {
    value: 'SCHEMA',
    help: 'Schema of the tables. Default: the first schema in the search path of the role.',
  },
};

/** The options of every command that connects to a database. */
export const DATABASE_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  url: {
    value: 'URL',
    help: 'postgres://user:password@host:5432/database. Default: DATABASE_URL, which is safer because other users of this machine can read command lines.',
  },
  ...TABLE_OPTIONS,
};

export interface DatabaseAddress extends TablePlace {
  readonly url: string;
  /** Host, port and database, without user and password. */
  readonly displayName: string;
}

export function databaseAddress(session: Session): DatabaseAddress {
  const address = findDatabase(session);
  if (address === null) throw new UsageError('No database given. Set DATABASE_URL or pass --url.');
  return address;
}

export function findDatabase({ options, environment }: Session): DatabaseAddress | null {
  const url = options.text('url') ?? (environment['DATABASE_URL'] || null);
  if (url === null) return null;
  return { url, displayName: displayNameOf(url), ...tablePlace(options) };
}

export function tablePlace(options: ParsedOptions): TablePlace {
  const tablePrefix = options.text('table-prefix');
  const schema = options.text('schema');
  return {
    ...(tablePrefix === null ? {} : { tablePrefix }),
    ...(schema === null ? {} : { schema }),
  };
}

function displayNameOf(address: string) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new UsageError(
      'The database URL is invalid. Use the form postgres://user:password@host:5432/database.',
    );
  return `${url.hostname}:${url.port || DEFAULT_PORT}${url.pathname}`;
}

/** The database did not accept a connection, or closed it. The cause is the error of the driver. */
export class UnavailableDatabaseError extends Error {
  override readonly name = 'UnavailableDatabaseError';
}

/** Opens the tables, runs `work` and closes the tables, also after an error. */
export async function withMaintenance<Result>(
  address: DatabaseAddress,
  work: (maintenance: Maintenance) => Promise<Result>,
): Promise<Result> {
  const { Maintenance: LoadedMaintenance } = await loadStores();
  const maintenance = new LoadedMaintenance(address);
  let isOpen = false;
  try {
    await maintenance.open();
    isOpen = true;
    return await work(maintenance);
  } catch (error) {
    throw terminalError(error, address, isOpen);
  } finally {
    await maintenance.close();
  }
}

/** The error with a message for the terminal: those of the stores are for the HTTP API. */
function terminalError(
  error: unknown,
  { displayName, tablePrefix = 'guardrails_' }: DatabaseAddress,
  isOpen: boolean,
): unknown {
  if (isWithoutTable(error))
    return new Error(
      `${displayName} has no tables ${tablePrefix}…, or not all of them. Check --schema and --table-prefix. Run nest-guardrails migrate to create the tables.`,
      { cause: error },
    );
  if (!(error instanceof GuardrailsError) || error.code !== 'store_unavailable') return error;
  return new UnavailableDatabaseError(
    isOpen
      ? `The connection to ${displayName} was lost. Check that the server is running, then run the command again.`
      : `Cannot connect to ${displayName}. Nothing was changed. Check that the server is running, and the host, port, database, user and password of DATABASE_URL or --url.`,
    { cause: error.cause },
  );
}

const UNDEFINED_TABLE = '42P01';

/** An error of TypeORM has that of the driver as a member. */
function isWithoutTable(error: unknown): boolean {
  const { code, driverError } = (error ?? {}) as { readonly code?: unknown; readonly driverError?: unknown };
  return code === UNDEFINED_TABLE || (driverError !== undefined && isWithoutTable(driverError));
}

/** Loads the engine on demand, because its rules take half a second. */
export const loadEngine = (): Promise<typeof engine> => import('#engine/index.js');

/** Loads the stores on demand, so that `--help` works without a database driver. */
export function loadStores(): Promise<typeof stores> {
  return import('../../../../libs/stores/typeorm/src/index.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The database packages are not installed. Run npm install typeorm pg.', { cause: error });
  });
}
