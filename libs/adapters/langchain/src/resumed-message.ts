import type { HumanMessage } from '@langchain/core/messages';
import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { resumedText } from '#adapters/shared/guarded-call.js';
import { loadLangChain } from './load-langchain.js';

/** The message with which the conversation continues after a parked call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<HumanMessage> {
  const { HumanMessage } = await loadLangChain();
  return new HumanMessage(await resumedText(guardrails, outcome, context));
}
