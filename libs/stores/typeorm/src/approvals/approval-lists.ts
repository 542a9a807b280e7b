import {
  And,
  Between,
  LessThan,
  MoreThan,
  Not,
  Raw,
  type FindManyOptions,
  type FindOperator,
  type FindOptionsSelect,
} from 'typeorm';
import type { Approval, ApprovalId, ApprovalSummary } from '#contracts/approvals/approvals.js';
import type { ApprovalFilter, CallFilter } from '#contracts/stores/approvals.store.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { jsonFragment, scrubText } from '#contracts/common/text.js';
import type { Database } from '../database/database.js';
import { clampTime } from '../database/sql.js';
import { fitsIndex, isIndexed, pageOf } from '../database/list-filters.js';
import type { ApprovalRow } from '../database/approval.entity.js';
import { equals, type ApprovalWhere } from './approval-transitions.js';
import { allWithVotes } from './approval-votes.js';

export async function approvalPage(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
): Promise<Page<Approval>> {
  return pageOf(await voted(database, where, page), page);
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
  { status, actor, ...call }: ApprovalFilter,
  page: PageRequest,
): Promise<Page<ApprovalSummary>> {
  const where: ApprovalWhere = { status: status ?? Not('pending' as const), ...callsOf(call) };
  if (actor === undefined) return pageOf(await voted(database, where, page, SUMMARY), page);
  // Each index has a read of its own, because an "or" would read more than the page.
  const found = new Map<number, ApprovalSummary>();
  const actions = [equals('decidedBy', actor), equals('resolvedBy', actor), votedBy(database, actor)];
  for (const action of actions)
    for (const row of await voted(database, { ...where, ...action }, page, SUMMARY)) found.set(row.id, row);
  const all = [...found.values()].toSorted((one, other) => other.id - one.id);
  return pageOf(all.slice(0, page.limit + 1), page);
}

function votedBy({ tables }: Database, actor: string): ApprovalWhere {
  const isVoter = `${isIndexed(actor) ? `${fitsIndex('actor_id')} and ` : ''}actor_id = :voter`;
  const votes = `select approval_id from ${tables.approvalVotes.text} where ${isVoter}`;
  return { id: Raw((column) => `${column} in (${votes})`, { voter: scrubText(actor) }) };
}

/** The conditions of a filter. */
export function callsOf({ tool, principalId, application, runId, q, from, to }: CallFilter): ApprovalWhere {
  const [first, last] = [clampTime(from ?? new Date(-8e15)), clampTime(to ?? new Date(8e15))];
  return {
    ...(tool !== undefined && equals('tool', tool)),
    ...(principalId !== undefined && equals('principalId', principalId)),
    ...(application !== undefined && { application: scrubText(application) }),
    ...(runId !== undefined && equals('runId', runId)),
    ...(q !== undefined && { arguments: containsText(q) }),
    ...((from !== undefined || to !== undefined) && { createdAt: Between(first, last) }),
  };
}

/** Literal search in stored JSON. Under the collation "C" only ASCII letters have a lower case. */
function containsText(part: string): FindOperator<Record<string, unknown>> {
  return Raw((column) => `position(lower(:part::text collate "C") in lower(${column} collate "C")) > 0`, {
    part: jsonFragment(part),
  });
}

function newest(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
  select: FindOptionsSelect<ApprovalRow>,
): Promise<ApprovalRow[]> {
  return database.repository(database.entities.approval, (rows) =>
    rows.find({ ...newestFirst(where, page), select }),
  );
}

function voted(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
  select?: FindOptionsSelect<ApprovalRow>,
): Promise<(ApprovalRow & Pick<Approval, 'votes'>)[]> {
  return database.repository(database.entities.approval, async (rows) => {
    const found = await rows.find({ ...newestFirst(where, page), ...(select !== undefined && { select }) });
    return allWithVotes(database, rows.manager, found);
  });
}

/** One row more than the page, which shows whether another page follows. */
function newestFirst(
  where: ApprovalWhere,
  { cursor, after, limit }: PageRequest,
): FindManyOptions<ApprovalRow> {
  const bounds: ApprovalWhere[] = [
    ...(cursor === undefined ? [] : [{ id: LessThan(cursor) }]),
    ...(after === undefined ? [] : [{ id: MoreThan(after) }]),
  ];
  const ids = [where, ...bounds].flatMap(({ id }) => (id === undefined ? [] : (id as FindOperator<number>)));
  return {
    where: { ...where, ...(ids.length > 0 && { id: And(...ids) }) },
    order: { id: 'DESC' },
    take: limit + 1,
  };
}

/** The columns of a list. Arguments and results are omitted, because they may be large. */
const SUMMARY = {
  id: true,
  auditId: true,
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
  requirement: true,
  supersedes: true,
  supersededBy: true,
  firstId: true,
  editors: true,
  editReason: true,
  voteCount: true,
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
} as const satisfies Readonly<Record<keyof Omit<ApprovalSummary, 'votes'>, true>>;
