import { LessThan, Not, type FindOptionsSelect } from 'typeorm';
import type { Approval, ApprovalId, ApprovalSummary } from '#contracts/approvals.js';
import type { ApprovalFilter } from '#contracts/approvals.store.js';
import type { Page, PageRequest } from '#contracts/page.js';
import { scrubText } from '#contracts/text.js';
import type { Database } from '../database.js';
import { pageOf } from '../list-filters.js';
import type { ApprovalRow } from './approval.entity.js';
import { equals, type ApprovalWhere } from './approval-transitions.js';

export async function approvalPage(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
): Promise<Page<Approval>> {
  return pageOf(await newest(database, where, page), page);
}

/** Reads ids only, so an unreadable row cannot hide the others. */
export async function approvalIds(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
): Promise<Page<ApprovalId>> {
  return pageOf(await newest(database, where, page, { id: true }), page);
}

export async function approvalHistory(
  database: Database,
  { status, tool, actor }: ApprovalFilter,
  page: PageRequest,
): Promise<Page<ApprovalSummary>> {
  const where: ApprovalWhere = {
    status: status ?? Not('pending' as const),
    ...(tool !== undefined && equals('tool', tool)),
  };
  if (actor === undefined) return pageOf(await newest(database, where, page, SUMMARY), page);
  // Two reads, one for each index: an "or" would read more than the page.
  const decided = await newest(database, { ...where, ...equals('decidedBy', actor) }, page, SUMMARY);
  const others = { ...where, ...equals('resolvedBy', actor), decidedBy: Not(scrubText(actor)) };
  const resolved = await newest(database, others, page, SUMMARY);
  const both = [...decided, ...resolved].toSorted((one, other) => other.id - one.id);
  return pageOf(both.slice(0, page.limit + 1), page);
}

function newest(
  database: Database,
  where: ApprovalWhere,
  { cursor, limit }: PageRequest,
  select?: FindOptionsSelect<ApprovalRow>,
): Promise<ApprovalRow[]> {
  const before: ApprovalWhere = cursor === undefined ? {} : { id: LessThan(cursor) };
  return database.repository(database.entities.approval, (rows) =>
    rows.find({
      where: { ...where, ...before },
      order: { id: 'DESC' },
      take: limit + 1,
      ...(select !== undefined && { select }),
    }),
  );
}

/** Without arguments and results, which may be large. */
const SUMMARY = {
  id: true,
  reference: true,
  tokenHash: true,
  status: true,
  runId: true,
  stepName: true,
  tool: true,
  toolFingerprint: true,
  argumentsDigest: true,
  reversible: true,
  idempotent: true,
  warnings: true,
  principalId: true,
  application: true,
  requestId: true,
  policyRevision: true,
  createdAt: true,
  expiresAt: true,
  decision: true,
  decidedBy: true,
  decidedAt: true,
  reason: true,
  fence: true,
  leaseUntil: true,
  finishedAt: true,
  notifyAttempts: true,
  resolvedBy: true,
  resolvedAt: true,
  resolvedReason: true,
  error: true,
} as const satisfies Readonly<Record<keyof ApprovalSummary, true>>;
