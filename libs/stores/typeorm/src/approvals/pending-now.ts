import { Raw } from 'typeorm';
import type { Dialect } from '../dialects/dialect.js';
import type { ApprovalWhere } from './transition.js';

/** Waits for a decision, and by the database's clock there is still time for one. */
export function pendingNow({ now }: Dialect): ApprovalWhere {
  return { status: 'pending', expiresAt: Raw((column) => `${column} > ${now}`) };
}

export function pendingTooLong({ now }: Dialect): ApprovalWhere {
  return { status: 'pending', expiresAt: Raw((column) => `${column} <= ${now}`) };
}
