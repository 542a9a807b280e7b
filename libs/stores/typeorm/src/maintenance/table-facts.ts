import type { DataSource } from 'typeorm';
import { TABLE_WORDS, tableName, type TableNaming, type TableWord } from '../tables.js';
import type { TableFacts } from './inspection.js';
import {
  APPEND_ONLY,
  GUARDED,
  MAINTENANCE_RIGHTS,
  PRIVILEGES,
  TABLE_RIGHTS,
  type Privilege,
} from './table-rights.js';

interface TableRow {
  readonly name: string;
  /** Whose partition it is. */
  readonly parent: string | null;
  readonly owned: boolean;
  readonly held: readonly Privilege[];
  readonly refused: readonly Privilege[];
}

/** Bits of `pg_trigger.tgtype`: before, and on which statement. */
const TABLES = `
  select c.relname as name, p.relname as parent,
    pg_has_role(c.relowner, 'USAGE') as owned,
    array(select p from unnest($3::text[]) p where case when p in ('DELETE', 'TRUNCATE')
      then has_table_privilege(c.oid, p) else has_any_column_privilege(c.oid, p) end) as held,
    array(
      select statement from (values ('DELETE', 8), ('UPDATE', 16), ('TRUNCATE', 32)) refused (statement, bit)
      where exists (
        select 1 from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled in ('O', 'A')
          and t.tgtype & 2 = 2 and t.tgtype & refused.bit = refused.bit)) as refused
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
  where c.relkind in ('r', 'p') and (c.relname = any($1) or p.relname = any($1))
    and (n.nspname = $2 or ($2::text is null and n.nspname = any(current_schemas(false))))`;

const CHANGES: readonly Privilege[] = ['UPDATE', 'DELETE', 'TRUNCATE'];

export async function tableFacts(
  dataSource: DataSource,
  naming: TableNaming,
): Promise<readonly TableFacts[]> {
  const words = new Map<string, TableWord>(TABLE_WORDS.map((word) => [tableName(naming, word), word]));
  const rows = await dataSource.query<TableRow[]>(TABLES, [
    [...words.keys()],
    naming.schema ?? null,
    [...PRIVILEGES],
  ]);
  return rows.flatMap((row) => {
    const word = words.get(row.parent ?? row.name);
    return word === undefined ? [] : [factsOf(word, row)];
  });
}

/** Of a partition nobody needs a right: everything goes through its table. */
function factsOf(word: TableWord, { name, parent, owned, held, refused }: TableRow): TableFacts {
  const lacking = (needed: readonly Privilege[] = []): readonly Privilege[] =>
    parent === null ? needed.filter((privilege) => !held.includes(privilege)) : [];
  const appendOnly = APPEND_ONLY.includes(word);
  const changes = appendOnly ? CHANGES : [];
  const guarded = GUARDED.includes(word) ? CHANGES : [];
  return {
    name,
    appendOnly,
    owned,
    lacks: lacking(TABLE_RIGHTS[word]),
    lacksForRetention: lacking(MAINTENANCE_RIGHTS[word]),
    exceeds: changes.filter((privilege) => held.includes(privilege)),
    unguarded: guarded.filter((privilege) => !refused.includes(privilege)),
  };
}
