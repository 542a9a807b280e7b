import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Approval, ApprovalVerdict, NewApproval } from '../../../contracts/src/approvals.js';

/** All that an approver says yes to, and all that decides what becomes of it. */
type Sealed = Omit<NewApproval, 'seal' | 'sealedToken' | 'arguments' | 'requestId' | 'ttlMs'>;

/**
 * Binds what was parked, and what was decided, to a key that the database does not hold: a row that was changed or
 * forged there runs nothing.
 */
export class ApprovalSeals {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('nest-guardrails/approval-seal/v1').digest();
  }

  ofCall(call: Sealed): string {
    return this.seal('call', [
      call.reference,
      call.tokenHash,
      call.runId,
      call.stepName,
      call.tool,
      call.toolFingerprint,
      call.argumentsDigest,
      call.reversible,
      call.idempotent,
      call.principalId,
      call.application,
      call.policyRevision,
      call.warnings,
    ]);
  }

  ofDecision(reference: string, verdict: ApprovalVerdict, actorId: string): string {
    return this.seal('decision', [reference, verdict, actorId]);
  }

  /** Parked here, and unchanged since. */
  isCallOf(approval: Approval): boolean {
    return isSame(this.ofCall(approval), approval.seal);
  }

  /** Approved here, by whom it says. */
  isApprovalOf({ reference, decision, decidedBy, decisionSeal }: Approval): boolean {
    if (decision !== 'approved' || decidedBy === null || decisionSeal === null) return false;
    return isSame(this.ofDecision(reference, decision, decidedBy), decisionSeal);
  }

  private seal(kind: string, parts: readonly unknown[]): string {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([kind, ...parts]))
      .digest('base64url');
  }
}

function isSame(expected: string, kept: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(kept)];
  return one.length === other.length && timingSafeEqual(one, other);
}
