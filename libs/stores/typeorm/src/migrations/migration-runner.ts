import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Dialect } from '../dialects/dialect.js';
import { perform, rowsOf } from '../rows.js';
import { qualify, tableName, type TableNaming } from '../tables.js';
import { migrationClasses, type MigrationClass } from './migrations.js';

type Migration = InstanceType<MigrationClass>;

/** Told the name of each migration that has run; the commit is still to come. */
export type MigrationListener = (name: string) => void;

export interface MigrationState {
  /** Ours, and not run on this database. */
  readonly missing: readonly string[];
  /** Run on this database, and not known to this version. */
  readonly unknown: readonly string[];
}

/**
 * Runs what is missing of our migrations, and nothing of the host's, in one transaction. The record has the shape
 * of TypeORM's own, in a table of our own. Instances that start together wait for the first of them.
 */
export async function runMigrations(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
  tell: MigrationListener = () => undefined,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await dialect.lockMigrations(runner);
    const record = await recordTable(runner, dialect, naming);
    const done = await recorded(runner, record);
    for (const migration of migrationsOf(dialect, naming).filter(({ name }) => !done.has(name))) {
      await runOne(runner, record, migration);
      tell(migration.name);
    }
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await dialect.unlockMigrations(runner);
    await runner.release();
  }
}

/** What the database's record of migrations and ours do not have in common, by name. Changes nothing. */
export async function compareMigrations(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
): Promise<MigrationState> {
  const record = tableName(naming, 'migrations');
  const wanted = [[record], naming.schema ?? null];
  const found = await rowsOf(dataSource.manager, dialect.columnsOfTables, wanted);
  const done = found.length === 0 ? new Set<string>() : await recorded(dataSource, qualify(naming, record));
  const known = new Set(migrationsOf(dialect, naming).map(({ name }) => name));
  return {
    missing: [...known].filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !known.has(name)),
  };
}

async function recordTable(runner: QueryRunner, dialect: Dialect, naming: TableNaming): Promise<string> {
  if (naming.schema !== undefined) await dialect.ensureSchema(runner, naming.schema);
  const record = qualify(naming, tableName(naming, 'migrations'));
  const { types, tableEnd } = dialect;
  await dialect.define(
    runner,
    `create table if not exists ${record}
      (id ${types.growingId}, timestamp bigint not null, name ${types.text} not null)${tableEnd()}`,
  );
  return record;
}

async function recorded(
  { manager }: { readonly manager: EntityManager },
  record: string,
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ name: string }>(manager, `select name from ${record}`);
  return new Set(rows.map(({ name }) => name));
}

function migrationsOf(dialect: Dialect, naming: TableNaming): readonly Migration[] {
  return migrationClasses(dialect, naming).map((Migration) => new Migration());
}

async function runOne(runner: QueryRunner, record: string, migration: Migration): Promise<void> {
  await migration.up(runner);
  const timestamp = Number(migration.name.slice(-13));
  await perform(runner.manager, `insert into ${record} (timestamp, name) values ($1, $2)`, [
    timestamp,
    migration.name,
  ]);
}
