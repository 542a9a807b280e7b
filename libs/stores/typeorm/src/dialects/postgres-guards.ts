import { APPROVED, DECISION, FORWARD } from './decided-once.js';
import { qualify, tableName, tablesOf, type TableNaming, type TableWord } from '../tables.js';

/** Names the retention run that a transaction changes the record for. */
export const RETENTION_SETTING = 'guardrails.retention';

/**
 * Nobody changes or empties the table, and nobody deletes from it but a transaction that has said for which retention
 * run, and has itself written that run's row: whoever removes evidence leaves evidence of it.
 */
export function appendOnly(naming: TableNaming, word: TableWord): readonly string[] {
  return [
    functionOf(
      naming,
      'append_only',
      recorded(naming),
      refusal('is append-only', "tg_op = 'DELETE' and recorded"),
    ),
    `create trigger append_only before update or delete or truncate on ${tablesOf(naming)[word]}
      for each statement execute function ${guard(naming, 'append_only')}()`,
  ];
}

/** Of a finished run only whether it was told of changes. */
export function recordOnce(naming: TableNaming, word: TableWord): readonly string[] {
  const table = tablesOf(naming)[word];
  const record = ['id', 'actor_id', 'strategy', 'scope', 'counts', 'started_at', 'finished_at'];
  return [
    functionOf(
      naming,
      'record_once',
      '',
      refusal(
        'is kept for ever',
        `tg_op = 'UPDATE' and (
        old.finished_at is null or ${sameIn(record)})`,
      ),
    ),
    ...both(naming, table, 'record_once'),
  ];
}

export function decidedOnce(naming: TableNaming, word: TableWord): readonly string[] {
  const table = tablesOf(naming)[word];
  return [
    functionOf(
      naming,
      'decided_once',
      recorded(naming),
      refusal(
        'keeps what was decided',
        `recorded and tg_op = 'DELETE' or tg_op = 'UPDATE' and ${FORWARD} and (
        old.decision is null or ${sameIn(DECISION)} and (recorded or ${sameIn(APPROVED)}))`,
      ),
    ),
    ...both(naming, table, 'decided_once'),
  ];
}

export function dropGuards(naming: TableNaming): readonly string[] {
  return ['append_only', 'record_once', 'decided_once'].map(
    (name) => `drop function ${guard(naming, name)}()`,
  );
}

function both(naming: TableNaming, table: string, name: string): readonly string[] {
  const execute = `execute function ${guard(naming, name)}()`;
  return [
    `create trigger ${name} before update on ${table} for each row ${execute}`,
    `create trigger ${name}_rows before delete or truncate on ${table} for each statement ${execute}`,
  ];
}

/** Whatever else the caller may have made by the name of a function or an operator: this one asks PostgreSQL's own. */
function functionOf(naming: TableNaming, name: string, first: string, body: string): string {
  return `create or replace function ${guard(naming, name)}() returns trigger language plpgsql
    set search_path = pg_catalog, pg_temp as $guard$
    declare
      run text := nullif(current_setting('${RETENTION_SETTING}', true), '');
      recorded boolean := false;
    begin
      ${first}
      ${body}
      return new;
    end $guard$`;
}

/** Whether this transaction has written the row of the run that it says it acts for. */
function recorded(naming: TableNaming): string {
  return `if run is not null then
        execute format('select exists (select 1 from %I.%I where id::text = $1 and xmin = pg_current_xact_id()::xid)',
          tg_table_schema, '${tableName(naming, 'retentionRuns')}') into recorded using run;
      end if;`;
}

/** What a statement trigger returns is of no account. */
function refusal(why: string, unless: string): string {
  return `if not coalesce(${unless}, false) then
        raise exception '% ${why}: % is refused', tg_table_name, tg_op using errcode = '42501',
          hint = 'Only a retention run removes, in the transaction that records it.';
      end if;`;
}

const sameIn = (columns: readonly string[]): string =>
  `(${columns.map((column) => `old.${column}`).join(', ')}) is not distinct from (${columns.map((column) => `new.${column}`).join(', ')})`;

function guard(naming: TableNaming, name: string): string {
  return qualify(naming, `${naming.tablePrefix}${name}`);
}
