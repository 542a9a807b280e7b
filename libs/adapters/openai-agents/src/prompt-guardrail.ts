import type { InputGuardrail } from '@openai/agents-core';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#adapters/shared/guarded-call.js';

export interface PromptGuardrailOptions {
  /** Prompts with images, audio or files. Default `record`. */
  readonly notText?: NotText;
}

type Input = Parameters<InputGuardrail['execute']>[0]['input'];

const NOT_TEXT = 'The message was refused because it contains parts that are not text.';

/**
 * An input guardrail that screens the new messages of the user before the model runs. For a blocked one the run throws
 * `InputGuardrailTripwireTriggered`, whose `result.output.outputInfo.message` is text for the user.
 */
export function promptGuardrail(
  guardrails: Guardrails,
  context: OutputContext,
  { notText = 'record' }: PromptGuardrailOptions = {},
): InputGuardrail {
  return {
    name: 'nest-guardrails',
    runInParallel: false,
    execute: async ({ input }) => {
      for (const { text, isText } of newParts(input)) {
        const { blocked, refusalMessage, ruleId } = await guardrails.screen(text, context);
        const isRefused = !isText && notText === 'refuse';
        if (!blocked && !isRefused) continue;
        const message = isRefused ? NOT_TEXT : (refusalMessage ?? 'The message was refused.');
        return { tripwireTriggered: true, outputInfo: { message, ruleId } };
      }
      return { tripwireTriggered: false, outputInfo: null };
    },
  };
}

/** The parts that the user added since the last answer. Earlier ones were screened when they were new. */
function newParts(input: Input): { readonly text: string; readonly isText: boolean }[] {
  if (typeof input === 'string') return [{ text: input, isText: true }];
  const answered = input.findLastIndex((item) => 'role' in item && item.role === 'assistant');
  return input.slice(answered + 1).flatMap((item) => {
    if (!('role' in item) || item.role !== 'user') return [];
    if (typeof item.content === 'string') return [{ text: item.content, isText: true }];
    return item.content.map((part) =>
      part.type === 'input_text'
        ? { text: part.text, isText: true }
        : { text: `[not screened: ${part.type}]`, isText: false },
    );
  });
}
