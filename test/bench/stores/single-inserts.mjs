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
    insert into guardrails_audit_hourly as held (hour, group_hash, control, outcome, rule_id, application, decisions)
    select to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24'),
      substring(sha256(convert_to('single ' || $4::text, 'UTF8')) from 1 for 16), $3, $4, '', 'single', 1
    on conflict (hour, group_hash) do update set decisions = held.decisions + 1)`;
  return `with evidence as (
    insert into guardrails_audit_evidence (${EVIDENCE}) values (${numbered(count, 1)}) returning id)
    ${folding ? rollup : ''}
    insert into guardrails_audit_content (evidence_id, ${CONTENT}) select id, ${numbered(6, count + 1)} from evidence`;
}
