import type { EntityManager } from 'typeorm';
import type { Approval } from '../../../../contracts/src/approvals.js';
import type { ClaimCommand } from '../../../../contracts/src/approvals.store.js';
import type { Database } from '../database.js';
import { unrunWithin } from './approval-conditions.js';
import { ended, executing } from './approval-steps.js';
import { transition } from './transition.js';

/** Within a transaction: grants the run, unless what is there now is not what was approved. */
export async function claimCall(
  database: Database,
  manager: EntityManager,
  id: number,
  { leaseMs, withinMs, objection }: ClaimCommand,
): Promise<Approval | null> {
  const { dialect } = database;
  const from = { id, ...unrunWithin(dialect, withinMs) };
  const claimed = await transition(database, manager, from, executing(dialect, leaseMs));
  const evidence = claimed === null ? null : objection(claimed);
  if (claimed === null || evidence === null) return claimed;
  // Nobody saw it executing: all of this commits at once.
  const superseded = { ...ended(dialect, 'superseded'), fence: claimed.fence - 1 };
  return transition(database, manager, { id }, superseded, () => evidence);
}
