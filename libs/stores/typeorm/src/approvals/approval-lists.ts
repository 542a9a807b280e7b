// The candidates of lists and of recovery, chosen by an index. A candidate changes only if `next` of the engine allows it.
import {
  And,
  Between,
  IsNull,
  LessThan,
  MoreThan,
  Not,
  Raw,
  type FindManyOptions,
  type FindOperator,
  type FindOptionsSelect,
  type FindOptionsWhere,
  type Repository,
} from 'typeorm';
import {
  isInSummary,
  RISK_NAMES,
  type Approval,
  type ApprovalId,
  type ApprovalSummary,
} from '#contracts/approvals/approvals.js';
import type {
  ApprovalFilter,
  CallFilter,
  ReminderKind,
  StuckKind,
} from '#contracts/stores/approvals.store.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { jsonFragment, scrubText } from '#contracts/common/text.js';
import { NOTIFIED_WITHIN_MS } from '#engine/controls/approvals/life-cycle.js';
import type { Database } from '../database/database.js';
import { clampTime, NOW } from '../database/sql.js';
import { fitsIndex, isIndexed, pageOf } from '../database/list-filters.js';
import type { ApprovalColumns } from '../database/approval.entity.js';
import { allWithVotes, historyOf } from './approval-rows.js';

export type ApprovalWhere = FindOptionsWhere<ApprovalColumns>;

export const later = (milliseconds: number): string =>
  `${NOW.text} + ${Math.trunc(milliseconds)} * interval '1 millisecond'`;

const isPast = (forMs = 0): FindOperator<Date> => Raw((column) => `${column} <= ${later(-forMs)}`);

/** Repeats the condition of the partial index, so that the index is used. */
export function equals<Name extends keyof ApprovalColumns>(
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

/** The condition of the index of approved calls. */
export const WHERE_APPROVED: ApprovalWhere = {
  decision: Raw((column) => `${column} = 'approved'`),
  arguments: Raw((column) => `${column} is not null`),
};

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
        decidedIn: Raw(
          (column) => `${column} is distinct from ${historyOf('xmin')} and arguments is not null`,
        ),
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

/** Final for at least `graceMs`, not notified, and not leased by an instance that notifies. */
export function whereToNotify(graceMs: number): ApprovalWhere[] {
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

export async function approvalPage(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
): Promise<Page<Approval>> {
  return pageOf(await voted(database, where, page), page);
}

/** In JSON every quotation mark of a text is escaped, so that no sentence contains the name of a risk like this. */
const HAS_RISK = RISK_NAMES.toReversed().map((name) => `sign(position('"name":"${name}"' in row.risk))`);

/** `riskWeight` of the engine. */
const RISK_WEIGHT = `greatest(${HAS_RISK.map((has, place) => `${has} * ${place + 1}`).join(', ')}) * 10 + ${HAS_RISK.join(' + ')}`;

export function riskiest(
  database: Database,
  where: ApprovalWhere,
  { limit }: PageRequest,
): Promise<Page<Approval>> {
  return database.repository(database.entities.approval, async (rows) => {
    const query = rows.createQueryBuilder('row').where(where).take(limit);
    query.orderBy(RISK_WEIGHT, 'DESC').addOrderBy('row.expires_at').addOrderBy('row.id');
    const entries = await allWithVotes(database, rows.manager, await query.getMany());
    return { entries, next_cursor: null };
  });
}

/** Reads ids only, so an unreadable row cannot hide the others. */
export async function approvalIds(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
): Promise<Page<ApprovalId>> {
  const rows = await database.repository(database.entities.approval, (approvals) =>
    approvals.find({ ...newestFirst(where, page), select: { id: true } }),
  );
  return pageOf(rows, page);
}

export async function approvalHistory(
  database: Database,
  { status, actor, ...call }: ApprovalFilter,
  page: PageRequest,
): Promise<Page<ApprovalSummary>> {
  const where: ApprovalWhere = { status: status ?? Not('pending' as const), ...callsOf(call) };
  if (actor === undefined) return pageOf(await voted(database, where, page, summarized), page);
  // Each index has a read of its own, because an "or" would read more than the page.
  const found = new Map<number, ApprovalSummary>();
  const actions = [equals('decidedBy', actor), equals('resolvedBy', actor), votedBy(database, actor)];
  for (const action of actions)
    for (const row of await voted(database, { ...where, ...action }, page, summarized))
      found.set(row.id, row);
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

function voted(
  database: Database,
  where: ApprovalWhere,
  page: PageRequest,
  columns: (rows: Repository<ApprovalColumns>) => FindOptionsSelect<ApprovalColumns> = selected,
): Promise<(ApprovalColumns & Pick<Approval, 'votes'>)[]> {
  return database.repository(database.entities.approval, async (rows) => {
    const found = await rows.find({ ...newestFirst(where, page), select: columns(rows) });
    return allWithVotes(database, rows.manager, found);
  });
}

/** The columns of the entity that reads return. */
function selected({ metadata }: Repository<ApprovalColumns>): FindOptionsSelect<ApprovalColumns> {
  const columns = metadata.columns.filter(({ isSelect }) => isSelect);
  return Object.fromEntries(columns.map(({ propertyName }) => [propertyName, true]));
}

function summarized(rows: Repository<ApprovalColumns>): FindOptionsSelect<ApprovalColumns> {
  return Object.fromEntries(Object.entries(selected(rows)).filter(([name]) => isInSummary(name)));
}

/** One row more than the page, which shows whether another page follows. */
function newestFirst(
  where: ApprovalWhere,
  { cursor, after, limit }: PageRequest,
): FindManyOptions<ApprovalColumns> {
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
