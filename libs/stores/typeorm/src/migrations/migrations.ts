import type { DataSource, EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { ProgressReport } from '#contracts/stores/store-backend.js';
import { fitsIndex } from '../database/list-filters.js';
import { entityList, type Entities } from '../database/entities.js';
import {
  columnsWithoutEntity,
  qualifiedName,
  tableName,
  tablesOf,
  TABLE_KEYS,
  type TableNaming,
  type Tables,
} from '../database/tables.js';
import { dropGuards } from './guard-triggers.js';
import { dropHeldRowGuard } from './held-row-triggers.js';
import { initialTables } from './initial-tables.js';

/** TypeORM orders migrations by the thirteen digits at the end of their names. */
const INITIAL_TABLES = 'guardrails_tables1773100800000';
/** An index of times for exports, and the seal of the log. */
const VERIFICATION = 'guardrails_verification1774000000000';
/** The history of the database in which a call was approved. */
const RESTORED_CALLS = 'guardrails_restored_calls1795824000000';

/** Keyed digests of rows that no leaf of the log covers. */
const ROW_MACS = 'guardrails_row_macs1795910400000';
const WITH_MACS = ['outbox', 'reservations', 'settingsRevision', 'retentionLock'] as const;

/** Counts of seconds become counts of minutes. */
const COUNTS_BY_MINUTE = 'guardrails_counts_by_minute1795996800000';

/** What each run has read. */
const RUNS = 'guardrails_runs1796083200000';

/** Runs as lists show them. */
const RUN_ROWS = 'guardrails_run_rows1796169600000';

/** What a tool says of a call that waits, and the earlier calls with which it is compared. */
const HEADLINES = 'guardrails_headlines1796256000000';

/** Steps of approvals by run, and the worst of its other entries of the control, which never falls. */
const RUN_STEPS = 'guardrails_run_steps1796342400000';

/** Any number serves, as long as every instance takes the same one. */
const MIGRATION_LOCK = 4_715_203_117;

export type MigrationClass = new () => MigrationInterface & { readonly name: string };

/** Every migration, oldest first, for the `migrations` of a DataSource. */
export function migrationClasses(naming: TableNaming): readonly MigrationClass[] {
  const tables = tablesOf(naming);
  const dropped = TABLE_KEYS.filter(
    (key) => !['migrations', 'runs', 'runQueue', 'runRows'].includes(key),
  ).map((key) => tables[key].text);
  const byTime = `${naming.tablePrefix}evidence_by_time`;
  const bySteps = `${naming.tablePrefix}evidence_steps_by_run`;
  return [
    migrationClass(naming, INITIAL_TABLES, initialTables(naming), [
      `drop table ${dropped.join(', ')}`,
      ...dropGuards(naming),
      dropHeldRowGuard(naming),
    ]),
    migrationClass(
      naming,
      VERIFICATION,
      [
        `create index "${byTime}" on ${tables.evidence.text} using brin (occurred_at)`,
        `alter table ${tables.logState.text} add seal text not null default ''`,
      ],
      [`drop index ${qualifiedName(naming, byTime)}`, `alter table ${tables.logState.text} drop seal`],
    ),
    migrationClass(
      naming,
      RESTORED_CALLS,
      [`alter table ${tables.approvals.text} add decided_in text`],
      [`alter table ${tables.approvals.text} drop decided_in`],
    ),
    migrationClass(
      naming,
      ROW_MACS,
      WITH_MACS.map((key) => `alter table ${tables[key].text} add mac text`),
      WITH_MACS.map((key) => `alter table ${tables[key].text} drop mac`),
    ),
    migrationClass(naming, COUNTS_BY_MINUTE, ...countsByMinute(tables)),
    migrationClass(naming, RUNS, ...runs(naming, tables)),
    migrationClass(naming, RUN_ROWS, ...runRows(naming, tables)),
    migrationClass(
      naming,
      HEADLINES,
      [
        `alter table ${tables.approvals.text} add headline text`,
        `create index "${naming.tablePrefix}approvals_approved" on ${tables.approvals.text} (tool, id desc)
          where decision = 'approved' and ${fitsIndex('tool')}`,
      ],
      [
        `drop index ${qualifiedName(naming, `${naming.tablePrefix}approvals_approved`)}`,
        `alter table ${tables.approvals.text} drop headline`,
      ],
    ),
    migrationClass(
      naming,
      RUN_STEPS,
      [
        // Evidence first, as retention locks them.
        `create index "${bySteps}" on ${tables.evidence.text} (run_id, id desc)
          where control = 'hitl' and approval_id is not null and ${fitsIndex('run_id')}`,
        `alter table ${tables.runRows.text} add hitl_alone smallint`,
        `update ${tables.runRows.text} r set hitl_alone = (
          select max(case outcome when 'blocked' then 2 when 'observed' then 1 else 0 end) from ${tables.evidence.text} e
          where e.run_id = r.run_id and ${fitsIndex('e.run_id')} and e.application is not distinct from r.application
            and e.principal_ref is not distinct from r.principal_ref and e.id >= r.id
            and e.control = 'hitl' and e.approval_id is null)
          where hitl is not null`,
      ],
      [`drop index ${qualifiedName(naming, bySteps)}`, `alter table ${tables.runRows.text} drop hitl_alone`],
    ),
  ];
}

/** The minutes, hours and days already have what was moved, so only the seconds that were not moved are added up. */
function countsByMinute({ newCounts, countState, ...tables }: Tables): [up: string[], down: string[]] {
  const group = 'group_hash, control, rule_id, application, ruleset_version';
  return [
    [
      `with seconds as (delete from ${newCounts.text} where length(time) > 16 returning *)
        insert into ${newCounts.text} as existing (time, ${group}, allowed, observed, blocked, last_seen_at)
        select substr(time, 1, 16), ${group}, sum(allowed), sum(observed), sum(blocked), max(last_seen_at)
        from seconds group by 1, ${group}
        on conflict (time, group_hash, ruleset_version) do update set
        allowed = existing.allowed + excluded.allowed, observed = existing.observed + excluded.observed,
        blocked = existing.blocked + excluded.blocked,
        last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)`,
      ...(['fineCounts', 'ruleHits', 'outputSums', 'idRanges'] as const).map(
        (key) => `delete from ${tables[key].text} where unit = 'second'`,
      ),
      `alter table ${countState.text} drop seconds_since`,
    ],
    [
      // An earlier version reads entries instead of counts of seconds before this time.
      `alter table ${countState.text} add seconds_since varchar(16) collate "C" not null
        default to_char(clock_timestamp() at time zone 'UTC' + interval '1 minute', 'YYYY-MM-DD"T"HH24:MI')`,
    ],
  ];
}

/** Hashes are deleted with their row; the fill factor leaves space for a row that grows. */
function runs(naming: TableNaming, { runs: table, approvals }: Tables): [up: string[], down: string[]] {
  return [
    [
      `create table ${table.text} (
        key varchar(64) primary key,
        parent varchar(64),
        run_id text not null,
        principal_digest bytea,
        salt varchar(32) not null,
        hashes text not null default '',
        is_full boolean not null default false,
        label smallint not null,
        untrusted_by bigint,
        suspect_by bigint,
        expires_at timestamptz(3) not null)`,
      `alter table ${approvals.text} add risk text not null default '[]'`,
      `create index "${naming.tablePrefix}runs_by_run" on ${table.text} (run_id) where ${fitsIndex('run_id')}`,
      `create index "${naming.tablePrefix}runs_by_principal" on ${table.text} (principal_digest)`,
      `create index "${naming.tablePrefix}runs_by_end" on ${table.text} (expires_at)`,
    ],
    [`drop table ${table.text}`, `alter table ${approvals.text} drop risk`],
  ];
}

/** Runs are listed from here on: earlier entries are in no row. Every filter has an index that is ordered as the list. */
function runRows(naming: TableNaming, { runQueue, runRows: table }: Tables): [up: string[], down: string[]] {
  const controls = ['tool_firewall', 'input_screen', 'output_handler', 'hitl'];
  const index = (name: string, definition: string) =>
    `create index "${naming.tablePrefix}run_rows_${name}" on ${table.text} ${definition}`;
  return [
    [
      `create table ${runQueue.text} (evidence_id bigint primary key, key varchar(64) not null)`,
      `create table ${table.text} (
        id bigint primary key,
        key varchar(64) not null unique,
        run_id text not null,
        application text,
        principal_ref bigint,
        prompt_id bigint,
        outcome smallint not null,
        ${controls.map((key) => `${key} smallint,`).join(' ')}
        entries bigint not null,
        started_at timestamptz(3) not null,
        last_at timestamptz(3) not null) with (fillfactor = 80)`,
      index('by_outcome', '(outcome, id desc)'),
      ...controls.map((key) => index(`by_${key}`, `(id desc) where ${key} > 0`)),
      index('by_principal', '(principal_ref, id desc)'),
      ...['application', 'run_id'].map((column) =>
        index(`by_${column}`, `(${column}, id desc) where ${fitsIndex(column)}`),
      ),
    ],
    [`drop table ${runQueue.text}, ${table.text}`],
  ];
}

function migrationClass(
  naming: TableNaming,
  id: string,
  up: readonly string[],
  down: readonly string[],
): MigrationClass {
  return class implements MigrationInterface {
    readonly name = `${naming.tablePrefix}${id}`;

    async up(runner: QueryRunner): Promise<void> {
      // `migrate` may have run it before the host added this class to its migrations.
      if ((await ownRecord(runner.manager, naming)).has(this.name)) return;
      await ensureSchema(runner, naming);
      for (const statement of up) await runner.query(statement);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const statement of down) await runner.query(statement);
      if ((await ownRecord(runner.manager, naming)).has(this.name))
        await runner.query(`delete from ${recordTable(naming)} where name = $1`, [this.name]);
    }
  };
}

/** How the migrations of this version and those of the database differ. */
export interface MigrationState {
  /** Migrations of this version that did not run on the database. */
  readonly missing: readonly string[];
  /** Migrations that ran on the database and are unknown to this version. */
  readonly unknown: readonly string[];
}

/**
 * Runs our missing migrations in one transaction, and none of the host. Our migration table has the shape of TypeORM's.
 * Instances that start at the same time wait for the first one. `report` gets the name of each before it runs.
 */
export async function runMigrations(
  dataSource: DataSource,
  naming: TableNaming,
  report?: ProgressReport,
): Promise<void> {
  await inMigrationTransaction(dataSource, async (runner) => {
    await refuseOldLayout(runner.manager, naming);
    await ensureSchema(runner, naming);
    const record = recordTable(naming);
    await runner.query(
      `create table if not exists ${record}
        (id bigint generated always as identity primary key, timestamp bigint not null, name text not null)`,
    );
    const done = await recordedMigrations(dataSource, runner.manager, naming);
    for (const Migration of migrationClasses(naming)) {
      const migration = new Migration();
      if (done.has(migration.name)) continue;
      report?.(migration.name);
      await migration.up(runner);
      const timestamp = Number(migration.name.slice(-13));
      await runner.query(`insert into ${record} (timestamp, name) values ($1, $2)`, [
        timestamp,
        migration.name,
      ]);
    }
  });
}

/** One instance at a time, without a time-out: it may have to wait for another one, and building an index takes long. */
export async function inMigrationTransaction(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('set local statement_timeout = 0');
    await runner.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await work(runner);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

/** Compares the recorded migrations with those of this package. Changes nothing. */
export async function compareMigrations(
  dataSource: DataSource,
  naming: TableNaming,
): Promise<MigrationState> {
  const done = await recordedMigrations(dataSource, dataSource.manager, naming);
  const known = new Set(migrationClasses(naming).map((Migration) => new Migration().name));
  return {
    missing: [...known].filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !known.has(name)),
  };
}

/** Refuses a database whose tables are missing or do not fit this version. */
export async function assertSchemaFits(
  dataSource: DataSource,
  naming: TableNaming,
  entities: Entities,
): Promise<void> {
  await refuseOldLayout(dataSource.manager, naming);
  const { missing, none } = await missingColumns(dataSource, naming, entities);
  if (missing.length === 0) return;
  const place = naming.schema === undefined ? 'The database' : `The schema ${naming.schema}`;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more columns` : '';
  const lack = none
    ? `has no table of nest-guardrails (${naming.tablePrefix}…)`
    : `lacks ${missing.slice(0, 5).join(', ')}${more}`;
  throw new ConfigurationError([
    `${place} ${lack}. Run npx nest-guardrails migrate, or create the tables with ` +
      'typeormStores({ …, migrate: true }), with await runGuardrailsMigrations(dataSource), or by adding ...guardrailsMigrations() to the migrations of ' +
      'your own DataSource.',
  ]);
}

/** Columns that this version uses and the database lacks, as `table.column`; `none`: all of our tables are missing. */
export async function missingColumns(
  dataSource: DataSource,
  naming: TableNaming,
  entities: Entities,
): Promise<{ readonly missing: readonly string[]; readonly none: boolean }> {
  const expected = [
    ...entityList(entities).flatMap((entity) => {
      const { tableName: table, columns } = dataSource.getMetadata(entity);
      return columns.map(({ databaseName }) => `${table}.${databaseName}`);
    }),
    ...columnsWithoutEntity(naming),
  ];
  const names = [...new Set(expected.map((column) => column.slice(0, column.indexOf('.'))))];
  const present = await columnsOfTables(dataSource.manager, names, naming);
  return { missing: expected.filter((column) => !present.has(column)), none: present.size === 0 };
}

/** Tables that were made before 0.1.0 was published have a column `seal`. There is no migration for them. */
async function refuseOldLayout(manager: EntityManager, naming: TableNaming) {
  const evidence = tableName(naming, 'evidence');
  const columns = await columnsOfTables(manager, [evidence], naming);
  if (!columns.has(`${evidence}.seal`)) return;
  throw new ConfigurationError([
    `The tables ${naming.tablePrefix}… have the layout of an unpublished version, which cannot be migrated. ` +
      'Drop them, or give typeormStores another tablePrefix or schema for new tables.',
  ]);
}

async function columnsOfTables(
  manager: EntityManager,
  tables: readonly string[],
  { schema = null }: { readonly schema?: string | null | undefined },
): Promise<ReadonlySet<string>> {
  const rows = await manager.query<{ column: string }[]>(
    `select table_name || '.' || column_name as "column" from information_schema.columns
     where table_name = any($1)
       and (table_schema = $2 or ($2::text is null and table_schema = any(current_schemas(false))))`,
    [[...tables], schema],
  );
  return new Set(rows.map(({ column }) => column));
}

const recordTable = (naming: TableNaming) => qualifiedName(naming, tableName(naming, 'migrations'));

/** What `migrate` recorded, and what TypeORM recorded for a host that runs our migrations with its own. */
async function recordedMigrations(
  dataSource: DataSource,
  manager: EntityManager,
  naming: TableNaming,
): Promise<ReadonlySet<string>> {
  const own = await ownRecord(manager, naming);
  const tables = await columnsOfTables(manager, [tableName(naming, 'evidence')], naming);
  // The record of a host may describe another schema.
  return tables.size === 0 ? own : new Set([...own, ...(await hostRecord(dataSource, manager, naming))]);
}

async function ownRecord(manager: EntityManager, naming: TableNaming): Promise<ReadonlySet<string>> {
  const found = await columnsOfTables(manager, [tableName(naming, 'migrations')], naming);
  return new Set(found.size === 0 ? [] : await namesIn(manager, recordTable(naming)));
}

async function hostRecord(
  { options: { migrationsTableName: table = 'migrations' } }: DataSource,
  manager: EntityManager,
  { schema, tablePrefix }: TableNaming,
): Promise<readonly string[]> {
  const places = await manager.query<{ place: string }[]>(
    `select format('%I.%I', table_schema, table_name) as place from information_schema.columns
     where table_name = $1 and column_name = 'name'
       and (table_schema = $2 or table_schema = any(current_schemas(false)))`,
    [table, schema ?? null],
  );
  const names: string[] = [];
  for (const { place } of places) names.push(...(await namesIn(manager, place)));
  return names.filter((name) => name.startsWith(`${tablePrefix}guardrails_`));
}

async function namesIn(manager: EntityManager, table: string): Promise<readonly string[]> {
  const rows = await manager.query<{ name: string }[]>(`select name from ${table}`);
  return rows.map(({ name }) => name);
}

/** `create schema if not exists` needs the right to create schemas even where the schema exists. */
async function ensureSchema(runner: QueryRunner, { schema }: TableNaming) {
  if (schema === undefined) return;
  const found: unknown[] = await runner.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (found.length === 0) await runner.query(`create schema "${schema}"`);
}
