import {
  type Approval,
  type ApprovalStatus,
  type NewApproval,
  type RunEnd,
  type RunResult,
  type ApprovalSummary,
  OUTCOME_STATUSES,
} from '#contracts/approvals/approvals.js';
import type {
  ApprovalFilter,
  CallFilter,
  CallIdentity,
  DecideCommand,
  ReminderKind,
  ResolveCommand,
  StuckKind,
} from '#contracts/stores/approvals.store.js';
import { jsonFragment, scrubText } from '#contracts/common/text.js';

/** An approval with the columns that only the store reads. */
export interface ApprovalRow extends Approval {
  /** Digest of the arguments that the model requested under this approval. */
  readonly dedupDigest: string;
  readonly encryptedToken: string | null;
  readonly reminders: readonly ReminderKind[];
  readonly notified: boolean;
  readonly notifyLeaseUntil: Date | null;
}

export function approvalOf(row: ApprovalRow): Approval {
  const {
    dedupDigest: _digest,
    encryptedToken: _sealed,
    reminders: _reminders,
    notified: _notified,
    notifyLeaseUntil: _until,
    ...approval
  } = row;
  return approval;
}

export function park(call: NewApproval, id: number, now: Date): ApprovalRow {
  const { ttlMs, ...kept } = call;
  return {
    ...kept,
    id,
    dedupDigest: call.argumentsDigest,
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
    result: null,
    error: null,
    notifyAttempts: 0,
    reminders: [],
    notified: false,
    notifyLeaseUntil: null,
  };
}

export function isDueForReminder(row: ApprovalRow, kind: ReminderKind, afterMs: number, now: Date): boolean {
  return isOpen(row, now) && !row.reminders.includes(kind) && later(row.createdAt, afterMs) <= now;
}

/** Records the vote, if there is one; the last vote decides, like a decision without votes. */
export function decide(row: ApprovalRow, command: DecideCommand, now: Date): ApprovalRow {
  const voted = vote(row, command, now);
  if (command.vote?.isLast === false) return voted;
  return {
    ...voted,
    status: command.verdict,
    decision: command.verdict,
    decidedBy: command.actorId,
    decidedAt: now,
    reason: command.reason,
    decisionMac: command.decisionMac,
    encryptedToken: null,
    finishedAt: command.verdict === 'rejected' ? now : null,
  };
}

function vote(row: ApprovalRow, { vote: given, actorId, reason }: DecideCommand, now: Date): ApprovalRow {
  if (given === undefined) return row;
  const { voteMac, voided } = given;
  const earlier = row.votes.map((one) =>
    voided.includes(one.id) && one.voidedAt === null ? { ...one, voidedAt: now } : one,
  );
  const id = row.voteCount + 1;
  return {
    ...row,
    votes: [...earlier, { id, actorId, reason, votedAt: now, voteMac, voidedAt: null }],
    voteCount: id,
  };
}

export function expire(row: ApprovalRow, now: Date): ApprovalRow {
  return { ...row, status: 'expired', encryptedToken: null, finishedAt: now };
}

export function execute(row: ApprovalRow, leaseMs: number, now: Date): ApprovalRow {
  return { ...row, status: 'executing', fence: row.fence + 1, leaseUntil: later(now, leaseMs) };
}

export function finish(row: ApprovalRow, end: RunEnd | 'superseded', run: RunResult, now: Date): ApprovalRow {
  const { error } = run;
  return { ...row, status: end, result: run.result ?? null, error, leaseUntil: null, finishedAt: now };
}

/** Superseded by a proposal. Handlers receive the outcome of the proposal instead. */
export function replace(row: ApprovalRow, supersededBy: number, now: Date): ApprovalRow {
  return {
    ...row,
    status: 'superseded',
    supersededBy,
    encryptedToken: null,
    finishedAt: now,
    notified: true,
  };
}

export function supersede(row: ApprovalRow, run: RunResult, now: Date): ApprovalRow {
  return finish(row, 'superseded', run, now);
}

export function resolve(row: ApprovalRow, command: ResolveCommand, now: Date): ApprovalRow {
  return {
    ...row,
    status: command.resolution,
    error: command.resolution === 'executed' ? null : row.error,
    resolvedBy: command.actorId,
    resolvedAt: now,
    resolvedReason: command.reason,
    finishedAt: now,
    notifyAttempts: 0,
    notified: false,
    notifyLeaseUntil: null,
  };
}

export function isOpen(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt > now;
}

/** Calls without a principal have no limit. */
export function hasTooManyPending(
  others: readonly Approval[],
  { principalId }: Approval,
  maxOpen: number,
  now: Date,
): boolean {
  if (principalId === null) return false;
  return others.filter((other) => other.principalId === principalId && isOpen(other, now)).length >= maxOpen;
}

export function isOverdue(approval: Approval, now: Date): boolean {
  return approval.status === 'pending' && approval.expiresAt <= now;
}

export function isRunBy(approval: Approval, fence: number): boolean {
  return approval.status === 'executing' && approval.fence === fence;
}

export function isLost(approval: Approval, now: Date): boolean {
  return approval.status === 'executing' && approval.leaseUntil !== null && approval.leaseUntil <= now;
}

/**
 * Two calls are one approval if they are the same call of the same run; a rejection holds for every step.
 * Without a run they always differ.
 */
export function isSameCall(approval: ApprovalRow, call: CallIdentity, now: Date): boolean {
  const isRequest = approval.stepName === call.stepName && approval.dedupDigest === call.argumentsDigest;
  const isRejected = approval.status === 'rejected' && approval.argumentsDigest === call.argumentsDigest;
  return (
    (isRequest || isRejected) &&
    !REPEATABLE_STATUSES.has(approval.status) &&
    !isOverdue(approval, now) &&
    isOfSameRun(approval, call)
  );
}

/** Whether the call was requested under this approval. A proposal is no request of the model. */
export function isRequestOf(approval: ApprovalRow, call: CallIdentity): boolean {
  return (
    approval.firstId === null &&
    approval.stepName === call.stepName &&
    approval.argumentsDigest === call.argumentsDigest &&
    isOfSameRun(approval, call)
  );
}

function isOfSameRun(approval: ApprovalRow, call: CallIdentity): boolean {
  return (
    approval.runId !== null &&
    approval.runId === call.runId &&
    approval.tool === call.tool &&
    approval.principalId === call.principalId &&
    approval.application === call.application
  );
}

const REPEATABLE_STATUSES: ReadonlySet<ApprovalStatus> = new Set(['failed', 'expired', 'superseded']);

export function later(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

const MAX_NOTIFICATION_AGE_MS = 7 * 24 * 3_600_000;

const SETTLED: ReadonlySet<ApprovalStatus> = new Set(OUTCOME_STATUSES);

export function isSettled({ status }: Approval): boolean {
  return SETTLED.has(status);
}

export function matchesCall(
  approval: Approval,
  { tool, principalId, application, runId, q, from, to }: CallFilter,
): boolean {
  const { createdAt } = approval;
  const hasText = (stored: string | null, sought: string | undefined): boolean =>
    sought === undefined || stored === scrubText(sought);
  return (
    hasText(approval.tool, tool) &&
    hasText(approval.principalId, principalId) &&
    hasText(approval.application, application) &&
    hasText(approval.runId, runId) &&
    (q === undefined || containsText(approval.arguments, q)) &&
    (from === undefined || createdAt >= from) &&
    (to === undefined || createdAt <= to)
  );
}

function containsText(args: Approval['arguments'], part: string): boolean {
  const inAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return args !== null && inAscii(JSON.stringify(args)).includes(inAscii(jsonFragment(part)));
}

export function matchesFilter(approval: Approval, { status, actor, ...call }: ApprovalFilter): boolean {
  if (status === undefined ? approval.status === 'pending' : approval.status !== status) return false;
  if (!matchesCall(approval, call)) return false;
  const voters = approval.votes.map(({ actorId }) => actorId);
  return (
    actor === undefined || [approval.decidedBy, approval.resolvedBy, ...voters].includes(scrubText(actor))
  );
}

export function summary(approval: Approval): ApprovalSummary {
  const {
    arguments: _arguments,
    requestedArguments: _requestedArguments,
    overwritten: _overwritten,
    traceParent: _traceParent,
    result: _result,
    callMac: _callMac,
    decisionMac: _decisionMac,
    claims: _claims,
    ...rest
  } = approval;
  return rest;
}

/** When the approval got stuck, or `null` if it is not stuck in this way. */
function stuckSince(approval: Approval, kind: StuckKind): Date | null {
  switch (kind) {
    case 'overdue':
      return approval.status === 'pending' ? approval.expiresAt : null;
    case 'unrun':
      return approval.status === 'approved' ? approval.decidedAt : null;
    case 'lost':
      return approval.status === 'executing' ? approval.leaseUntil : null;
    case 'restored':
      return null;
    default:
      return kind satisfies never;
  }
}

export function isStuck(approval: Approval, kind: StuckKind, forMs: number, now: Date): boolean {
  const since = stuckSince(approval, kind);
  return since !== null && since.getTime() + forMs <= now.getTime();
}

export function isDueForNotification(row: ApprovalRow, graceMs: number, now: Date): boolean {
  if (row.notified || !isSettled(row) || row.finishedAt === null) return false;
  const age = now.getTime() - row.finishedAt.getTime();
  const free = row.notifyLeaseUntil === null || row.notifyLeaseUntil <= now;
  return age >= graceMs && age <= MAX_NOTIFICATION_AGE_MS && free;
}
