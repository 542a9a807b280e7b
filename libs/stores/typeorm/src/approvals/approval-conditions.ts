import { In, IsNull, Raw, type FindOperator } from 'typeorm';
import { type ApprovalStatus, OUTCOME_STATUSES } from '../../../../contracts/src/approvals.js';
import type { StuckKind } from '../../../../contracts/src/approvals.store.js';
import { scrubText } from '../../../../contracts/src/text.js';
import type { Dialect } from '../dialects/dialect.js';
import type { ApprovalRow } from './approvals.entities.js';
import type { ApprovalWhere } from './transition.js';

/** No outcome is told any more after this long. */
const LONGEST_TOLD_MS = 7 * 24 * 3_600_000;

/** Waits for a decision, and by the database's clock there is still time for one. */
export function pendingNow({ now }: Dialect): ApprovalWhere {
  return { status: 'pending', expiresAt: Raw((column) => `${column} > ${now}`) };
}

/** The condition that a column is this text, found by the index over its head. */
export function isText<Name extends keyof ApprovalRow>(
  dialect: Dialect,
  name: Name,
  text: string,
): Readonly<Record<Name, FindOperator<string>>> {
  // Parameters of one statement share their names.
  const value = Raw<string>((column) => dialect.isText(column, `:${name}Text`, text), {
    [`${name}Text`]: scrubText(text),
  });
  return { [name]: value } as Record<Name, FindOperator<string>>;
}

export function stuck(dialect: Dialect, kind: StuckKind, forMs = 0): ApprovalWhere {
  switch (kind) {
    case 'overdue':
      return { status: 'pending', expiresAt: past(dialect, forMs) };
    case 'unrun':
      return { status: 'approved', decidedAt: past(dialect, forMs) };
    case 'lost':
      return { status: 'executing', leaseUntil: past(dialect, forMs) };
    default:
      return kind satisfies never;
  }
}

/** Approved no longer ago than this, and nobody runs it. */
export function unrunWithin(dialect: Dialect, withinMs: number): ApprovalWhere {
  return { status: 'approved', decidedAt: Raw((column) => `${column} > ${ago(dialect, withinMs)}`) };
}

export function settled(ids: readonly number[]): ApprovalWhere {
  return { id: In([...ids]), status: In<ApprovalStatus>([...OUTCOME_STATUSES]) };
}

/** Its outcome stood for so long, nobody was told of it, and nobody is just telling. */
export function untold(dialect: Dialect, graceMs: number): readonly ApprovalWhere[] {
  const standing = {
    toldAt: IsNull(),
    finishedAt: Raw(
      (column) => `${column} <= ${ago(dialect, graceMs)} and ${column} >= ${ago(dialect, LONGEST_TOLD_MS)}`,
    ),
  };
  return [
    { ...standing, tellingUntil: IsNull() },
    { ...standing, tellingUntil: past(dialect) },
  ];
}

function past(dialect: Dialect, forMs = 0): FindOperator<Date> {
  return Raw((column) => `${column} <= ${ago(dialect, forMs)}`);
}

function ago(dialect: Dialect, milliseconds: number): string {
  return dialect.fromNow(String(-Math.trunc(milliseconds)));
}
