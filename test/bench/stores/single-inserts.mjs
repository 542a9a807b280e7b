import { CONTENT, contentValues, EVIDENCE, evidenceValues } from './plain-rows.mjs';

/** For comparison: every screening is one prepared statement, one round trip and one commit. */
export class SingleInserts {
  #sequence = 1;

  constructor(pool, { folding }) {
    this.pool = pool;
    this.folding = folding;
  }

  async append(decision) {
    const evidence = evidenceValues(decision, this.#sequence++);
    const values = [...evidence, ...contentValues(decision)];
    await this.pool.query({ name: `bench_${this.folding}`, text: statement(this.folding), values });
  }
}

function statement(folding) {
  const count = EVIDENCE.split(',').length;
  const numbered = (length, from) => Array.from({ length }, (_, index) => `$${index + from}`).join(', ');
  const rollup = `, folded as (
    insert into guardrails_audit_hourly as held
      (kind, hour, group_hash, control, rule_id, application, allowed, observed, blocked, last_seen_at)
    select 'pair', to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24'),
      substring(sha256(convert_to('single ' || $4::text, 'UTF8')) from 1 for 16), $3, '', 'single',
      ($4 = 'allowed')::integer, ($4 = 'observed')::integer, ($4 = 'blocked')::integer, $1
    on conflict (kind, hour, group_hash) do update set allowed = held.allowed + excluded.allowed,
      observed = held.observed + excluded.observed, blocked = held.blocked + excluded.blocked)`;
  return `with evidence as (
    insert into guardrails_audit_evidence (${EVIDENCE}) values (${numbered(count, 1)}) returning id)
    ${folding ? rollup : ''}
    insert into guardrails_audit_content (evidence_id, ${CONTENT}) select id, ${numbered(6, count + 1)} from evidence`;
}
