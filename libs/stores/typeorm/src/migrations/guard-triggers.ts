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

/**
 * Triggers that refuse every change of a table except these. `recorded`: by a transaction that names a retention run and
 * has written the row of that run, so that each removal is on record.
 */
const GUARDS = {
  append_only: { allowed: `tg_op = 'DELETE' and recorded`, reason: 'is append-only' },
  /** A finished retention run cannot be changed, except for the time of the notification, and no run can be deleted. */
  record_once: {
    allowed: `tg_op = 'UPDATE' and (old.finished_at is null or ${isUnchanged(RETENTION_RUN)})`,
    reason: 'is append-only',
  },
  /** An approval only moves forward, its decision cannot be changed, and only a recorded retention run deletes it. */
  decided_once: {
    allowed: `recorded and tg_op = 'DELETE' or tg_op = 'UPDATE' and ${MOVES_FORWARD} and (
        old.decision is null or ${isUnchanged(DECISION)} and (recorded or ${isUnchanged(APPROVED_CALL)}))`,
    reason: 'keeps what was decided',
  },
  /** A vote can become void once. Only a recorded retention run erases its reason or deletes it. */
  voted_once: {
    allowed: `recorded and tg_op = 'DELETE' or tg_op = 'UPDATE' and ${isUnchanged(VOTE)}
        and (old.voided_at is null or ${isUnchanged(['voided_at'])})
        and (recorded or ${isUnchanged(['reason'])})`,
    reason: 'keeps every vote',
  },
  /** Only a recorded retention run erases the note of a review or deletes it. */
  reviewed_once: {
    allowed: `recorded and (tg_op = 'DELETE' or tg_op = 'UPDATE' and ${isUnchanged(REVIEW)})`,
    reason: 'is append-only',
  },
  /** A hold is released once. Only a recorded retention run erases the principal of a released hold. */
  released_once: {
    allowed: `tg_op = 'UPDATE' and ${isUnchanged(HOLD)} and (old.released_at is null and new.released_at is not null and new.released_by is not null
          and ${isUnchanged(['principal_id'])} or recorded and new.principal_id is null and ${isUnchanged(['released_by', 'released_at'])}
          and old.released_at is not null)`,
    reason: 'keeps every hold, and a hold is released once',
  },
} as const;

type Guard = keyof typeof GUARDS;

/** The statements that create a guard and set it on a table. Row triggers see what changes; `append_only` need not. */
export function guard(naming: TableNaming, name: Guard, key: TableKey): readonly string[] {
  const table = tablesOf(naming)[key].text;
  const execute = `for each statement execute function ${guardName(naming, name)}()`;
  return [
    guardFunction(naming, name),
    ...(name === 'append_only'
      ? [`create trigger ${name} before update or delete or truncate on ${table}\n      ${execute}`]
      : [
          `create trigger ${name} before update on ${table} ${execute.replace('statement', 'row')}`,
          `create trigger ${name}_rows before delete or truncate on ${table} ${execute}`,
        ]),
  ];
}

export function dropGuards(naming: TableNaming): readonly string[] {
  return (Object.keys(GUARDS) as Guard[]).map((name) => `drop function ${guardName(naming, name)}()`);
}

function guardName(naming: TableNaming, name: Guard) {
  return qualifiedName(naming, `${naming.tablePrefix}${name}`);
}

/** The fixed search path keeps functions and operators of the caller out of the guard. The value that a statement trigger returns is ignored. */
function guardFunction(naming: TableNaming, name: Guard): string {
  const { allowed, reason } = GUARDS[name];
  return `create or replace function ${guardName(naming, name)}() returns trigger language plpgsql
    set search_path = pg_catalog, pg_temp as $guard$
    declare
      run text := nullif(current_setting('${RETENTION_SETTING}', true), '');
      recorded boolean := false;
    begin
      ${name === 'record_once' ? '' : isRecordedRun(naming)}
      if not coalesce(${allowed}, false) then
        raise exception '% ${reason}: % is refused', tg_table_name, tg_op using errcode = '42501',
          hint = 'Only a retention run removes rows, in the transaction that records it.';
      end if;
      return new;
    end $guard$`;
}

/** Sets `recorded` if this transaction has written the row of the retention run that it names. */
function isRecordedRun(naming: TableNaming) {
  return `if run is not null then
        execute format('select exists (select 1 from %I.%I where id::text = $1 and xmin = pg_current_xact_id()::xid)',
          tg_table_schema, '${tableName(naming, 'retentionRuns')}') into recorded using run;
      end if;`;
}

function isUnchanged(columns: readonly string[]) {
  const list = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return `(${list('old')}) is not distinct from (${list('new')})`;
}
