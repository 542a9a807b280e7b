import type { Maintenance, TablePlace } from '../../../libs/stores/typeorm/src/index.js';
import type * as stores from '../../../libs/stores/typeorm/src/index.js';
import { UsageError, type Given, type OptionDeclaration, type Session } from './command.js';

/** Where the tables are, within a database. */
export const TABLE_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  'table-prefix': { value: 'PREFIX', help: 'Stands before every table name. Default: guardrails_.' },
  schema: { value: 'SCHEMA', help: 'Holds the tables. Default: where the search path of the role points.' },
};

/** Taken by every command that looks into a database. */
export const DATABASE_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  url: {
    value: 'ADDRESS',
    help: 'postgres://user:password@host:5432/database. Default: DATABASE_URL, which other users of this machine cannot see in its list of processes.',
  },
  ...TABLE_OPTIONS,
};

export interface DatabaseAddress extends TablePlace {
  readonly url: string;
  /** Fit to be shown: host, port and database, no user and no password. */
  readonly shown: string;
}

export function databaseAddress(given: Given, { environment }: Session): DatabaseAddress {
  const url = given.text('url') ?? environment.databaseUrl;
  if (url === null) throw new UsageError('Which database? Set DATABASE_URL, or give --url.');
  return { url, shown: shownAddress(url), ...tablePlace(given) };
}

export function tablePlace(given: Given): TablePlace {
  const tablePrefix = given.text('table-prefix');
  const schema = given.text('schema');
  return {
    ...(tablePrefix === null ? {} : { tablePrefix }),
    ...(schema === null ? {} : { schema }),
  };
}

function shownAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (/^(mariadb|mysql):/.test(address))
    throw new UsageError('MySQL and MariaDB are not supported. Give a postgres:// address.');
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    throw new UsageError(
      'The address of the database must be like postgres://user:password@host:5432/database.',
    );
  return `${url.host}${url.pathname}`;
}

/** Opens the tables, and closes them whatever becomes of the work. */
export async function withMaintenance<Result>(
  address: DatabaseAddress,
  work: (maintenance: Maintenance) => Promise<Result>,
): Promise<Result> {
  const { Maintenance: Loaded } = await loadStores();
  const maintenance = new Loaded(address);
  try {
    await maintenance.open();
    return await work(maintenance);
  } finally {
    await maintenance.close();
  }
}

/** Loaded only where it is needed, so that the help needs no database driver. */
export function loadStores(): Promise<typeof stores> {
  return import('../../../libs/stores/typeorm/src/index.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The packages of the database are not installed: npm install typeorm pg', {
      cause: error,
    });
  });
}
