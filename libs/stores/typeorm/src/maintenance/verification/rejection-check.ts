import type { EntityManager } from 'typeorm';
import { rowsOf } from '../../rows.js';
import type { Tables } from '../../tables.js';
import type { Findings } from './verification.js';

const MOST = 1_000;

/**
 * A refused call says nothing of itself that its evidence does not say under seal, but for its violations. Where calls
 * were refused and nothing tells how, retention must have taken that many.
 */
export async function checkRejections(
  manager: EntityManager,
  { rejections, evidence, retentionRuns }: Tables,
  findings: Findings,
): Promise<void> {
  const altered = await rowsOf<{ id: string; alone: boolean }>(
    manager,
    `select r.evidence_id as id, e.id is null as alone from ${rejections} r left join ${evidence} e on e.id = r.evidence_id
     where e.id is null
       or (r.tool, r.application, r.principal_ref, r.occurred_at, r.enforced)
         is distinct from (e.tool, e.application, e.principal_ref, e.occurred_at, e.outcome = 'blocked')
     order by 1 limit ${MOST}`,
  );
  for (const { id, alone } of altered)
    findings.add(
      'altered',
      Number(id),
      `The refused call of entry ${id} ${alone ? 'has no evidence' : 'is not what its evidence says'}.`,
    );
  const [counted] = await rowsOf<{ missing: string; removed: string }>(
    manager,
    `select
       (select count(*) from ${evidence} e where e.control = 'tool_firewall' and e.outcome <> 'allowed'
          and not exists (select 1 from ${rejections} r where r.evidence_id = e.id)) as missing,
       (select coalesce(sum((counts::jsonb ->> 'rejections')::bigint), 0) from ${retentionRuns}) as removed`,
  );
  const [missing, removed] = [Number(counted?.missing), Number(counted?.removed)];
  if (missing > removed)
    findings.add(
      'unrecorded_removal',
      null,
      `How ${missing} calls were refused is gone, and runs of retention account for ${removed}.`,
    );
}
