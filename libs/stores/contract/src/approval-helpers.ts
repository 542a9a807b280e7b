import assert from 'node:assert/strict';
import type { Approval, NewApproval, RunEnd, RunResult } from '#contracts/approvals/approvals.js';
import type {
  ApprovalChange,
  ApprovalCommand,
  BuildEvidence,
  DecideCommand,
  NewVote,
} from '#contracts/stores/approvals.store.js';
import type { Decision } from '#contracts/audit/record.js';
import { approvalEvidence, newApproval } from './builders.js';
import type { BackendFixture } from './backend-fixture.js';

/** Longer than any test case. */
export const LEASE_MS = 60_000;

export const NOTHING: RunResult = { result: null, error: null };

export const TWO_APPROVERS = {
  requirement: { rule: 1, approvers: 2, group: 'finance', isReasonRequired: true },
} as const satisfies Partial<NewApproval>;

type Kind<Name> = Extract<ApprovalCommand, { readonly kind: Name }>;
type Parts<Name> = Partial<Kind<Name>>;

/** A decision of one approver. Default: approved. */
export function command(parts: Partial<DecideCommand> = {}): DecideCommand {
  return {
    kind: 'decide',
    verdict: 'approved',
    actorId: 'ops-1',
    reason: null,
    decisionMac: 'sealed',
    ...parts,
  };
}

/** An approval that is one of several. Default: not the last one. */
export function voting({
  afterCount,
  isLast = false,
  voided = [],
  ...parts
}: Partial<DecideCommand> & Pick<NewVote, 'afterCount'> & Partial<NewVote>): DecideCommand {
  return command({ ...parts, vote: { voteMac: 'sealed vote', afterCount, isLast, voided } });
}

export function claiming(parts: Parts<'claim'> = {}): Kind<'claim'> {
  return { kind: 'claim', leaseMs: LEASE_MS, withinMs: 3_600_000, isUnchanged: () => true, ...parts };
}

export function finishing(end: RunEnd, result = NOTHING, fence = 1): Kind<'finish'> {
  return { kind: 'finish', fence, end, result };
}

export function superseding(result = NOTHING): Kind<'supersede'> {
  return { kind: 'supersede', result };
}

export function resolution(parts: Parts<'resolve'> = {}): Kind<'resolve'> {
  const reason = 'confirmed by the bank';
  return { kind: 'resolve', resolution: 'executed', actorId: 'ops-2', reason, ...parts };
}

/** Performs a command on the first instance. */
export function change(
  { approvals }: Pick<BackendFixture, 'approvals'>,
  { id }: Pick<Approval, 'id'>,
  performed: ApprovalCommand,
  evidence: BuildEvidence = approvalEvidence,
): Promise<ApprovalChange | null> {
  return approvals.change(id, performed, evidence);
}

/** Performs a command that is possible, and returns the changed approval. */
export async function changed(...given: Parameters<typeof change>): Promise<Approval> {
  const done = await change(...given);
  assert.equal(done?.kind, 'changed', `${given[2].kind} is possible`);
  return done.approval;
}

/** Requests a call. */
export async function park(fixture: BackendFixture, parts: Partial<NewApproval> = {}): Promise<Approval> {
  const parked = await fixture.approvals.park(newApproval(parts), approvalEvidence, 1000);
  assert.ok(parked?.created === true, 'the call is pending');
  return parked.approval;
}

/** Requests and approves a call. */
export async function parkApproved(
  fixture: BackendFixture,
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  return changed(fixture, await park(fixture, parts), command());
}

/** Requests, approves and claims a call; a lease of 0 expires immediately. */
export async function parkClaimed(
  fixture: BackendFixture,
  leaseMs = LEASE_MS,
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  return changed(fixture, await parkApproved(fixture, parts), claiming({ leaseMs }));
}

/** Requests a call and ends it with this status. */
export async function parkFinished(
  fixture: BackendFixture,
  end: RunEnd | 'superseded',
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  return end === 'superseded'
    ? changed(fixture, await parkApproved(fixture, parts), superseding())
    : changed(fixture, await parkClaimed(fixture, LEASE_MS, parts), finishing(end));
}

/** The previews of the approvals' evidence, oldest first. */
export async function evidenceTexts(fixture: BackendFixture): Promise<(string | null)[]> {
  const entries = await fixture.entries({ control: 'hitl' });
  return entries.map((entry) => entry.prompt_preview).toReversed();
}

/** An evidence builder that throws. */
export function noEvidence(): Decision {
  throw new Error('no evidence');
}
