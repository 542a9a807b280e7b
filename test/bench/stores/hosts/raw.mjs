// The floor: node:http, pg, one statement, the same bytes.
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { bodyOf } from './page-entries.mjs';
import { tell } from './serve.mjs';

const pool = new Pool({ connectionString: process.argv[2], max: 10 });
const PAGE = `select e.id, e.control, e.outcome, e.mode, e.origin, e.rule_id, e.tool, p.name as principal_id,
    e.application, e.ruleset_version, c.prompt, e.prompt_length, e.errored, e.occurred_at, e.approval_step
  from guardrails_audit_evidence e
  join guardrails_audit_content c on c.evidence_id = e.id
  left join guardrails_principals p on p.id = e.principal_ref
  where e.control = 'input_screen' order by e.id desc limit 51`;

async function answer(response) {
  const { rows } = await pool.query({ name: 'page', text: PAGE });
  const bytes = Buffer.from(JSON.stringify(bodyOf(rows, 50)));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': crypto.randomUUID(),
  });
  response.end(bytes);
}

tell(createServer((_request, response) => void answer(response)));
