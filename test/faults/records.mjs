import assert from 'node:assert/strict';
import { differencesOf, ROLLUPS } from '../postgres/rollups.mjs';
import { query } from './fault-environment.mjs';

/** Request ids that have not exactly one evidence row with its content. */
export async function notRecordedOnce(url, requestIds) {
  const rows = await query(
    url,
    `select id from unnest($1::text[]) as acknowledged (id)
     where (select count(*) from guardrails_audit_evidence e
            join guardrails_audit_content c on c.evidence_id = e.id where e.request_id = acknowledged.id) <> 1`,
    [requestIds],
  );
  return rows.map(({ id }) => id);
}

/** Every acknowledged decision has one evidence row with its content. */
export async function assertRecorded(url, requestIds) {
  assert.ok(requestIds.length > 0, 'nothing was acknowledged');
  assert.deepEqual(await notRecordedOnce(url, requestIds), [], 'acknowledged, and not recorded exactly once');
}

/** Related rows were committed in one transaction. */
export async function assertWhole(url) {
  const [orphans] = await query(
    url,
    `select
       (select count(*)::int from guardrails_audit_evidence e
        where not exists (select 1 from guardrails_audit_content c where c.evidence_id = e.id)) as without_content,
       (select count(*)::int from guardrails_audit_evidence e where control = 'tool_firewall' and outcome = 'blocked') -
       (select count(*)::int from guardrails_firewall_rejections) as without_rejection`,
  );
  assert.deepEqual(orphans, { without_content: 0, without_rejection: 0 });
}

/** The tables of counts equal the counts of the rows. */
export async function assertRollupsEqualRows(url) {
  for (const table of Object.keys(ROLLUPS)) {
    assert.deepEqual(await query(url, differencesOf(table)), [], `${table} and the rows differ`);
  }
}
