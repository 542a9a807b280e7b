import type { InputGuardrail } from '@openai/agents-core';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#adapters/shared/guarded-call.js';
import { screenedPrompt, type PromptPart } from '#adapters/shared/prompt-screening.js';

/** The options of `promptGuardrail`. */
export interface PromptGuardrailOptions {
  /** Prompts with images, audio or files. Default `record`. */
  readonly notText?: NotText;
}

type Input = Parameters<InputGuardrail['execute']>[0]['input'];

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
      const outputInfo = await screenedPrompt(guardrails, newParts(input), context, notText);
      return { tripwireTriggered: outputInfo !== null, outputInfo };
    },
  };
}

/** The parts that the user added since the last answer. Earlier ones were screened when they were new. */
function newParts(input: Input): PromptPart[] {
  if (typeof input === 'string') return [{ text: input }];
  const answered = input.findLastIndex((item) => 'role' in item && item.role === 'assistant');
  return input.slice(answered + 1).flatMap((item): PromptPart[] => {
    if (!('role' in item) || item.role !== 'user') return [];
    if (typeof item.content === 'string') return [{ text: item.content }];
    return item.content.map((part) =>
      part.type === 'input_text' ? { text: part.text } : { notText: part.type },
    );
  });
}
