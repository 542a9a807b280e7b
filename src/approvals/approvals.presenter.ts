/**
 * The answers about approvals, for their controller. An approval keeps the types of the engine, which decides with it; an
 * answer adds what is no part of the record: the votes that count, the warnings, and whether the caller may decide.
 */
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalRecordData,
  ApprovalReview,
  ApprovalPolicyData,
  ApprovalProposalData,
  ApprovalResolutionData,
  ArgumentChange,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
import {
  RESOLUTIONS,
  type Approval,
  type ApprovalSummary,
  type ApprovalVerdict,
} from '#contracts/approvals/approvals.js';
import { canonicalJson, pointerTo } from '#engine/json/plain-json.js';
import type { ApprovalService } from '#engine/controls/approvals/approval-service.js';
import type { ApproverRules } from '#engine/controls/approvals/approver-rules.js';
import type { Page } from '#contracts/common/page.js';
import { isPlainObject } from '#contracts/common/text.js';

/** Facts of an approval that its record does not contain. */
type Service = Pick<ApprovalService, 'tokenOf' | 'rules' | 'votes'>;

/** Why the caller cannot approve a call; `null` if it can. */
type ObstacleOf = ReturnType<ApproverRules['obstaclesFor']>;

export async function presentPending(
  { entries, next_cursor }: Page<Approval>,
  service: Service,
  obstacleOf: ObstacleOf,
  now: Date,
): Promise<ApprovalListData> {
  const pending = entries.map(async (approval) => ({
    ...presentApproval(approval, service, now),
    ...(await presentReview(approval, obstacleOf)),
  }));
  return { pending: await Promise.all(pending), next_cursor };
}

function presentApproval(
  approval: Approval,
  service: Service,
  now: Date,
): Omit<PendingApproval, keyof ApprovalReview> {
  return {
    ...presentShared(approval, service),
    token: service.tokenOf(approval),
    arguments: approval.arguments ?? {},
    warnings: service.rules.warningsOf(approval),
    risk: approval.risk,
    requested_ago: ago(approval.createdAt, now),
    expires_in: ahead(approval.expiresAt, now),
  };
}

/** What the lists and the single approval have in common. */
function presentShared(approval: ApprovalSummary, { votes }: Service) {
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    step_name: approval.stepName,
    status: approval.status,
    tool: approval.tool,
    headline: approval.headline,
    arguments_digest: approval.argumentsDigest,
    reversible: approval.reversible,
    principal_id: approval.principalId,
    application: approval.application,
    policy_revision: approval.policyRevision,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    audit_id: approval.auditId,
    policy: presentPolicy(approval, votes),
    decisions: presentDecisions(approval, votes),
    supersedes: approval.supersedes,
    superseded_by: approval.supersededBy,
    edited_by: approval.editors.at(-1) ?? null,
    edit_reason: approval.editReason,
  };
}

export function presentProposal(approval: Approval, service: Service): ApprovalProposalData {
  return {
    approval_id: approval.id,
    supersedes: approval.supersedes ?? 0,
    token: service.tokenOf(approval),
    run_id: approval.runId,
    tool: approval.tool,
    status: approval.status,
    arguments: approval.arguments ?? {},
    arguments_digest: approval.argumentsDigest,
    overwritten: approval.overwritten,
    policy: presentPolicy(approval, service.votes),
    edited_by: approval.editors.at(-1) ?? '',
    edit_reason: approval.editReason ?? '',
    expires_at: approval.expiresAt.toISOString(),
  };
}

async function presentReview(approval: Approval, obstacleOf: ObstacleOf): Promise<ApprovalReview> {
  const obstacle = await obstacleOf(approval);
  return {
    requested_arguments: approval.requestedArguments ?? approval.arguments,
    overwritten: approval.overwritten,
    can_decide: obstacle === null,
    cannot_decide_reason: obstacle,
  };
}

/** The votes, and the decision where it is not the last vote. */
function presentDecisions(
  approval: ApprovalSummary,
  votes: ApprovalService['votes'],
): readonly ApprovalRecordData[] {
  const { decision, decidedBy, decidedAt, reason } = approval;
  const standing = new Set(votes.standingVotes(approval).map(({ id }) => id));
  const voted = approval.votes.map((vote) => ({
    decision: 'approved' as const,
    decided_by: vote.actorId,
    decided_at: vote.votedAt.toISOString(),
    reason: vote.reason,
    counts: standing.has(vote.id),
  }));
  const isLastVote = decision === 'approved' && voted.length > 0;
  if (decision === null || decidedBy === null || decidedAt === null || isLastVote) return voted;
  const decided = { decision, decided_by: decidedBy, decided_at: decidedAt.toISOString(), reason };
  return [...voted, { ...decided, counts: true }];
}

/** A vote that is not the last is shown as the decision of its actor, on an approval that is still pending. */
export function presentDecision(
  approval: Approval,
  verdict: ApprovalVerdict,
  actorId: string,
  { votes }: Pick<ApprovalService, 'votes'>,
): ApprovalDecisionData {
  const vote = approval.status === 'pending' ? votes.voteOf(approval, actorId) : null;
  const decidedBy = vote?.actorId ?? approval.decidedBy;
  const decidedAt = vote?.votedAt ?? approval.decidedAt;
  if (decidedBy === null || decidedAt === null) throw new Error('A decided approval has no decision.');
  return {
    decision: approval.decision ?? verdict,
    approval_id: approval.id,
    run_id: approval.runId,
    tool: approval.tool,
    status: approval.status,
    decided_by: decidedBy,
    decided_at: decidedAt.toISOString(),
    result: approval.result ?? null,
    error: approval.error,
    policy: presentPolicy(approval, votes),
  };
}

function presentPolicy(approval: ApprovalSummary, votes: ApprovalService['votes']): ApprovalPolicyData {
  const { rule, approvers, group, isReasonRequired } = approval.requirement;
  return { rule, needed: approvers, given: votes.given(approval), group, reason_required: isReasonRequired };
}

export function presentHistory(
  { entries, next_cursor }: Page<ApprovalSummary>,
  service: Service,
): ApprovalHistoryData {
  return { entries: entries.map((approval) => presentFacts(approval, service)), next_cursor };
}

/** `superseded` is the call that a proposal replaced. */
export async function presentDetail(
  approval: Approval,
  superseded: Approval | null,
  service: Service,
  obstacleOf: ObstacleOf,
): Promise<ApprovalDetailData> {
  const { arguments: args, result, fence } = approval;
  const facts = { ...presentFacts(approval, service), warnings: service.rules.warningsOf(approval) };
  const review = await presentReview(approval, obstacleOf);
  const changes = superseded === null ? null : changesBetween(superseded.arguments, args);
  return {
    approval: { ...facts, ...review, arguments: args, result: result ?? null, attempts: fence, changes },
  };
}

export function presentResolution(approval: Approval): ApprovalResolutionData {
  const { resolvedBy, resolvedAt, resolvedReason } = approval;
  const status = RESOLUTIONS.find((resolution) => resolution === approval.status);
  if (resolvedBy === null || resolvedAt === null || status === undefined)
    throw new Error('A resolved approval has no resolution.');
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    tool: approval.tool,
    status,
    resolved_by: resolvedBy,
    resolved_at: resolvedAt.toISOString(),
    reason: resolvedReason ?? '',
  };
}

function presentFacts(approval: ApprovalSummary, service: Service): ApprovalFacts {
  return {
    ...presentShared(approval, service),
    idempotent: approval.idempotent,
    warnings: approval.warnings,
    risk: approval.risk,
    request_id: approval.requestId,
    decision: approval.decision,
    decided_by: approval.decidedBy,
    decided_at: approval.decidedAt?.toISOString() ?? null,
    reason: approval.reason,
    finished_at: approval.finishedAt?.toISOString() ?? null,
    resolved_by: approval.resolvedBy,
    resolved_at: approval.resolvedAt?.toISOString() ?? null,
    resolved_reason: approval.resolvedReason,
    error: approval.error,
  };
}

const UNITS = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;

const JUST_NOW_MS = 10_000;

/** `just now`, `2 minutes ago` */
export function ago(since: Date, now: Date): string {
  const elapsed = now.getTime() - since.getTime();
  return elapsed < JUST_NOW_MS ? 'just now' : `${formatDuration(elapsed)} ago`;
}

/** `in 2 hours`, `now` */
export function ahead(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime();
  return left < 500 ? 'now' : `in ${formatDuration(left)}`;
}

function formatDuration(duration: number) {
  for (const [unit, length, count] of UNITS) {
    const amount = Math.max(1, Math.round(duration / length));
    if (amount < count) return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  }
  return 'a long time';
}

/** The places where two JSON values differ, in the order of the first, then of the second. */
export function changesBetween(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): readonly ArgumentChange[] {
  if (isPlainObject(before) && isPlainObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => {
      if (!Object.hasOwn(before, key)) return [change([...path, key], null, after[key])];
      if (!Object.hasOwn(after, key)) return [change([...path, key], before[key], null)];
      return changesBetween(before[key], after[key], [...path, key]);
    });
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [change(path, before, after)];
}

function change(path: readonly (string | number)[], from: unknown, to: unknown): ArgumentChange {
  return { path: pointerTo(path), from, to };
}
