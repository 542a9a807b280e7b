import { createHash } from 'node:crypto';
import type { NewApproval } from '../../../../contracts/src/approvals.js';
import { scrubText } from '../../../../contracts/src/text.js';

/**
 * The same for the same call of the same run, for the same requester: two tenants may call their runs alike. `null` for
 * a call of no run, which is always one of its own.
 */
export function openKeyOf(call: NewApproval): string | null {
  if (call.runId === null) return null;
  const { runId, stepName, tool, argumentsDigest, principalId, application } = call;
  const parts = [runId, stepName, tool, argumentsDigest, principalId, application];
  return sha256(JSON.stringify(parts.map((part) => part && scrubText(part))));
}

/** The places that a principal has for calls that wait. */
export function openSlotsOf(principalId: string, count: number): readonly string[] {
  const owner = sha256(scrubText(principalId));
  return Array.from({ length: count }, (_, index) => `${owner}#${index + 1}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
