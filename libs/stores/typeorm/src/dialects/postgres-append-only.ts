import { tableName, tablesOf, qualify, type TableNaming, type TableWord } from '../tables.js';

/** Names the retention run that a transaction deletes for. */
export const RETENTION_SETTING = 'guardrails.retention';

/**
 * Nobody changes or empties the table, and nobody deletes from it but a transaction that has said for which retention
 * run, and has itself written that run's row: whoever removes evidence leaves evidence of it.
 */
export function appendOnly(naming: TableNaming, word: TableWord): readonly string[] {
  const table = tablesOf(naming)[word];
  return [
    `create or replace function ${functionName(naming)}() returns trigger language plpgsql as $guard$
    declare
      run text := nullif(current_setting('${RETENTION_SETTING}', true), '');
      recorded boolean := false;
    begin
      if tg_op = 'DELETE' and run is not null then
        execute format('select exists (select 1 from %I.%I where id::text = $1 and xmin = pg_current_xact_id()::xid)',
          tg_table_schema, '${tableName(naming, 'retentionRuns')}') into recorded using run;
      end if;
      if not recorded then
        raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = '42501',
          hint = 'Only a retention run deletes, in the transaction that records it.';
      end if;
      return null;
    end $guard$`,
    `create trigger append_only before update or delete or truncate on ${table}
      for each statement execute function ${functionName(naming)}()`,
  ];
}

export function dropAppendOnly(naming: TableNaming): readonly string[] {
  return [`drop function ${functionName(naming)}()`];
}

function functionName(naming: TableNaming): string {
  return qualify(naming, `${naming.tablePrefix}append_only`);
}
