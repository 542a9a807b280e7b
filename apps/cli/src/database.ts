import type { Maintenance, TablePlace } from '#stores/typeorm/index.js';
import type * as stores from '../../../libs/stores/typeorm/src/index.js';
import { UsageError, type OptionDeclaration, type Session, type ParsedOptions } from './command.js';

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

export function databaseAddress(options: ParsedOptions, { environment }: Session): DatabaseAddress {
  const url = options.text('url') ?? (environment['DATABASE_URL'] || null);
  if (url === null) throw new UsageError('No database given. Set DATABASE_URL or pass --url.');
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

function displayNameOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new UsageError(
      'The database URL is invalid. Use the form postgres://user:password@host:5432/database.',
    );
  return `${url.host}${url.pathname}`;
}

/** Opens the tables, runs `work` and closes the tables, also after an error. */
export async function withMaintenance<Result>(
  address: DatabaseAddress,
  work: (maintenance: Maintenance) => Promise<Result>,
): Promise<Result> {
  const { Maintenance: LoadedMaintenance } = await loadStores();
  const maintenance = new LoadedMaintenance(address);
  try {
    await maintenance.open();
    return await work(maintenance);
  } finally {
    await maintenance.close();
  }
}

/** Loads the stores on demand, so that `--help` works without a database driver. */
export function loadStores(): Promise<typeof stores> {
  return import('../../../libs/stores/typeorm/src/index.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The database packages are not installed. Run npm install typeorm pg.', { cause: error });
  });
}
