import { erasureHeld, runTooYoung } from '#contracts/retention/retention.js';
import { principalEquals } from '../database/list-filters.js';
import { fromNow, raw, sql, type Sql } from '../database/sql.js';
import { HOUR_MS } from '../database/time-windows.js';
import { coveredBy } from '../database/held-rows.js';
import type { RetentionContext } from './retention-step.js';

const DAY_MS = 24 * HOUR_MS;

/** The minimum age bounds runs by age only, with an hour for clocks that differ. */
export async function assertOldEnough({ transaction, tables, scope }: RetentionContext): Promise<void> {
  if (scope.kind !== 'before') return;
  const { rows } = await transaction.query<{ days: number; isTooYoung: boolean }>(
    sql`select minimum_days as days, minimum_days > 0 and ${scope.before}::timestamptz >
        ${fromNow(HOUR_MS)} - minimum_days * ${DAY_MS}::bigint * interval '1 millisecond' as "isTooYoung"
      from ${tables.retentionLock}`,
  );
  if (rows[0]?.isTooYoung === true) throw runTooYoung(rows[0].days);
}

export async function assertNotHeld(context: RetentionContext): Promise<void> {
  const hold = await firstActiveHold(context);
  if (hold !== null) throw erasureHeld(hold);
}

/** The first active hold on data of the principal or the entry; `null` for runs by age, which skip the rows under a hold. */
export async function firstActiveHold(context: RetentionContext): Promise<number | null> {
  const condition = holdCondition(context);
  if (condition === null) return null;
  const { rows } = await context.transaction.query<{ id: number }>(
    sql`select h.id from ${context.tables.holds} h where h.released_at is null and ${condition} order by h.id limit 1`,
  );
  return rows[0]?.id ?? null;
}

function holdCondition({ scope, tables }: RetentionContext): Sql | null {
  const { holds, principals, evidence, approvals } = tables;
  const covered = coveredBy({ holds: holds.text, principals: principals.text, evidence: evidence.text });
  const coversEvidence = raw(covered.evidence('e'));
  switch (scope.kind) {
    case 'before':
      return null;
    case 'entry':
      return sql`exists (select 1 from ${evidence} e where e.id = ${scope.id} and ${coversEvidence})`;
    case 'principal':
      return sql`(h.principal_id = ${scope.principalId}
        or exists (select 1 from ${evidence} e
          where ${principalEquals('e.principal_ref', scope.principalId, tables)} and ${coversEvidence})
        or exists (select 1 from ${approvals} a
          where a.principal_id = ${scope.principalId} and ${raw(covered.approval('a'))}))`;
  }
  return scope satisfies never;
}
