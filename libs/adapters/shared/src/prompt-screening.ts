import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from './guarded-call.js';

/** A part of a message of the user. */
export type PromptPart = { readonly text: string } | { readonly notText: string };

/** Why a message is refused. `message` is text for the user; `ruleId` is `null` where no rule decided. */
export interface PromptRefusal {
  readonly message: string;
  readonly ruleId: string | null;
}

/** Screens the parts of a prompt until one is refused. Parts that are not text are recorded as not screened. */
export async function screenedPrompt(
  guardrails: Guardrails,
  parts: readonly PromptPart[],
  context: OutputContext,
  notText: NotText,
): Promise<PromptRefusal | null> {
  for (const part of parts) {
    const isText = 'text' in part;
    const text = isText ? part.text : `[not screened: ${part.notText}]`;
    const { blocked, refusalMessage, ruleId } = await guardrails.screen(text, context);
    if (!isText && notText === 'refuse') return { message: NOT_TEXT, ruleId: null };
    if (blocked) return { message: refusalMessage ?? 'The message was refused.', ruleId };
  }
  return null;
}

const NOT_TEXT = 'The message was refused because it contains parts that are not text.';
