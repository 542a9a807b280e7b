import type { ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { resumedText } from '#adapters/shared/guarded-call.js';

/** The message with which the conversation continues after a parked call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<UserModelMessage> {
  return { role: 'user', content: await resumedText(guardrails, outcome, context) };
}

type Response = Extract<ToolModelMessage['content'][number], { type: 'tool-approval-response' }>;

/**
 * The message that continues after parked calls were decided: a response to each open `tool-approval-request` of the
 * conversation. It only lets the SDK execute the calls; what they return is the outcome of their approvals. `null`: no
 * request is open.
 */
export function approvalResponses(messages: readonly ModelMessage[]): ToolModelMessage | null {
  const open = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-approval-request') open.add(part.approvalId);
      if (part.type === 'tool-approval-response') open.delete(part.approvalId);
    }
  }
  if (open.size === 0) return null;
  const content = [...open].map((approvalId): Response => ({
    type: 'tool-approval-response',
    approvalId,
    approved: true,
  }));
  return { role: 'tool', content };
}
