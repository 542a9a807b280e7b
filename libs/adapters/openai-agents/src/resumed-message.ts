import type { AgentInputItem } from '@openai/agents-core';
import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { resumedText } from '#adapters/shared/guarded-call.js';

/** The item with which the conversation continues after a parked call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<AgentInputItem & { readonly role: 'user'; readonly content: string }> {
  return { type: 'message', role: 'user', content: await resumedText(guardrails, outcome, context) };
}
