import type { Approval } from '#contracts/approvals/approvals.js';
import { digestOf } from '../../json/plain-json.js';
import { ApprovalMacs } from './approval-keys.js';

/**
 * Returns a check that lists what differs in a stored approval. Without the secret (`hitl.token_secret`) only the
 * digest of the arguments is compared. An erased call keeps the MACs of its decision and its votes.
 */
export function brokenSeals(secret: string | null): (approval: Approval) => readonly string[] {
  const macs = secret === null ? null : new ApprovalMacs(secret);
  return (approval) => {
    const isErased = approval.arguments === null && approval.argumentsDigest === '';
    const isCallIntact = macs === null || isErased || macs.isCallOf(approval);
    return [
      ...(isErased || hasItsDigest(approval) ? [] : ['its arguments do not match their digest']),
      ...(isCallIntact ? [] : [`its call ${CHANGED}`]),
      ...(macs === null ? [] : brokenDecisions(approval, macs)),
    ];
  };
}

const CHANGED =
  'does not match its keyed digest: it was changed, or sealed with another hitl.token_secret than the given one';

function brokenDecisions(approval: Approval, macs: ApprovalMacs): readonly string[] {
  const broken = approval.votes.filter((vote) => !macs.isVoteOf(approval, vote));
  return [
    ...(isDecisionIntact(approval, macs) ? [] : [`its decision ${CHANGED}`]),
    ...broken.map(({ id, actorId }) => `vote ${id} of ${JSON.stringify(actorId)} ${CHANGED}`),
  ];
}

/** Without the secret a call can still be rejected; the decision is then not sealed. */
function isDecisionIntact(approval: Approval, macs: ApprovalMacs): boolean {
  const { decision, decisionMac } = approval;
  if (decision === null) return decisionMac === null;
  return (decision === 'rejected' && decisionMac === '') || macs.isDecisionOf(approval);
}

/** Changed arguments may have no canonical form. */
function hasItsDigest({ arguments: args, argumentsDigest }: Approval): boolean {
  try {
    return args !== null && digestOf(args) === argumentsDigest;
  } catch {
    return false;
  }
}
