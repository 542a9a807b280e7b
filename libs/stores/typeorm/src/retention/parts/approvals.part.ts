import { OUTCOME_STATUSES } from '../../../../../contracts/src/approvals.js';
import type { Parameters } from '../../parameters.js';
import { ask, changed, countOf, type RunPart, type RunWork } from '../run-work.js';

const ENDED = `('${OUTCOME_STATUSES.join("', '")}')`;

/** Without its arguments a call never runs; without their digest, and the keys that were made of it, nobody can guess them. */
const ERASED = `arguments = null, arguments_digest = '', open_key = null, open_slot = null, sealed_token = null,
  warnings = '[]', principal_id = null, reason = null, resolved_reason = null, result = null, error = null`;

/** Erased; or deleted, where they have ended. Who decided, and what, stays with the evidence. */
export const approvalsPart: RunPart = {
  async count(work) {
    if (work.scope.kind === 'entry') return 0;
    return countOf(
      work,
      (parameters) =>
        `select count(*) as count from ${work.tables.approvals} where ${inScope(work, parameters)}`,
    );
  },

  async step(work, cursor, limit) {
    if (work.scope.kind === 'entry') return { touched: 0, cursor: null };
    const { approvals } = work.tables;
    const rows = await ask<{ id: string; ended: boolean }>(
      work,
      (parameters) => `select id, status in ${ENDED} as ended from ${approvals}
        where ${inScope(work, parameters)} and id > ${parameters.add(Number(cursor ?? 0))}
        order by id limit ${parameters.add(limit)} for update`,
    );
    const deleted = work.strategy === 'purge' ? rows.filter(({ ended }) => ended) : [];
    const erased = rows.filter((row) => !deleted.includes(row));
    await change(work, `delete from ${approvals}`, deleted);
    await change(work, `update ${approvals} set ${ERASED}`, erased);
    return { touched: rows.length, cursor: rows.length < limit ? null : Number(rows.at(-1)?.id) };
  },
};

async function change(work: RunWork, statement: string, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await changed(work, (parameters) => `${statement} where id = any(${parameters.add(ids)}::bigint[])`);
}

function inScope({ scope, strategy }: RunWork, parameters: Parameters): string {
  if (scope.kind === 'principal') return `principal_id = ${parameters.text(scope.principalId)}`;
  if (scope.kind === 'entry') return 'false';
  const erasable = strategy === 'purge' ? 'true' : 'arguments is not null';
  return `created_at < ${parameters.time(scope.before)} and status in ${ENDED} and ${erasable}`;
}
