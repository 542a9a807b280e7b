import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../../../contracts/src/errors.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

/** Whether the table `$1` in the schema `$2` or on the search path lies in partitions; no row: it is not there. */
const IS_PARTITIONED = `
  select c.relkind = 'p' as partitioned from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = $1 and (n.nspname = $2 or ($2::text is null and n.nspname = any(current_schemas(false))))`;

/** Of the tables in a PostgreSQL; `null`: they are not there. */
export async function areMonthly(dataSource: DataSource, naming: TableNaming): Promise<boolean | null> {
  const evidence = tableName(naming, 'evidence');
  const [found] = await dataSource.query<{ partitioned: boolean }[]>(IS_PARTITIONED, [
    evidence,
    naming.schema ?? null,
  ]);
  return found?.partitioned ?? null;
}

/** Refuses tables that lie otherwise than the option says: that is decided when they are made, and stays. */
export async function assertPartitionsFit(
  dataSource: DataSource,
  { partitions }: Dialect,
  naming: TableNaming,
): Promise<void> {
  const found = partitions ? await areMonthly(dataSource, naming) : null;
  const wanted = naming.partitions === 'monthly';
  if (found === null || found === wanted) return;
  const evidence = tableName(naming, 'evidence');
  throw new ConfigurationError([
    wanted
      ? `${evidence} was made without partitions, and stays so. Leave partitions: 'monthly' out; or make tables of another ` +
        'name or in another schema with nest-guardrails migrate --partitions monthly --table-prefix PREFIX.'
      : `${evidence} was made with monthly partitions, which somebody has to make before they come: say so with ` +
        "typeormStores({ …, partitions: 'monthly' }).",
  ]);
}
