import assert from 'node:assert/strict';
import type { Approval, NewApproval, RunEnd, RunResult } from '#contracts/approvals/approvals.js';
import type {
  ClaimCommand,
  DecideCommand,
  NewVote,
  ResolveCommand,
} from '#contracts/stores/approvals.store.js';
import type { Decision } from '#contracts/audit/record.js';
import { approvalEvidence, newApproval } from './builders.js';
import { type BackendFixture, entriesOf } from './backend-fixture.js';

/** Requests a call. */
export async function park(fixture: BackendFixture, parts: Partial<NewApproval> = {}): Promise<Approval> {
  const parked = await fixture.backend.approvals.park(newApproval(parts), approvalEvidence, 1000);
  assert.ok(parked?.created === true, 'the call is pending');
  return parked.approval;
}

/** Requests and approves a call. */
export async function parkApproved(
  fixture: BackendFixture,
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  const { tokenHash } = await park(fixture, parts);
  const decided = await fixture.backend.approvals.decide(tokenHash, command());
  assert.ok(decided.kind === 'decided', 'the call is approved');
  return decided.approval;
}

/** Longer than any test case. */
export const LEASE_MS = 60_000;

/** Requests, approves and claims a call; a lease of 0 expires immediately. */
export async function parkClaimed(
  fixture: BackendFixture,
  leaseMs = LEASE_MS,
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  const { id } = await parkApproved(fixture, parts);
  const claimed = await fixture.backend.approvals.claim(id, claiming({ leaseMs }));
  assert.ok(claimed !== null, 'the call is claimed');
  return claimed;
}

/** A claim without an objection. */
export function claiming(parts: Partial<ClaimCommand> = {}): ClaimCommand {
  return { leaseMs: LEASE_MS, withinMs: 3_600_000, objection: () => null, ...parts };
}

export function command(parts: Partial<DecideCommand> = {}): DecideCommand {
  const actorId = 'ops-1';
  return {
    verdict: 'approved',
    actorId,
    reason: null,
    decisionMac: 'sealed',
    evidence: approvalEvidence,
    ...parts,
  };
}

export const TWO_APPROVERS = {
  requirement: { rule: 1, approvers: 2, group: 'finance', isReasonRequired: true },
} as const satisfies Partial<NewApproval>;

/** An approval that is one of several. Default: not the last one. */
export function voting({
  afterCount,
  isLast = false,
  voided = [],
  ...parts
}: Partial<DecideCommand> & Pick<NewVote, 'afterCount'> & Partial<NewVote>): DecideCommand {
  return command({ ...parts, vote: { voteMac: 'sealed vote', afterCount, isLast, voided } });
}

export const NOTHING: RunResult = { result: null, error: null };

/** Requests a call and ends it with this status. */
export async function parkFinished(
  fixture: BackendFixture,
  end: RunEnd | 'superseded',
  parts: Partial<NewApproval> = {},
): Promise<Approval> {
  const { approvals } = fixture.backend;
  const { id, fence } =
    end === 'superseded' ? await parkApproved(fixture, parts) : await parkClaimed(fixture, LEASE_MS, parts);
  const finished =
    end === 'superseded'
      ? await approvals.supersede(id, NOTHING, approvalEvidence)
      : await approvals.finish(id, fence, end, NOTHING, approvalEvidence);
  assert.ok(finished !== null, `the run is ${end}`);
  return finished;
}

export function resolution(parts: Partial<ResolveCommand> = {}): ResolveCommand {
  const actorId = 'ops-2';
  const reason = 'confirmed by the bank';
  return { resolution: 'executed', actorId, reason, evidence: approvalEvidence, ...parts };
}

/** The previews of the approvals' evidence, oldest first. */
export async function evidenceTexts(fixture: BackendFixture): Promise<(string | null)[]> {
  const entries = await entriesOf((page) => fixture.backend.audit.list({ control: 'hitl' }, page));
  return entries.map((entry) => entry.prompt_preview).toReversed();
}

/** An evidence builder that throws. */
export function noEvidence(): Decision {
  throw new Error('no evidence');
}
