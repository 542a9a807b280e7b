import { coveredBy } from '../database/held-rows.js';
import { qualifiedName, tableName, tablesOf, type TableKey, type TableNaming } from '../database/tables.js';
import { RETENTION_SETTING } from './guard-triggers.js';

const GUARD = 'held_rows';

/**
 * Refuses to delete or erase rows under an active hold, also in a retention run. These triggers do nothing for a statement
 * that no run executes, because the other guards refuse its changes; `audit_content` and `principals` have no other guard.
 */
export function keepHeldRows(naming: TableNaming): readonly string[] {
  const trigger = (table: TableKey, change: 'delete' | 'update', condition = '') =>
    `create trigger ${GUARD}_${change} after ${change} on ${tablesOf(naming)[table].text}
      referencing old table as gone for each statement ${condition} execute function ${guardName(naming)}()`;
  const inRetention = `when (coalesce(current_setting('${RETENTION_SETTING}', true), '') <> '')`;
  return [
    guardFunction(naming),
    trigger('evidence', 'delete'),
    trigger('content', 'delete'),
    trigger('content', 'update'),
    trigger('reviews', 'delete'),
    trigger('reviews', 'update'),
    trigger('principals', 'delete'),
    trigger('approvals', 'delete'),
    // Every step of an approval is an update.
    trigger('approvals', 'update', inRetention),
  ];
}

export function dropHeldRowGuard(naming: TableNaming): string {
  return `drop function ${guardName(naming)}()`;
}

function guardName(naming: TableNaming) {
  return qualifiedName(naming, `${naming.tablePrefix}${GUARD}`);
}

/** The tables are in the schema of the changed table, whatever search path the caller has. */
function guardFunction(naming: TableNaming): string {
  const placed = (key: TableKey) => `%1$I."${tableName(naming, key)}"`;
  const names = { holds: placed('holds'), principals: placed('principals'), evidence: placed('evidence') };
  const covered = coveredBy(names);
  const searches: readonly (readonly [TableKey, rows: string, covers: string])[] = [
    ['evidence', 'gone', covered.evidence('gone')],
    ['content', `gone join ${names.evidence} e on e.id = gone.evidence_id`, covered.evidence('e')],
    ['reviews', `gone join ${names.evidence} e on e.id = gone.evidence_id`, covered.evidence('e')],
    ['principals', 'gone', `h.kind = 'principal' and h.principal_id = gone.name`],
    ['approvals', 'gone', covered.approval('gone')],
  ];
  const branches = searches.map(
    ([key, rows, covers]) => `when '${tableName(naming, key)}' then
          $search$select h.id from ${names.holds} h cross join ${rows}
            where h.released_at is null and ${covers} limit 1$search$`,
  );
  return `create or replace function ${guardName(naming)}() returns trigger language plpgsql
    set search_path = pg_catalog, pg_temp as $guard$
    declare
      hold bigint;
    begin
      execute format(case tg_table_name ${branches.join('\n')} end, tg_table_schema) into hold;
      if hold is not null then
        raise exception '% keeps rows under hold %: % is refused', tg_table_name, hold, tg_op
          using errcode = '42501', hint = 'Release the hold first.';
      end if;
      return null;
    end $guard$`;
}
