import type { Approval, NewApproval } from '../../../contracts/src/approvals.js';
import type { BuildEvidence } from '../../../contracts/src/approvals.store.js';
import { isCrowded, isSameCall, parked, shown } from './approval-steps.js';
import { copyOf } from './copy.js';
import type { MemoryTables } from './memory-tables.js';

export type Parked = { readonly approval: Approval; readonly created: boolean } | null;

/** Answers the twin that is there already, refuses one too many, or parks the call. */
export function parkCall(
  tables: MemoryTables,
  call: NewApproval,
  evidence: BuildEvidence,
  maxOpen: number,
  now: Date,
): Parked {
  const approval = parked(copyOf(call), tables.approvals.nextId, now);
  const others = [...tables.approvals];
  const twin = others.find((other) => isSameCall(other, approval, now));
  if (twin !== undefined) return { approval: copyOf(shown(twin)), created: false };
  if (isCrowded(others, approval, maxOpen, now)) return null;
  const decision = copyOf(evidence(copyOf(shown(approval))));
  tables.approvals.insert(approval);
  tables.write(decision);
  return { approval: copyOf(shown(approval)), created: true };
}
