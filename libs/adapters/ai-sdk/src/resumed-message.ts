import type { UserModelMessage } from 'ai';
import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';

/** The message with which the conversation continues after a parked call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<UserModelMessage> {
  const result = outcome.status === 'executed' ? `\n${JSON.stringify(outcome.result) ?? ''}` : '';
  const content = `${outcome.tool}: ${outcome.message}${result}`;
  const verdict = await guardrails.screen(content, { ...context, origin: 'tool_result' });
  if (!verdict.blocked) return { role: 'user', content };
  return { role: 'user', content: `${outcome.tool}: ${verdict.refusalMessage ?? 'The result was blocked.'}` };
}
