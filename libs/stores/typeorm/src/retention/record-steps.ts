import { deleteOldReservations, eraseBudgets } from '../budgets/budgets.store.js';
import { OUTCOME_STATUSES } from '#contracts/approvals/approvals.js';
import { principalEquals, textEquals } from '../database/list-filters.js';
import { raw, sql, type Sql } from '../database/sql.js';
import {
  changedBy,
  countOf,
  evidenceNotHeld,
  firstActiveHold,
  isLoggedApproval,
  notHeld,
  NOTHING_TO_DO,
  type RetentionContext,
  type RetentionStep,
} from './retention-step.js';

/**
 * Deletes rows that refer to evidence by `evidence_id`, as `r`, unless a hold covers the evidence. It has no cursor: it is
 * done when it deleted fewer rows than the limit.
 *
 * @param inScope `null`: the run deletes none
 */
function deletionStep(
  part: 'rejections' | 'outputCounts',
  key: string,
  inScope: (context: RetentionContext) => Sql | null,
): RetentionStep {
  const id = raw(key);
  return {
    async count(context) {
      const scope = inScope(context);
      if (scope === null) return {};
      const rows = sql`${context.tables[part]} r
        where ${scope} and ${evidenceNotHeld(context, 'r')}`;
      return { [part]: await countOf(context, sql`select count(*) as count from ${rows}`) };
    },

    async run(context, _cursor, limit) {
      const scope = inScope(context);
      if (scope === null) return NOTHING_TO_DO;
      const table = context.tables[part];
      const deleted = await changedBy(
        context,
        sql`delete from ${table} where ${id} in (
          select ${id} from ${table} r where ${scope} and ${evidenceNotHeld(context, 'r')} limit ${limit})`,
      );
      return { counts: { [part]: deleted }, cursor: deleted < limit ? null : true };
    },
  };
}

/** Deleted by both strategies: violations contain names that a model has chosen. The evidence remains. */
export const rejectionsStep = deletionStep('rejections', 'evidence_id', ({ scope, tables }) => {
  switch (scope.kind) {
    case 'entry':
      return sql`evidence_id = ${scope.id}`;
    case 'principal':
      return principalEquals('principal_ref', scope.principalId, tables);
    case 'before':
      return sql`occurred_at < ${scope.before}`;
  }
  return scope satisfies never;
});

/** Single counts contain no texts and no principals, so only a purge by age deletes them. Hourly counts remain. */
export const outputCountsStep = deletionStep('outputCounts', 'id', ({ scope, strategy }) =>
  strategy === 'purge' && scope.kind === 'before' ? sql`occurred_at < ${scope.before}` : null,
);

const HAS_OUTCOME = raw(`status in ('${OUTCOME_STATUSES.join("', '")}')`);

/**
 * A call without arguments never runs. The digest of the arguments, and the keys that are derived from it, are erased
 * too, because someone could guess the arguments and compare digests.
 */
const ERASED_CALL =
  raw(`arguments = null, requested_arguments = null, overwritten = '[]', arguments_digest = '', dedup_key = null, pending_slot = null,
  encrypted_token = null, warnings = '[]', risk = '[]', headline = null, claims = '[]', principal_id = null, reason = null, edit_reason = null, resolved_reason = null, result = null,
  error = null`);

/** The cursor while old reservations are deleted, which no limit counts any more. */
const RESERVATIONS = 'reservations';

/** Erased, or deleted if they have an outcome and the strategy is `purge`. The evidence keeps who decided what. */
export const approvalsStep: RetentionStep = {
  async count(context) {
    if (context.scope.kind === 'entry') return {};
    const { approvals, approvalVotes } = context.tables;
    const isCounted = sql`${approvalsInScope(context)} and ${notHeld(context, 'approval', 'a')}`;
    return {
      approvals: await countOf(
        context,
        sql`select count(*) as count from ${approvals} a
          where ${isCounted}`,
      ),
      ...(context.strategy === 'purge' && {
        votes: await countOf(
          context,
          sql`select count(*) as count from ${approvalVotes} v join ${approvals} a on a.id = v.approval_id
            where ${HAS_OUTCOME} and ${isCounted}`,
        ),
      }),
    };
  },

  async run(context, cursor, limit) {
    if (context.scope.kind === 'entry') return NOTHING_TO_DO;
    const { transaction, tables, strategy, scope } = context;
    // Reservations have a batch of their own, because a decided approval locks its row before its budgets.
    if (scope.kind === 'before' && (cursor === null || cursor === RESERVATIONS)) {
      const hasMore = await deleteOldReservations(transaction, tables, limit);
      return { counts: {}, cursor: hasMore ? RESERVATIONS : 0 };
    }
    const after = typeof cursor === 'number' ? cursor : 0;
    const { approvals, approvalVotes: votes } = tables;
    const { rows } = await transaction.query<{ id: number; isDeletable: boolean }>(
      sql`select id, ${HAS_OUTCOME} and ${isLoggedApproval(context, 'a')} as "isDeletable" from ${approvals} a
        where ${approvalsInScope(context)} and id > ${after} and ${notHeld(context, 'approval', 'a')}
        order by id limit ${limit} for update`,
    );
    const isDeleted = ({ isDeletable }: { isDeletable: boolean }) => strategy === 'purge' && isDeletable;
    const deleted = rows.filter(isDeleted).map(({ id }) => id);
    const erased = rows.filter((row) => !isDeleted(row)).map(({ id }) => id);
    let deletedVotes = 0;
    if (deleted.length > 0) {
      deletedVotes = await changedBy(
        context,
        sql`delete from ${votes} where approval_id = any(${deleted}::bigint[])`,
      );
      await transaction.query(sql`delete from ${approvals} where id = any(${deleted}::bigint[])`);
    }
    if (erased.length > 0) {
      await transaction.query(
        sql`update ${votes} set reason = null where approval_id = any(${erased}::bigint[])`,
      );
      await transaction.query(
        sql`update ${approvals} set ${ERASED_CALL} where id = any(${erased}::bigint[])`,
      );
    }
    const last = rows.length < limit ? null : rows.at(-1)?.id;
    if (scope.kind === 'principal' && last === null && (await firstActiveHold(context)) === null)
      await eraseBudgets(transaction, tables, scope.principalId);
    return { counts: { approvals: rows.length, votes: deletedVotes }, cursor: last };
  },
};

function approvalsInScope({ scope, strategy }: RetentionContext) {
  if (scope.kind === 'principal') return textEquals('principal_id', scope.principalId);
  if (scope.kind === 'entry') return raw('false');
  const isErasable = raw(strategy === 'purge' ? 'true' : 'arguments is not null');
  return sql`created_at < ${scope.before} and ${HAS_OUTCOME} and ${isErasable}`;
}

/** Events and their deliveries, dead or waiting: deleted by both strategies, for every sink. */
export const eventsStep: RetentionStep = {
  async count(context) {
    const { outbox } = context.tables;
    const events = await countOf(
      context,
      sql`select count(*) as count from ${outbox} o
        where ${eventsInScope(context)} and ${notHeld(context, 'event', 'o')}`,
    );
    return { events };
  },

  async run(context, cursor, limit) {
    const { outbox, deliveries } = context.tables;
    const { rows } = await context.transaction.query<{ position: number }>(
      sql`select position from ${outbox} o
        where ${eventsInScope(context)} and position > ${Number(cursor ?? 0)} and ${notHeld(context, 'event', 'o')}
        order by position limit ${limit}`,
    );
    const positions = rows.map(({ position }) => position);
    if (positions.length > 0)
      await context.transaction.query(
        sql`with old as (delete from ${deliveries} where position = any(${positions}::bigint[]))
          delete from ${outbox} where position = any(${positions}::bigint[])`,
      );
    return { counts: { events: rows.length }, cursor: rows.length < limit ? null : positions.at(-1) };
  },
};

function eventsInScope({ scope }: RetentionContext): Sql {
  switch (scope.kind) {
    case 'entry':
      return sql`audit_id = ${scope.id}`;
    case 'principal':
      return sql`payload::jsonb ->> 'principal_id' = ${scope.principalId}`;
    case 'before':
      return sql`occurred_at < ${scope.before}`;
  }
  return scope satisfies never;
}
