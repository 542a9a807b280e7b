import { scrubText } from '../../../../../contracts/src/text.js';
import { principalDigest } from '../../audit/batch.js';
import { ask, changed, countOf, type RunPart, type RunWork, type StepResult } from '../run-work.js';
import { approvalsPart } from './approvals.part.js';
import { entriesPart } from './entries.part.js';
import { eventsPart } from './events.part.js';
import { rejectionsPart } from './rejections.part.js';

/** Positions are given before the commit: one that commits now may be so far behind the newest. */
const FAR_BEHIND = 10_000;

/** Names, forgotten last: until then they say what else is to go. */
export const principalsPart: RunPart = {
  async count(work) {
    const { tables, scope } = work;
    if (scope.kind === 'entry') return 0;
    return countOf(work, (parameters) =>
      scope.kind === 'principal'
        ? `select count(*) as count from ${tables.principals} where digest = ${parameters.add(principalDigest(scrubText(scope.principalId)))}`
        : `select count(*) as count from ${tables.principals} where ${unmentionedSince(work, parameters.time(scope.before))}`,
    );
  },

  async step(work, cursor, limit) {
    const { scope } = work;
    if (scope.kind === 'entry') return { touched: 0, cursor: null };
    return scope.kind === 'principal'
      ? forgetOne(work, scope.principalId, limit)
      : forgetUnmentioned(work, scope.before, Number(cursor ?? 0), limit);
  },
};

/** What was being written about the principal while the run went through the rest is written now, and goes too. */
async function forgetOne(work: RunWork, name: string, limit: number): Promise<StepResult> {
  const told = await countOf(work, () => `select max(position) as count from ${work.tables.outbox}`);
  await work.dialect.waitForAppends(work.manager, work.tables);
  const further = {
    rejections: await wholly(rejectionsPart, work, limit),
    approvals: await wholly(approvalsPart, work, limit),
    events: await wholly(eventsPart, work, limit, Math.max(0, told - FAR_BEHIND)),
    entries: await wholly(entriesPart, work, limit),
  };
  const touched = await changed(
    work,
    (parameters) =>
      `delete from ${work.tables.principals} where digest = ${parameters.add(principalDigest(scrubText(name)))}`,
  );
  return { touched, further, cursor: null };
}

async function wholly(part: RunPart, work: RunWork, limit: number, from: unknown = null): Promise<number> {
  let touched = 0;
  let cursor = from;
  do {
    const step = await part.step(work, cursor, limit);
    touched += step.touched;
    ({ cursor } = step);
  } while (cursor !== null);
  return touched;
}

/** Looked at before the appends have to wait, and once more while they do. */
async function forgetUnmentioned(
  work: RunWork,
  before: Date,
  after: number,
  limit: number,
): Promise<StepResult> {
  const { principals } = work.tables;
  const rows = await ask<{ id: string; forgotten: boolean }>(
    work,
    (parameters) => `select id, ${unmentionedSince(work, parameters.time(before))} as forgotten
      from ${principals} where id > ${parameters.add(after)} order by id limit ${parameters.add(limit)}`,
  );
  const cursor = rows.length < limit ? null : Number(rows.at(-1)?.id);
  const ids = rows.filter(({ forgotten }) => forgotten).map(({ id }) => id);
  if (ids.length === 0) return { touched: 0, cursor };
  await work.dialect.waitForAppends(work.manager, work.tables);
  const touched = await changed(
    work,
    (parameters) => `delete from ${principals} where id = any(${parameters.add(ids)}::bigint[])
      and ${unmentionedSince(work, parameters.time(before))}`,
  );
  return { touched, cursor };
}

function unmentionedSince({ tables }: RunWork, before: string): string {
  return `not exists (
    select 1 from ${tables.evidence} e where e.principal_ref = ${tables.principals}.id and e.occurred_at >= ${before})`;
}
