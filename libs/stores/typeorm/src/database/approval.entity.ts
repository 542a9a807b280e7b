import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';
import { ONE_APPROVER, type ApprovalRequirement, type ApprovalVote } from '#contracts/approvals/approvals.js';
import type { ApprovalRow } from '#contracts/stores/approvals.store.js';
import type { BudgetClaim } from '#contracts/approvals/budgets.js';
import { isRecord, parsedJson } from '#contracts/common/text.js';
import { asJson, COLUMN, entity, nullable } from './column-types.js';
import type { TableNaming } from './tables.js';

/** The columns; votes have a table of their own. */
export interface ApprovalColumns extends Omit<ApprovalRow, 'votes' | 'isRestored'> {
  /** Digest of the call within its run. Unique; `null` once the same call may wait again. */
  readonly dedupKey: string | null;
  /** The history of the database in which it was requested and approved; see `historyOf`. */
  readonly decidedIn: string | null;
  /** One of the places of its principal for pending calls. Unique; `null` once it is not pending. */
  readonly pendingSlot: string | null;
}

export interface ApprovalVoteRow extends ApprovalVote {
  readonly approvalId: number;
}

const LAST_MS = 8_640_000_000_000_000;

/** PostgreSQL stores `infinity` and years that no Date can represent. */
const readableTime: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => {
    if (value === null || (value instanceof Date && !Number.isNaN(value.getTime()))) return value;
    return new Date(value === -Infinity ? -LAST_MS : LAST_MS);
  },
};

const time = { ...COLUMN.time, transformer: readableTime };

const hidden = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  ...nullable(column),
  select: false,
});

export function approvalEntity(naming: TableNaming) {
  return entity<ApprovalColumns>(naming, 'approvals', {
    id: COLUMN.id,
    reference: COLUMN.text,
    tokenHash: COLUMN.text,
    encryptedToken: { ...hidden(COLUMN.text), name: 'encrypted_token' },
    callMac: { ...COLUMN.text, name: 'call_mac' },
    auditId: nullable(COLUMN.bigint),
    dedupKey: hidden(COLUMN.text),
    decidedIn: hidden(COLUMN.text),
    pendingSlot: hidden(COLUMN.text),
    status: COLUMN.text,
    runId: nullable(COLUMN.text),
    stepName: COLUMN.text,
    tool: COLUMN.text,
    toolFingerprint: COLUMN.text,
    arguments: nullable(readableJson(isRecord, null)),
    argumentsDigest: COLUMN.text,
    requestedArguments: nullable(readableJson(isRecord, null)),
    overwritten: readableJson((value) => Array.isArray(value), []),
    reversible: COLUMN.flag,
    idempotent: COLUMN.flag,
    warnings: readableJson(isListOfTexts, ['The warnings of this call cannot be read.']),
    risk: readableJson(isListOfRisks, []),
    headline: nullable(readableJson(isListOfTexts, null)),
    principalId: nullable(COLUMN.text),
    application: nullable(COLUMN.text),
    requestId: nullable(COLUMN.text),
    traceParent: nullable(COLUMN.text),
    policyRevision: COLUMN.text,
    requirement: readableJson(isRequirement, ONE_APPROVER),
    createdAt: time,
    expiresAt: time,
    decision: nullable(COLUMN.text),
    decidedBy: nullable(COLUMN.text),
    decidedAt: nullable(time),
    reason: nullable(COLUMN.text),
    decisionMac: { ...nullable(COLUMN.text), name: 'decision_mac' },
    supersedes: nullable(COLUMN.bigint),
    supersededBy: nullable(COLUMN.bigint),
    firstId: nullable(COLUMN.bigint),
    editors: readableJson(isListOfTexts, []),
    editReason: nullable(COLUMN.text),
    voteCount: COLUMN.integer,
    fence: COLUMN.integer,
    leaseUntil: nullable(time),
    finishedAt: nullable(time),
    resolvedBy: nullable(COLUMN.text),
    resolvedAt: nullable(time),
    resolvedReason: nullable(COLUMN.text),
    remindedAt: hidden(time),
    escalatedAt: hidden(time),
    notifiedAt: hidden(time),
    notifyLeaseUntil: hidden(time),
    claims: readableJson(isListOfClaims, []),
    notifyAttempts: { ...COLUMN.integer, name: 'notify_attempts' },
    result: nullable(readableJson(() => true, null)),
    error: nullable(readableJson(isRecord, null)),
  });
}

export function approvalVoteEntity(naming: TableNaming) {
  return entity<ApprovalVoteRow>(naming, 'approvalVotes', {
    id: COLUMN.id,
    approvalId: COLUMN.bigint,
    actorId: COLUMN.text,
    reason: nullable(COLUMN.text),
    votedAt: time,
    voteMac: COLUMN.text,
    voidedAt: nullable(time),
  });
}

/**
 * A row that was changed past the stores must stay readable: a failed read would hide other rows from lists and
 * repairs. A replaced value matches no MAC, so the call cannot run.
 */
function readableJson(accepts: (value: unknown) => boolean, replacement: unknown): EntitySchemaColumnOptions {
  const from = (text: string | null): unknown => {
    if (text === null) return null;
    const value = parsedJson(text, Infinity);
    return value !== undefined && accepts(value) ? value : replacement;
  };
  return { ...COLUMN.json, transformer: { ...asJson, from } };
}

function isListOfClaims(value: unknown) {
  return Array.isArray(value) && value.every((claim) => isRecord(claim) && isClaim(claim));
}

function isClaim({ budget, amount }: Partial<BudgetClaim>) {
  return typeof budget === 'string' && typeof amount === 'string' && /^[0-9.]+$/.test(amount);
}

function isListOfTexts(value: unknown) {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isListOfRisks(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (risk) => isRecord(risk) && typeof risk['name'] === 'string' && typeof risk['text'] === 'string',
    )
  );
}

function isRequirement(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { rule, approvers, group, isReasonRequired } = value as Record<keyof ApprovalRequirement, unknown>;
  return (
    (rule === null || Number.isSafeInteger(rule)) &&
    Number.isSafeInteger(approvers) &&
    (group === null || typeof group === 'string') &&
    typeof isReasonRequired === 'boolean'
  );
}
