import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { ROLLUPS } from '../../postgres/rollups.mjs';
import { setAsideIndexes } from './indexes.mjs';
import { inventedApprovals } from './invented-approvals.mjs';
import { DAYS, inventedRows, PRINCIPALS } from './invented-rows.mjs';

const CHUNK = 500_000;
const CONTROLS = ['tool_firewall', 'input_screen', 'output_handler', 'hitl'];
const BULK = ['audit_evidence', 'audit_content', 'firewall_rejections', 'output_counts', 'run_rows'].map(
  (word) => `guardrails_${word}`,
);

/** Migrates an empty database and fills it: first the rows, then the indexes and the tables of counts. */
export async function fill({ url, ...storeOptions }, rows, say, inLastHour = 0) {
  const end = new Date();
  const stores = typeormStores({ url, ...storeOptions, migrate: true });
  await stores.open();
  await stores.close();

  const workers = await Promise.all([1, 2].map(() => connected(url)));
  const [first] = workers;
  try {
    const restoreIndexes = await setAsideIndexes(first, BULK);
    await first.query(
      `insert into guardrails_principals (digest, name)
       select sha256(convert_to(name, 'UTF8')), name
       from (select 'customer-' || n as name from generate_series(1, ${PRINCIPALS}) n) as named`,
    );
    await share(workers, chunksOf(rows), async (worker, [from, to]) => {
      say(`rows, ${Math.round((100 * from) / rows)} %`);
      for (const statement of chunk({ rows, first: from, last: to, end, inLastHour }))
        await worker.query(statement);
    });
    await restoreIndexes(workers, say);
    await share(workers, Object.entries(ROLLUPS), async (worker, [table, rollup]) => {
      say(table.replace('guardrails_', ''));
      await worker.query(folding(table, rollup));
    });
    say('approvals');
    await first.query(inventedApprovals({ rows, end, days: DAYS }));
    for (const statement of lastly(rows)) await first.query(statement);
    say('vacuum');
    await first.query('vacuum (analyze)');
    await first.query('checkpoint');
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

/** A connection with settings for a bulk load. The rows are durable after the final checkpoint. */
async function connected(url) {
  const client = new Client(url);
  await client.connect();
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
  );
  return client;
}

async function share(workers, works, perform) {
  const waiting = [...works];
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await perform(worker, next);
    }),
  );
}

function chunksOf(rows) {
  const starts = Array.from({ length: Math.ceil(rows / CHUNK) }, (_, index) => index * CHUNK + 1);
  return starts.map((start) => [start, Math.min(start + CHUNK - 1, rows)]);
}

function chunk(range) {
  const invented = inventedRows(range);
  return [
    `insert into guardrails_audit_evidence
       (id, occurred_at, day, control, outcome, mode, origin, errored, principal_ref, prompt_length, duration_us, rule_id,
        matched_rules, errored_rule_ids, application, request_id, run_id, tool, ruleset_version, prompt_commitment,
        principal_commitment, writer, sequence, row_hash)
     overriding system value
     select i, occurred_at, day, control, outcome, case outcome when 'observed' then 'monitor' else 'enforce' end,
       case control when 'input_screen' then 'prompt' when 'output_handler' then 'output'
         when 'tool_firewall' then 'tool_call' else 'approval' end,
       false, principal_ref, length(prompt), 90 + h % 50, rule_id, matched_rules, '[]', application, md5(i::text), 'run-' || i, tool,
       'builtin-0123456789ab', sha256(int8send(i)), sha256(int8send(-i)), '00000000-0000-4000-8000-000000000000', i,
       sha256(int8send(i + h))
     from (${invented}) as invented`,
    `insert into guardrails_audit_content
       (evidence_id, storage, prompt, matched_span_start, matched_span_end, matched_text, salt)
     select i, 'redact', prompt, case when rule_id is not null then 0 end, case when rule_id is not null then 12 end,
       case when rule_id is not null then left(prompt, 12) end, sha256(int8send(i * 2))
     from (${invented}) as invented`,
    `insert into guardrails_firewall_rejections
       (evidence_id, tool, principal_ref, application, violations, violation_count, enforced, occurred_at)
     select i, tool, principal_ref, application, '{"amount":"must be a number"}', 1, outcome = 'blocked', occurred_at
     from (${invented}) as invented where control = 'tool_firewall' and outcome <> 'allowed'`,
    `insert into guardrails_output_counts (evidence_id, occurred_at, kind, detector, enforced, count)
     select i, occurred_at, 'pii_redaction', (array['email', 'iban', 'card'])[1 + h % 3], outcome = 'blocked', 1
     from (${invented}) as invented where control = 'output_handler' and outcome <> 'allowed'`,
    // A run for each decision, so that there are as many runs as rows.
    `insert into guardrails_run_rows
       (id, key, run_id, application, principal_ref, prompt_id, outcome, ${CONTROLS.join(', ')}, entries, started_at, last_at)
     select i, encode(sha256(int8send(i)), 'hex'), 'run-' || i, application, principal_ref,
       case control when 'input_screen' then i end, rank,
       ${CONTROLS.map((key) => `case control when '${key}' then rank end`).join(', ')}, 1, occurred_at, occurred_at
     from (${invented}) as invented,
       lateral (select (array_position('{allowed,observed,blocked}', outcome) - 1)::smallint as rank) as ranked`,
  ];
}

/** The digest of a group of counts, as the stores compute it. */
const GROUP_HASH = `substring(sha256(convert_to(
  json_build_array(control, rule_id, application, ruleset_version)::text, 'UTF8')) from 1 for 16)`;

function folding(table, { columns, select }) {
  const keyed = columns.includes('ruleset_version');
  const names = keyed ? [...columns, 'group_hash'] : columns;
  const given = keyed ? [...columns, GROUP_HASH] : columns;
  return `insert into ${table} (${names.join(', ')}) select ${given.join(', ')} from (${select}) as folded`;
}

/** Reviews do not depend on the size of the database; they cover the oldest 99 % of the decisions. */
const REVIEWS = 5_000;

function lastly(rows) {
  return [
    `insert into guardrails_audit_reviews (evidence_id, verdict, rule_id, actor_id, reviewed_at)
     select id, (array['true_positive', 'true_positive', 'false_positive', 'unsure'])[1 + id % 4], rule_id, 'ops-1',
       occurred_at + interval '1 hour'
     from guardrails_audit_evidence
     where control = 'input_screen' and outcome <> 'allowed' and id <= ${Math.floor(rows * 0.99)}
     order by id desc limit ${REVIEWS}`,
    `insert into guardrails_setting_changes (actor_id, key, old_value, new_value, occurred_at)
     select 'ops-' || n % 9, (array['modes.hitl', 'retention.days'])[1 + n % 2], null, '"enforce"', now()
     from generate_series(1, 2000) n`,
    `select setval(pg_get_serial_sequence('guardrails_audit_evidence', 'id'), max(id)) from guardrails_audit_evidence`,
  ];
}
