import { GuardrailsError } from '#contracts/common/errors.js';
import type { ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { isOutcomeOf, resumedText, outcomeWithin } from '#adapters/shared/guarded-call.js';
import { PARKED, type McpResult } from './mcp-results.js';

/** The definition of the tool with which a client gets the outcome of its pending call. */
export const OUTCOME_TOOL = {
  description: 'Returns the outcome of a call that waited for approval.',
  inputSchema: {
    type: 'object',
    properties: { approvalId: { type: 'integer' } },
    required: ['approvalId'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** The model does not see `_meta`, so the text of a pending call contains how to ask for its outcome. */
export function withWayToOutcome(result: McpResult, outcomeTool: string): McpResult {
  const { approvalId } = (result._meta?.[PARKED] ?? {}) as { readonly approvalId?: number };
  if (approvalId === undefined) return result;
  const text = `Ask for the outcome with ${outcomeTool}, approvalId ${approvalId}.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}

export async function outcomeResult(
  guardrails: Guardrails,
  approvalId: unknown,
  context: ToolContext,
): Promise<McpResult> {
  const isId = Number.isSafeInteger(approvalId) && (approvalId as number) > 0;
  if (!isId) return errorResult('`approvalId` must be the number that the pending call returned.');
  try {
    const outcome = await outcomeWithin(guardrails, approvalId as number);
    if (outcome === null) return textResult('There is no outcome yet. Ask again later.');
    if (!isOutcomeOf(context, outcome)) return errorResult('There is no such call.');
    const text = await resumedText(guardrails, outcome, context);
    return outcome.status === 'executed' ? textResult(text) : errorResult(text);
  } catch (error) {
    if (error instanceof GuardrailsError && error.code === 'not_found')
      return errorResult('There is no such call.');
    throw error;
  }
}

function textResult(text: string): McpResult {
  return { content: [{ type: 'text', text }] };
}

function errorResult(text: string): McpResult {
  return { ...textResult(text), isError: true };
}
