import type { DataSource } from 'typeorm';
import type { Entities } from '../database/entities.js';
import { compareMigrations, missingColumns, type MigrationState } from '../migrations/migrations.js';
import { TABLE_KEYS, tableName, type TableKey, type TableNaming } from '../database/tables.js';
import {
  APPEND_ONLY,
  GUARDED,
  MAINTENANCE_RIGHTS,
  PRIVILEGES,
  TABLE_RIGHTS,
  type Privilege,
} from './table-rights.js';

/** Facts about a database and our tables in it, without a judgement. */
export interface Inspection {
  readonly server: ServerFacts;
  readonly migrations: MigrationState;
  /** Columns that this version uses and the database lacks, as `table.column`. */
  readonly missingColumns: readonly string[];
  /** The tables of ours that exist. */
  readonly tables: readonly TableFacts[];
}

/** What the database server reports about itself and the session. */
export interface ServerFacts {
  /** The version that the server reports. */
  readonly version: string;
  /** PostgreSQL 16.4 is 160004. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** A standby, or a session that may only read. */
  readonly readOnly: boolean;
  readonly role: string;
  readonly superuser: boolean;
  /** The clock of the database minus ours. */
  readonly clockSkewMs: number;
  /** Half of the time that the query took. */
  readonly clockErrorMs: number;
}

/** The owner and the rights of one table. */
export interface TableFacts {
  readonly name: string;
  readonly appendOnly: boolean;
  /** The connected role owns it, directly or by membership. A superuser owns every table. */
  readonly owned: boolean;
  /** Rights that a running application needs and the connected role lacks. */
  readonly lacks: readonly Privilege[];
  /** Rights that retention needs and the connected role lacks. */
  readonly lacksForRetention: readonly Privilege[];
  /** Rights on an append-only table that no application should have. */
  readonly exceeds: readonly Privilege[];
  /** Changes of a guarded table that no active trigger checks. */
  readonly unguarded: readonly Privilege[];
}

export async function inspect(
  dataSource: DataSource,
  naming: TableNaming,
  entities: Entities,
): Promise<Inspection> {
  return {
    server: await serverFacts(dataSource),
    migrations: await compareMigrations(dataSource, naming),
    missingColumns: (await missingColumns(dataSource, naming, entities)).missing,
    tables: await tableFacts(dataSource, naming),
  };
}

type ServerRow = Omit<ServerFacts, 'clockSkewMs' | 'clockErrorMs'> & { readonly milliseconds: string };

async function serverFacts(dataSource: DataSource): Promise<ServerFacts> {
  const sentAt = Date.now();
  const [row] = await dataSource.query<ServerRow[]>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber",
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly",
      current_user::text as role,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      extract(epoch from clock_timestamp()) * 1000 as milliseconds`);
  const answeredAt = Date.now();
  if (row === undefined) throw new Error('The database returned no row about itself.');
  const { milliseconds, ...facts } = row;
  return {
    ...facts,
    clockSkewMs: Math.round(Number(milliseconds) - (sentAt + answeredAt) / 2),
    clockErrorMs: Math.ceil((answeredAt - sentAt) / 2),
  };
}

interface TableRow {
  readonly name: string;
  readonly owned: boolean;
  readonly held: readonly Privilege[];
  readonly guarded: readonly Privilege[];
}

/** `pg_trigger.tgtype` has a bit for BEFORE (2) and one for each statement. */
const TABLES = `
  select c.relname as name,
    pg_has_role(c.relowner, 'USAGE') as owned,
    array(select p from unnest($3::text[]) p where case when p in ('DELETE', 'TRUNCATE')
      then has_table_privilege(c.oid, p) else has_any_column_privilege(c.oid, p) end) as held,
    array(
      select statement from (values ('DELETE', 8), ('UPDATE', 16), ('TRUNCATE', 32)) guarded (statement, bit)
      where exists (
        select 1 from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled in ('O', 'A')
          and t.tgtype & 2 = 2 and t.tgtype & guarded.bit = guarded.bit)) as guarded
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relname = any($1)
    and (n.nspname = $2 or ($2::text is null and n.nspname = any(current_schemas(false))))`;

const CHANGES: readonly Privilege[] = ['UPDATE', 'DELETE', 'TRUNCATE'];

async function tableFacts(dataSource: DataSource, naming: TableNaming): Promise<readonly TableFacts[]> {
  const keys = new Map<string, TableKey>(TABLE_KEYS.map((key) => [tableName(naming, key), key]));
  const rows = await dataSource.query<TableRow[]>(TABLES, [
    [...keys.keys()],
    naming.schema ?? null,
    [...PRIVILEGES],
  ]);
  return rows.flatMap((row) => {
    const key = keys.get(row.name);
    return key === undefined ? [] : [factsOf(key, row)];
  });
}

function factsOf(key: TableKey, { name, owned, held, guarded }: TableRow): TableFacts {
  const lacking = (needed: readonly Privilege[] = []): readonly Privilege[] =>
    needed.filter((privilege) => !held.includes(privilege));
  const appendOnly = APPEND_ONLY.includes(key);
  return {
    name,
    appendOnly,
    owned,
    lacks: lacking(TABLE_RIGHTS[key]),
    lacksForRetention: lacking(MAINTENANCE_RIGHTS[key]),
    exceeds: appendOnly ? CHANGES.filter((privilege) => held.includes(privilege)) : [],
    unguarded: GUARDED.includes(key) ? CHANGES.filter((privilege) => !guarded.includes(privilege)) : [],
  };
}
