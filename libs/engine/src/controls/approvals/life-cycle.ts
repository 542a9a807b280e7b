// The life cycle of an approval, for the engine and both stores: what each command does in each state. The stores call
// `next` with the locked row and their own clock, and write the row that it returns. The spec prints it as a table.
import {
  OUTCOME_STATUSES,
  type Approval,
  type ApprovalStep,
  type NewApproval,
  type OutcomeStatus,
  type RunResult,
} from '#contracts/approvals/approvals.js';
import type {
  ApprovalCommand,
  ApprovalRefusal,
  ApprovalRow,
  DecideCommand,
  NewVote,
} from '#contracts/stores/approvals.store.js';

/** `step` is what the evidence of the change records; `null` where nothing is recorded. */
type Next<Row> =
  | { readonly kind: 'changed'; readonly row: Row; readonly step: ApprovalStep | null }
  | { readonly kind: 'refused'; readonly why: ApprovalRefusal };

/** Handlers are not notified about older outcomes. */
export const NOTIFIED_WITHIN_MS = 7 * 24 * 3_600_000;

/** The result of a call that did not run. */
export const NOTHING: RunResult = { result: null, error: null };

export function next<Row extends ApprovalRow>(row: Row, command: ApprovalCommand, now: Date): Next<Row> {
  switch (command.kind) {
    case 'decide':
      return decide(row, command, now);
    case 'expire':
      if (row.status !== 'pending') return refused('status');
      return isOpen(row, now) ? refused('early') : ended(row, 'expired', now);
    case 'remind':
      return remind(row, command, now);
    case 'replace':
      if (row.status !== 'pending') return refused('status');
      // Handlers receive the outcome of the proposal instead.
      return isOpen(row, now) ? ended({ ...row, notifiedAt: now }, 'superseded', now) : refused('expired');
    case 'claim':
      if (row.status !== 'approved') return refused('status');
      if (row.isRestored || row.decidedAt === null || isPast(later(row.decidedAt, command.withinMs), now))
        return refused('late');
      return command.isUnchanged(row)
        ? changed(leased(row, command.leaseMs, now, row.fence + 1), null)
        : ended(row, 'superseded', now, NOTHING);
    case 'claimAgain':
      return whereLost(row, command, now, () =>
        changed(leased(row, command.leaseMs, now, row.fence + 1), null),
      );
    case 'renew':
      return whereRunning(row, command, () => changed(leased(row, command.leaseMs, now, row.fence), null));
    case 'finish':
      return whereRunning(row, command, () => ended(row, command.end, now, command.result));
    case 'markUnknown': {
      const { fence, result } = command;
      // The fence is raised, so that no other instance can end the run. Erased calls are superseded instead.
      if (row.status === 'approved' && row.isRestored && !isErased(row) && row.fence === fence)
        return ended({ ...row, fence: fence + 1 }, 'outcome_unknown', now, result);
      return whereLost(row, command, now, () => ended(row, 'outcome_unknown', now, result));
    }
    case 'supersede':
      return row.status === 'approved' ? ended(row, 'superseded', now, command.result) : refused('status');
    case 'resolve':
      if (row.status !== 'outcome_unknown') return refused('status');
      return ended(resolved(row, command, now), command.resolution, now);
    case 'claimNotification':
      return claimNotification(row, command.leaseMs, now);
    case 'retryNotification':
      if (row.status !== command.status) return refused('status');
      if (row.notifiedAt !== null) return refused('late');
      return changed({ ...row, notifyLeaseUntil: later(now, command.inMs) }, null);
    case 'markNotified':
      return row.status === command.status ? changed({ ...row, notifiedAt: now }, null) : refused('status');
    default:
      return command satisfies never;
  }
}

/** The call as it begins to wait. */
export function begin({ ttlMs, ...call }: NewApproval, now: Date): Omit<ApprovalRow, 'id'> {
  return {
    ...call,
    ...NOTHING,
    auditId: null,
    supersededBy: null,
    status: 'pending',
    createdAt: now,
    expiresAt: later(now, ttlMs),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    decisionMac: null,
    votes: [],
    voteCount: 0,
    fence: 0,
    leaseUntil: null,
    finishedAt: null,
    resolvedBy: null,
    resolvedAt: null,
    resolvedReason: null,
    remindedAt: null,
    escalatedAt: null,
    notifyAttempts: 0,
    notifiedAt: null,
    notifyLeaseUntil: null,
    isRestored: false,
  };
}

/** Pending, and not expired. */
export function isOpen({ status, expiresAt }: Pick<Approval, 'status' | 'expiresAt'>, now: Date): boolean {
  return status === 'pending' && !isPast(expiresAt, now);
}

export function isSettled({ status }: Pick<Approval, 'status'>): boolean {
  return OUTCOME_STATUSES.some((outcome) => outcome === status);
}

/** Retention removes the arguments with their digest. */
export function isErased({ arguments: args, argumentsDigest }: Approval): boolean {
  return args === null && argumentsDigest === '';
}

/** After these outcomes the same call may wait again. */
export function mayBeRequestedAgain({ status }: Pick<Approval, 'status'>): boolean {
  return status === 'failed' || status === 'expired' || status === 'superseded';
}

/** Without what only the stores read. */
export function approvalOf(row: ApprovalRow): Approval {
  const {
    encryptedToken: _encryptedToken,
    remindedAt: _remindedAt,
    escalatedAt: _escalatedAt,
    notifiedAt: _notifiedAt,
    notifyLeaseUntil: _notifyLeaseUntil,
    isRestored: _isRestored,
    ...approval
  } = row;
  return approval;
}

export function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}

/** Records the vote, if there is one; the last vote decides, like a decision without votes. */
function decide<Row extends ApprovalRow>(row: Row, command: DecideCommand, now: Date): Next<Row> {
  const { verdict, actorId, reason, decisionMac, vote } = command;
  if (row.status === 'expired') return refused('expired');
  if (row.status !== 'pending') return refused('status');
  if (!isOpen(row, now)) return ended(row, 'expired', now);
  if (vote !== undefined && vote.afterCount !== row.voteCount) return refused('votes');
  const voted = vote === undefined ? row : withVote(row, command, vote, now);
  if (vote?.isLast === false) return changed(voted, 'voted');
  const by = { decision: verdict, decidedBy: actorId, decidedAt: now, reason, decisionMac };
  const decided = { ...voted, ...by, encryptedToken: null };
  return verdict === 'rejected'
    ? ended(decided, verdict, now)
    : changed({ ...decided, status: verdict }, verdict);
}

type CommandOf<Kind extends ApprovalCommand['kind']> = Extract<ApprovalCommand, { readonly kind: Kind }>;

function remind<Row extends ApprovalRow>(
  row: Row,
  { reminder, afterMs }: CommandOf<'remind'>,
  now: Date,
): Next<Row> {
  if (row.status !== 'pending') return refused('status');
  if (!isOpen(row, now)) return refused('expired');
  const column = reminder === 'reminded' ? 'remindedAt' : 'escalatedAt';
  if (row[column] !== null) return refused('late');
  if (!isPast(later(row.createdAt, afterMs), now)) return refused('early');
  return changed({ ...row, [column]: now }, reminder);
}

function claimNotification<Row extends ApprovalRow>(row: Row, leaseMs: number, now: Date): Next<Row> {
  if (row.notifiedAt !== null) return refused('late');
  if (!isSettled(row) || row.finishedAt === null) return refused('status');
  if (later(row.finishedAt, NOTIFIED_WITHIN_MS) < now) return refused('late');
  if (row.notifyLeaseUntil !== null && !isPast(row.notifyLeaseUntil, now)) return refused('early');
  const attempts = { notifyAttempts: row.notifyAttempts + 1, notifyLeaseUntil: later(now, leaseMs) };
  return changed({ ...row, ...attempts }, null);
}

function withVote<Row extends ApprovalRow>(
  row: Row,
  { actorId, reason }: DecideCommand,
  { voteMac, voided }: NewVote,
  now: Date,
): Row {
  const earlier = row.votes.map((vote) =>
    voided.includes(vote.id) && vote.voidedAt === null ? { ...vote, voidedAt: now } : vote,
  );
  const vote = { id: row.voteCount + 1, actorId, reason, votedAt: now, voteMac, voidedAt: null };
  return { ...row, votes: [...earlier, vote], voteCount: vote.id };
}

function resolved<Row extends ApprovalRow>(
  row: Row,
  { resolution, actorId, reason }: CommandOf<'resolve'>,
  now: Date,
): Row {
  return {
    ...row,
    error: resolution === 'executed' ? null : row.error,
    resolvedBy: actorId,
    resolvedAt: now,
    resolvedReason: reason,
    notifyAttempts: 0,
    notifiedAt: null,
    notifyLeaseUntil: null,
  };
}

function leased<Row extends ApprovalRow>(row: Row, leaseMs: number, now: Date, fence: number): Row {
  return { ...row, status: 'executing', fence, leaseUntil: later(now, leaseMs) };
}

function ended<Row extends ApprovalRow>(
  row: Row,
  status: OutcomeStatus,
  now: Date,
  { result, error }: RunResult = row,
): Next<Row> {
  const end = {
    status,
    result: result ?? null,
    error,
    finishedAt: now,
    leaseUntil: null,
    encryptedToken: null,
  };
  return changed({ ...row, ...end }, status);
}

/** For the holder of the fence. */
function whereRunning<Row>(
  { status, fence }: ApprovalRow,
  command: { readonly fence: number },
  change: () => Next<Row>,
): Next<Row> {
  if (status !== 'executing') return refused('status');
  return fence === command.fence ? change() : refused('fence');
}

/** For anybody, once the lease of the fence has expired. */
function whereLost<Row>(
  row: ApprovalRow,
  command: { readonly fence: number },
  now: Date,
  change: () => Next<Row>,
): Next<Row> {
  return whereRunning(row, command, () =>
    row.leaseUntil !== null && isPast(row.leaseUntil, now) ? change() : refused('early'),
  );
}

function changed<Row>(row: Row, step: ApprovalStep | null): Next<Row> {
  return { kind: 'changed', row, step };
}

function refused(why: ApprovalRefusal): { readonly kind: 'refused'; readonly why: ApprovalRefusal } {
  return { kind: 'refused', why };
}

function isPast(time: Date, now: Date) {
  return time <= now;
}
