import type { PendingApproval } from '#client/index.js';
import type { OpenApproval } from '../../data/open-approval.js';
import { client } from '../../data/session.js';

export type Approval = OpenApproval['approval'];

/** All pending calls; those that expire first come first. */
export async function loadQueue(signal: AbortSignal): Promise<readonly PendingApproval[]> {
  const found: PendingApproval[] = [];
  for await (const { pending } of client.pages('approvals.index', { query: { limit: 200 }, signal }))
    found.push(...pending);
  return found.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}
