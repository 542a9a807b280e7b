import type { EntityManager } from 'typeorm';
import type { DecideCommand, DecideResult } from '../../../../contracts/src/approvals.store.js';
import { GuardrailsError } from '../../../../contracts/src/errors.js';
import type { Database } from '../database.js';
import { pendingNow, stuck } from './approval-conditions.js';
import { decided, expired } from './approval-steps.js';
import { approvalRows, transition } from './transition.js';

/** Within a transaction: decides, or moves what is too late to decide, or says what was decided before. */
export async function decideCall(
  database: Database,
  manager: EntityManager,
  tokenHash: string,
  { evidence, ...command }: DecideCommand,
): Promise<DecideResult> {
  const { dialect } = database;
  const inTime = { tokenHash, ...pendingNow(dialect) };
  const won = await transition(database, manager, inTime, decided(dialect, command), evidence);
  if (won !== null) return { kind: 'decided', approval: won };

  const tooLate = { tokenHash, ...stuck(dialect, 'overdue') };
  const moved = await transition(database, manager, tooLate, expired(dialect), evidence);
  if (moved !== null) return { kind: 'expired', approval: moved, moved: true };

  const approval = await approvalRows(database, manager).findOneBy({ tokenHash });
  if (approval === null) return { kind: 'unknown' };
  // Neither in time nor too late: the database's clock was set back in between.
  if (approval.status === 'pending')
    throw GuardrailsError.storeUnavailable(new Error('The clock went back.'));
  return approval.status === 'expired'
    ? { kind: 'expired', approval, moved: false }
    : { kind: 'already_decided', approval };
}
