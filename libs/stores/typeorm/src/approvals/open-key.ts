import { createHash } from 'node:crypto';
import type { NewApproval } from '../../../../contracts/src/approvals.js';
import { scrubText } from '../../../../contracts/src/text.js';

/** The same for the same call of the same run; `null` for a call of no run, which is always one of its own. */
export function openKeyOf(call: NewApproval): string | null {
  if (call.runId === null) return null;
  const parts = [call.runId, call.stepName, call.tool, call.argumentsDigest].map(scrubText);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
