import { CONTENT, contentValues, EVIDENCE, evidenceValues, WRITER } from './plain-rows.mjs';

const PRINCIPAL = Buffer.alloc(32, 9);

/**
 * For comparison: the least that one decision needs in the tables of the audit, as one prepared statement with plain
 * values. Nothing is checked, hashed or grouped.
 */
export class OneCommit {
  #sequence = 1_000_000_000;

  constructor(client) {
    this.client = client;
  }

  async append(decision) {
    const evidence = evidenceValues(decision, this.#sequence++);
    const { control, outcome, application, rulesetVersion, occurredAt } = decision.evidence;
    const time = occurredAt.toISOString();
    const rest = [
      PRINCIPAL,
      ...[13, 16].map((characters) => time.slice(0, characters)),
      WRITER,
      this.#sequence,
      groupOf(outcome),
      control,
      outcome,
      application,
      rulesetVersion,
      occurredAt,
    ];
    const values = [...evidence, ...contentValues(decision), ...rest];
    await this.client.query({ name: 'one_commit', text: STATEMENT, values });
  }
}

const groupOf = (outcome) => Buffer.from(`one ${outcome}`.padEnd(16));

const numbered = (length, from) => Array.from({ length }, (_, index) => `$${index + from}`);

const EVIDENCE_COLUMNS = EVIDENCE.split(',').map((column) => column.trim());
const EVIDENCE_COUNT = EVIDENCE_COLUMNS.length;
const CONTENT_COUNT = CONTENT.split(',').length;
const [principal, hour, minute, writer, sequence, hash, control, outcome, application, ruleset, seen] =
  numbered(11, 1 + EVIDENCE_COUNT + CONTENT_COUNT);

const evidence = EVIDENCE_COLUMNS.map((column, index) =>
  column === 'principal_ref'
    ? `coalesce((select id from guardrails_principals where digest = ${principal}), $${index + 1})`
    : `$${index + 1}`,
);

const STATEMENT = `with
  counts as (
    insert into guardrails_audit_new_counts as held
      (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
    values (${minute}, ${hash}, ${control}, '', ${application}, ${ruleset}, (${outcome}::text = 'allowed')::integer,
      (${outcome}::text = 'observed')::integer, (${outcome}::text = 'blocked')::integer, ${seen})
    on conflict (time, group_hash, ruleset_version) do update set allowed = held.allowed + excluded.allowed,
      observed = held.observed + excluded.observed, blocked = held.blocked + excluded.blocked,
      last_seen_at = excluded.last_seen_at),
  evidence as (
    insert into guardrails_audit_evidence (${EVIDENCE}) values (${evidence.join(', ')}) returning id),
  ranges as (
    insert into guardrails_audit_id_ranges as held (unit, time, min_id, max_id)
    select unit, time, id, id
    from evidence cross join (values ('hour', ${hour}), ('minute', ${minute})) given (unit, time)
    on conflict (unit, time) do update set max_id = excluded.max_id),
  content as (
    insert into guardrails_audit_content (evidence_id, ${CONTENT})
    select id, ${numbered(CONTENT_COUNT, 1 + EVIDENCE_COUNT).join(', ')} from evidence),
  writer as (
    insert into guardrails_audit_writers as held (writer, sequence, last_id, ended)
    select ${writer}::uuid, ${sequence}::bigint, id, false from evidence
    on conflict (writer) do update set sequence = excluded.sequence, last_id = excluded.last_id)
  select id from evidence`;
