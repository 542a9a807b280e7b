import type { DataSource, QueryRunner } from 'typeorm';
import type { Dialect } from '../dialects/dialect.js';
import { qualify, tableName, type TableNaming } from '../tables.js';
import { migrationClasses, type MigrationClass } from './migrations.js';

/**
 * Runs what is missing of our migrations, and nothing of the host's, in one transaction. The record has the shape
 * of TypeORM's own, in a table of our own. Instances that start together wait for the first of them.
 */
export async function runMigrations(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await dialect.lockMigrations(runner);
    const record = await recordTable(runner, dialect, naming);
    const done = await recorded(runner, record);
    for (const Migration of migrationClasses(dialect, naming)) await runOne(runner, record, done, Migration);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

async function recordTable(runner: QueryRunner, dialect: Dialect, naming: TableNaming): Promise<string> {
  if (naming.schema !== undefined) await dialect.ensureSchema(runner, naming.schema);
  const record = qualify(naming, tableName(naming, 'migrations'));
  await runner.query(
    `create table if not exists ${record} (id serial primary key, timestamp bigint not null, name varchar not null)`,
  );
  return record;
}

async function recorded(runner: QueryRunner, record: string): Promise<ReadonlySet<string>> {
  const rows = (await runner.query(`select name from ${record}`)) as readonly { readonly name: string }[];
  return new Set(rows.map(({ name }) => name));
}

async function runOne(
  runner: QueryRunner,
  record: string,
  done: ReadonlySet<string>,
  Migration: MigrationClass,
): Promise<void> {
  const migration = new Migration();
  if (done.has(migration.name)) return;
  await migration.up(runner);
  const timestamp = Number(migration.name.slice(-13));
  await runner.query(`insert into ${record} (timestamp, name) values ($1, $2)`, [timestamp, migration.name]);
}
