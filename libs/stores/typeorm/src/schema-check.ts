import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import type { Dialect } from './dialects/dialect.js';
import { entityList, type Entities } from './entities.js';
import { rowsOf } from './rows.js';
import type { TableNaming } from './tables.js';

/** Refuses a database whose tables are not there, or are of another version, and says what to call. */
export async function assertSchemaFits(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
  entities: Entities,
): Promise<void> {
  const { missing, none } = await missingColumns(dataSource, dialect, naming, entities);
  if (missing.length > 0) throw misfit(missing, none, naming);
}

/** Columns that the stores use and the database has not, as `table.column`; `none`: not one table of ours is there. */
export async function missingColumns(
  dataSource: DataSource,
  dialect: Dialect,
  naming: TableNaming,
  entities: Entities,
): Promise<{ readonly missing: readonly string[]; readonly none: boolean }> {
  const expected = entityList(entities).flatMap((entity) => {
    const { tableName: table, columns } = dataSource.getMetadata(entity);
    return columns.map(({ databaseName }) => `${table}.${databaseName}`);
  });
  const names = [...new Set(expected.map((column) => column.slice(0, column.indexOf('.'))))];
  const rows = await rowsOf<{ table_name: string; column_name: string }>(
    dataSource.manager,
    dialect.columnsOfTables,
    [names, naming.schema ?? null],
  );
  const present = new Set(rows.map((row) => `${row.table_name}.${row.column_name}`));
  return { missing: expected.filter((column) => !present.has(column)), none: rows.length === 0 };
}

function misfit(missing: readonly string[], allMissing: boolean, naming: TableNaming): ConfigurationError {
  const place = naming.schema === undefined ? 'The database' : `The schema ${naming.schema}`;
  const lack = allMissing
    ? `has no table of ours (${naming.tablePrefix}…)`
    : `lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more columns` : ''}`;
  return new ConfigurationError([
    `${place} ${lack}. Let the stores bring it up to date with typeormStores({ …, migrate: true }), call ` +
      'await runGuardrailsMigrations(dataSource) before, or add ...guardrailsMigrations() to the migrations of ' +
      'your own DataSource and run them.',
  ]);
}
