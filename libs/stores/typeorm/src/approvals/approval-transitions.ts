import {
  In,
  IsNull,
  Raw,
  type EntityManager,
  type FindOperator,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import {
  OUTCOME_STATUSES,
  type OutcomeStatus,
  type Approval,
  type ApprovalStatus,
  type RunEnd,
  type RunResult,
} from '#contracts/approvals/approvals.js';
import type {
  BuildEvidence,
  DecideCommand,
  ReminderKind,
  ResolveCommand,
  StuckKind,
} from '#contracts/stores/approvals.store.js';
import { scrubText } from '#contracts/common/text.js';
import { appendDecision } from '../audit/decision-writer.js';
import { settleClaims } from '../budgets/reservations.js';
import type { Transaction } from '../database/connection-pool.js';
import type { Database } from '../database/database.js';
import { fitsIndex, isIndexed } from '../database/list-filters.js';
import { NOW } from '../database/sql.js';
import type { ApprovalRow } from '../database/approval.entity.js';
import { withVotes } from './approval-votes.js';

export type ApprovalWhere = FindOptionsWhere<ApprovalRow>;
export type ApprovalValues = QueryDeepPartialEntity<ApprovalRow>;

export function approvalRows({ entities }: Database, manager: EntityManager): Repository<ApprovalRow> {
  return manager.getRepository(entities.approval);
}

/**
 * The conditional update behind every transition. Returns `null`, and changes nothing, if no row is in that state.
 * `alsoWrite` runs between the update and the evidence.
 */
export async function transition(
  database: Database,
  transaction: Transaction,
  from: ApprovalWhere | ApprovalWhere[],
  values: ApprovalValues,
  evidence?: BuildEvidence,
  alsoWrite?: (id: number) => Promise<void>,
): Promise<Approval | null> {
  const rows = approvalRows(database, transaction.manager);
  const updated = await rows.createQueryBuilder().update().set(values).where(from).returning('id').execute();
  const [row] = updated.raw as { readonly id: string }[];
  if (row === undefined) return null;
  const id = Number(row.id);
  await alsoWrite?.(id);
  const approval = await withVotes(database, transaction.manager, await rows.findOneByOrFail({ id }));
  await settleClaims(transaction, database.tables, approval);
  if (evidence !== undefined) await appendDecision(transaction, database, evidence(approval));
  return approval;
}

const later = (milliseconds: number): string =>
  `${NOW.text} + ${Math.trunc(milliseconds)} * interval '1 millisecond'`;

const isPast = (forMs = 0): FindOperator<Date> => Raw((column) => `${column} <= ${later(-forMs)}`);

/** Repeats the condition of the partial index, so that the index is used. */
export function equals<Name extends keyof ApprovalRow>(
  name: Name,
  text: string,
): Readonly<Record<Name, FindOperator<string>>> {
  // Parameters of one statement must have different names, so this one is named after the column.
  const operator = Raw<string>(
    (column) => `${isIndexed(text) ? `${fitsIndex(column)} and ` : ''}${column} = :${name}Text`,
    { [`${name}Text`]: scrubText(text) },
  );
  return { [name]: operator } as Record<Name, FindOperator<string>>;
}

/** Pending and not expired, by the clock of the database. */
export function wherePending(): ApprovalWhere {
  return { status: 'pending', expiresAt: Raw((column) => `${column} > ${NOW.text}`) };
}

export function whereStuck(kind: StuckKind, forMs = 0): ApprovalWhere {
  switch (kind) {
    case 'overdue':
      return { status: 'pending', expiresAt: isPast(forMs) };
    case 'unrun':
      return { status: 'approved', decidedAt: isPast(forMs) };
    case 'lost':
      return { status: 'executing', leaseUntil: isPast(forMs) };
    case 'restored':
      return {
        status: 'approved',
        decidedAt: isPast(forMs),
        // TypeORM 0.3 would convert a condition on `arguments` to JSON.
        decidedIn: whereHistory('is distinct from', 'and arguments is not null'),
      };
    default:
      return kind satisfies never;
  }
}

const REMINDER_COLUMNS = { reminded: 'remindedAt', escalated: 'escalatedAt' } as const;

/** Pending for at least `afterMs`, without this reminder. */
export function whereToRemind(kind: ReminderKind, afterMs: number): ApprovalWhere {
  return { ...wherePending(), createdAt: isPast(afterMs), [REMINDER_COLUMNS[kind]]: IsNull() };
}

export function reminderValues(kind: ReminderKind): ApprovalValues {
  return { [REMINDER_COLUMNS[kind]]: setLater(0), decidedIn: keepHistory };
}

/**
 * The timeline, the database, the table and the transaction that wrote a row. A promoted replica and a recovery to a point in time begin a
 * timeline; a restored dump is written by other transactions. So a row that was restored does not have the history
 * that it recorded, and its call may have been approved and have run after the backup.
 */
const historyOf = (transaction: string): string =>
  `concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()), tableoid, ${transaction})`;

const whereHistory = (comparison: string, also = ''): FindOperator<string> =>
  Raw((column) => `${column} ${comparison} ${historyOf('xmin')} ${also}`);

/** The history that a row gets which this transaction writes. */
export const currentHistory = (): string => historyOf('pg_current_xact_id()::xid');

/**
 * For every change of a row that waits for its approval or its run: a row that has its history keeps it. Earlier versions
 * recorded none of calls that wait for approval; these are trusted.
 */
export const keepHistory = (): string =>
  `case when coalesce(decided_in, status) in ('pending', ${historyOf('xmin')}) then ${currentHistory()} else decided_in end`;

/** Approved no longer ago than `withinMs`, and not run. */
export function whereClaimable(withinMs: number): ApprovalWhere {
  return {
    status: 'approved',
    decidedIn: whereHistory('='),
    decidedAt: Raw((column) => `${column} > ${later(-withinMs)}`),
  };
}

export function whereSettled(ids: readonly number[]): ApprovalWhere {
  return { id: In([...ids]), status: In<ApprovalStatus>([...OUTCOME_STATUSES]) };
}

/** Listeners are not notified about older outcomes. */
const NOTIFIED_WITHIN_MS = 7 * 24 * 3_600_000;

/** Final for at least `graceMs`, not notified, and not leased by an instance that notifies. */
export function whereToNotify(graceMs: number): readonly ApprovalWhere[] {
  const unnotified = {
    notifiedAt: IsNull(),
    finishedAt: Raw<Date>(
      (column) => `${column} <= ${later(-graceMs)} and ${column} >= ${later(-NOTIFIED_WITHIN_MS)}`,
    ),
  };
  return [
    { ...unnotified, notifyLeaseUntil: IsNull() },
    { ...unnotified, notifyLeaseUntil: isPast() },
  ];
}

/** For columns that are set to a time after now. */
export function setLater(milliseconds: number): () => string {
  return () => later(milliseconds);
}

/** After these outcomes the same call may wait again. */
const MAY_BE_PARKED_AGAIN: ReadonlySet<ApprovalStatus> = new Set(['failed', 'expired', 'superseded']);

export function endValues(status: OutcomeStatus): ApprovalValues {
  return {
    status,
    finishedAt: setLater(0),
    leaseUntil: null,
    ...(MAY_BE_PARKED_AGAIN.has(status) && { dedupKey: null }),
  };
}

/** A vote that is not the last changes nothing but the number of votes. */
export function decisionValues({
  verdict,
  actorId,
  reason,
  decisionMac,
  vote,
}: Omit<DecideCommand, 'evidence'>): ApprovalValues {
  if (vote?.isLast === false) return { voteCount: vote.afterCount + 1, decidedIn: keepHistory };
  return {
    ...(vote !== undefined && { voteCount: vote.afterCount + 1 }),
    ...(verdict === 'rejected' ? endValues(verdict) : { status: verdict, decidedIn: keepHistory }),
    decision: verdict,
    decidedBy: actorId,
    decidedAt: setLater(0),
    reason,
    decisionMac,
    pendingSlot: null,
    encryptedToken: null,
  };
}

export function expiryValues(): ApprovalValues {
  return { ...endValues('expired'), pendingSlot: null, encryptedToken: null };
}

/** Superseded by a proposal. Handlers receive the outcome of the proposal instead. */
export function replacementValues(): ApprovalValues {
  return { ...endValues('superseded'), pendingSlot: null, encryptedToken: null, notifiedAt: setLater(0) };
}

export function executionValues(leaseMs: number): ApprovalValues {
  return { status: 'executing', fence: () => 'fence + 1', leaseUntil: setLater(leaseMs) };
}

export function runEndValues(end: RunEnd | 'superseded', { result, error }: RunResult): ApprovalValues {
  return { ...endValues(end), result: result ?? null, error } as ApprovalValues;
}

export function resolutionValues({ resolution, actorId, reason }: ResolveCommand): ApprovalValues {
  return {
    ...endValues(resolution),
    ...(resolution === 'executed' && { error: null }),
    resolvedBy: actorId,
    resolvedAt: setLater(0),
    resolvedReason: reason,
    notifyAttempts: 0,
    notifiedAt: null,
    notifyLeaseUntil: null,
  };
}
