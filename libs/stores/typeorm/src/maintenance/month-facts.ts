import type { DataSource } from 'typeorm';
import { monthFunction, MONTHLY_TABLES, MONTHS_AHEAD } from '../partitions/months.js';
import { areMonthly } from '../partitions/partition-check.js';
import { tableName, tablesOf, type TableNaming } from '../tables.js';
import type { MonthFacts } from './inspection.js';

interface MonthRow {
  readonly ahead: number;
  readonly name: string;
}

/** Months of the database's clock, and those of their partitions that are not there. */
const MISSING = `
  select ahead, made.name
  from generate_series(0, $3::integer) ahead, unnest($1::text[]) parent,
    lateral (select parent || to_char(date_trunc('month', clock_timestamp() at time zone 'UTC')
      + make_interval(months => ahead), '_YYYY_MM') as name) made
  where not exists (
    select 1 from pg_inherits i
    join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent join pg_namespace n on n.oid = p.relnamespace
    where c.relname = made.name and p.relname = parent
      and (n.nspname = $2 or ($2::text is null and n.nspname = any(current_schemas(false)))))
  order by ahead, made.name`;

const MAY = `
  select coalesce(has_function_privilege(to_regprocedure($1), 'EXECUTE'), false) as make,
    coalesce(has_function_privilege(to_regprocedure($2), 'EXECUTE'), false) as drop`;

export async function monthFacts(dataSource: DataSource, naming: TableNaming): Promise<MonthFacts | null> {
  const schema = naming.schema ?? null;
  if ((await areMonthly(dataSource, naming)) !== true) return null;
  const parents = MONTHLY_TABLES.map(({ word }) => tableName(naming, word));
  const missing = await dataSource.query<MonthRow[]>(MISSING, [parents, schema, MONTHS_AHEAD]);
  const tables = tablesOf(naming);
  const [may] = await dataSource.query<{ make: boolean; drop: boolean }[]>(MAY, [
    `${monthFunction(tables, 'make_months')}()`,
    `${monthFunction(tables, 'drop_month')}(integer)`,
  ]);
  const names = (wanted: (ahead: number) => boolean): readonly string[] =>
    missing.filter(({ ahead }) => wanted(ahead)).map(({ name }) => name);
  return {
    missingNow: names((ahead) => ahead === 0),
    missingAhead: names((ahead) => ahead > 0),
    mayMake: may?.make === true,
    mayDrop: may?.drop === true,
  };
}
