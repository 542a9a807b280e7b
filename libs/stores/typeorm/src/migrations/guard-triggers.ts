import { qualifiedName, tableName, tablesOf, type TableKey, type TableNaming } from '../database/tables.js';

/** Holds the id of the retention run that a transaction acts for. */
export const RETENTION_SETTING = 'guardrails.retention';

/** What was decided, by whom and when. */
const DECISION =
  `id reference token_hash tool tool_fingerprint step_name run_id application policy_revision requirement supersedes first_id editors
  call_mac created_at expires_at decision decided_by decided_at decision_mac vote_count`.split(/\s+/);

/** What the decision was about. Only a recorded retention run erases it. */
const APPROVED_CALL = [
  'arguments',
  'requested_arguments',
  'overwritten',
  'arguments_digest',
  'principal_id',
  'reason',
  'edit_reason',
  'warnings',
  'claims',
];

const VOTE = ['id', 'approval_id', 'actor_id', 'voted_at', 'vote_mac'];

const REVIEW = ['id', 'evidence_id', 'verdict', 'rule_id', 'actor_id', 'request_id', 'reviewed_at'];

const RETENTION_RUN = [
  'id',
  'actor_id',
  'strategy',
  'scope',
  'counts',
  'held_by',
  'started_at',
  'finished_at',
];

const HOLD = 'id kind run_id application first_id last_id from_time to_time reason set_by set_at'.split(' ');

const TRANSITIONS = [
  ...['approved', 'rejected', 'expired', 'superseded'].map((status) => `pending ${status}`),
  ...['executing', 'superseded'].map((status) => `approved ${status}`),
  ...['executed', 'failed', 'outcome_unknown', 'superseded'].map((status) => `executing ${status}`),
  ...['executed', 'failed'].map((status) => `outcome_unknown ${status}`),
];

/** A transition cannot be reversed, so no call can run twice, and the time to decide cannot be extended. */
const MOVES_FORWARD = `((new.fence >= old.fence or new.status = 'superseded') and new.expires_at <= old.expires_at
  and (new.status = old.status
    or concat(old.status, ' ', new.status) in (${TRANSITIONS.map((step) => `'${step}'`).join(', ')})))`;

const GUARDS = [
  'append_only',
  'record_once',
  'decided_once',
  'voted_once',
  'reviewed_once',
  'released_once',
] as const;

/**
 * Refuses UPDATE and TRUNCATE, and every DELETE except by a transaction that names a retention run and has written the
 * row of that run, so each removal is on record.
 */
export function appendOnly(naming: TableNaming, table: TableKey): readonly string[] {
  return [
    guardFunction(
      naming,
      'append_only',
      isRecordedRun(naming),
      refuseUnless(`tg_op = 'DELETE' and recorded`, 'is append-only'),
    ),
    `create trigger append_only before update or delete or truncate on ${tablesOf(naming)[table].text}
      for each statement execute function ${guardName(naming, 'append_only')}()`,
  ];
}

/** A finished retention run cannot be changed, except for the time of the notification, and no run can be deleted. */
export function recordOnce(naming: TableNaming, table: TableKey): readonly string[] {
  const allowed = `tg_op = 'UPDATE' and (old.finished_at is null or ${isUnchanged(RETENTION_RUN)})`;
  return [
    guardFunction(naming, 'record_once', '', refuseUnless(allowed, 'is append-only')),
    ...rowAndStatementTriggers(naming, table, 'record_once'),
  ];
}

/** An approval only moves forward, its decision cannot be changed, and only a recorded retention run deletes it. */
export function decidedOnce(naming: TableNaming, table: TableKey): readonly string[] {
  const allowed = `recorded and tg_op = 'DELETE' or tg_op = 'UPDATE' and ${MOVES_FORWARD} and (
        old.decision is null or ${isUnchanged(DECISION)} and (recorded or ${isUnchanged(APPROVED_CALL)}))`;
  return [
    guardFunction(
      naming,
      'decided_once',
      isRecordedRun(naming),
      refuseUnless(allowed, 'keeps what was decided'),
    ),
    ...rowAndStatementTriggers(naming, table, 'decided_once'),
  ];
}

/** A vote can become void once. Only a recorded retention run erases its reason or deletes it. */
export function votedOnce(naming: TableNaming, table: TableKey): readonly string[] {
  const allowed = `recorded and tg_op = 'DELETE' or tg_op = 'UPDATE' and ${isUnchanged(VOTE)}
        and (old.voided_at is null or ${isUnchanged(['voided_at'])})
        and (recorded or ${isUnchanged(['reason'])})`;
  return [
    guardFunction(naming, 'voted_once', isRecordedRun(naming), refuseUnless(allowed, 'keeps every vote')),
    ...rowAndStatementTriggers(naming, table, 'voted_once'),
  ];
}

/** Only a recorded retention run erases the note of a review or deletes it. */
export function reviewedOnce(naming: TableNaming, table: TableKey): readonly string[] {
  const allowed = `recorded and (tg_op = 'DELETE' or tg_op = 'UPDATE' and ${isUnchanged(REVIEW)})`;
  return [
    guardFunction(naming, 'reviewed_once', isRecordedRun(naming), refuseUnless(allowed, 'is append-only')),
    ...rowAndStatementTriggers(naming, table, 'reviewed_once'),
  ];
}

/** A hold is released once. Only a recorded retention run erases the principal of a released hold. */
export function releasedOnce(naming: TableNaming, table: TableKey): readonly string[] {
  const releases = `old.released_at is null and new.released_at is not null and new.released_by is not null
          and ${isUnchanged(['principal_id'])}`;
  const erases = `recorded and new.principal_id is null and ${isUnchanged(['released_by', 'released_at'])}
          and old.released_at is not null`;
  const allowed = `tg_op = 'UPDATE' and ${isUnchanged(HOLD)} and (${releases} or ${erases})`;
  return [
    guardFunction(
      naming,
      'released_once',
      isRecordedRun(naming),
      refuseUnless(allowed, 'keeps every hold, and a hold is released once'),
    ),
    ...rowAndStatementTriggers(naming, table, 'released_once'),
  ];
}

export function dropGuards(naming: TableNaming): readonly string[] {
  return GUARDS.map((guard) => `drop function ${guardName(naming, guard)}()`);
}

function guardName(naming: TableNaming, guard: (typeof GUARDS)[number]): string {
  return qualifiedName(naming, `${naming.tablePrefix}${guard}`);
}

function rowAndStatementTriggers(
  naming: TableNaming,
  key: TableKey,
  guard: (typeof GUARDS)[number],
): readonly string[] {
  const table = tablesOf(naming)[key].text;
  const execute = `execute function ${guardName(naming, guard)}()`;
  return [
    `create trigger ${guard} before update on ${table} for each row ${execute}`,
    `create trigger ${guard}_rows before delete or truncate on ${table} for each statement ${execute}`,
  ];
}

/** The fixed search path keeps functions and operators of the caller out of the guard. */
function guardFunction(
  naming: TableNaming,
  guard: (typeof GUARDS)[number],
  first: string,
  body: string,
): string {
  return `create or replace function ${guardName(naming, guard)}() returns trigger language plpgsql
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

/** Sets `recorded` if this transaction has written the row of the retention run that it names. */
function isRecordedRun(naming: TableNaming): string {
  return `if run is not null then
        execute format('select exists (select 1 from %I.%I where id::text = $1 and xmin = pg_current_xact_id()::xid)',
          tg_table_schema, '${tableName(naming, 'retentionRuns')}') into recorded using run;
      end if;`;
}

/** The value that a statement trigger returns is ignored. */
function refuseUnless(condition: string, reason: string): string {
  return `if not coalesce(${condition}, false) then
        raise exception '% ${reason}: % is refused', tg_table_name, tg_op using errcode = '42501',
          hint = 'Only a retention run removes rows, in the transaction that records it.';
      end if;`;
}

function isUnchanged(columns: readonly string[]): string {
  const list = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
  return `(${list('old')}) is not distinct from (${list('new')})`;
}
