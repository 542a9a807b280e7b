import assert from 'node:assert/strict';
import type { Approval, DecideCommand, NewApproval } from '../../../contracts/src/approvals.js';
import type { Decision } from '../../../contracts/src/audit.js';
import { approvalEvidence, newApproval } from './builders.js';
import type { Stage } from './harness.js';
import { entriesOf } from './reading.js';

/** Parks a call that nothing refuses. */
export async function park(stage: Stage, parts: Partial<NewApproval> = {}): Promise<Approval> {
  const parked = await stage.backend.approvals.park(newApproval(parts), approvalEvidence, 1000);
  assert.ok(parked?.created === true, 'the call is parked');
  return parked.approval;
}

/** Parks a call and has it approved. */
export async function parkApproved(stage: Stage): Promise<Approval> {
  const { tokenHash } = await park(stage);
  const decided = await stage.backend.approvals.decide(tokenHash, command());
  assert.ok(decided.kind === 'decided', 'the call is approved');
  return decided.approval;
}

/** Parks a call, has it approved, and claims it for its run. */
export async function parkClaimed(stage: Stage): Promise<Approval> {
  const { id } = await parkApproved(stage);
  const claimed = await stage.backend.approvals.claim(id);
  assert.ok(claimed !== null, 'the call is claimed');
  return claimed;
}

export function command(parts: Partial<DecideCommand> = {}): DecideCommand {
  return { verdict: 'approved', actor: { id: 'ops-1' }, reason: null, evidence: approvalEvidence, ...parts };
}

/** What the evidence of approvals says, oldest first. */
export async function evidenceTexts(stage: Stage): Promise<(string | null)[]> {
  const entries = await entriesOf((page) => stage.backend.audit.list({ control: 'hitl' }, page));
  return entries.map((entry) => entry.promptPreview).toReversed();
}

/** Evidence that cannot be built. */
export function noEvidence(): Decision {
  throw new Error('no evidence');
}
