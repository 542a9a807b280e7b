import type { InputGuardrail } from '@openai/agents-core';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#contracts/firewall/firewall.js';
import { afterHandOff } from './guarded-tools.js';
import { readParts } from '#engine/tools/read-parts.js';
import {
  newParts,
  type PromptRefusal,
  refusedResult,
  screenedPrompt,
} from '#adapters/shared/prompt-screening.js';

/** The options of `promptGuardrail`. */
export interface PromptGuardrailOptions {
  /** Prompts, and results of tools, with images, audio or files. Default `record`. */
  readonly notText?: NotText;
  /**
   * What the user typed, where new messages of the user hold more than that, such as retrieved text. Nothing else of them
   * vouches for arguments of calls. Default: each new text of the user, without what was quoted, forwarded or pasted.
   */
  readonly userText?: (messages: Input) => string;
}

type Input = Parameters<InputGuardrail['execute']>[0]['input'];

/**
 * An input guardrail that screens the new messages of the user, and results of tools that no guarded tool of this
 * process returned, before the model runs. For a blocked one the run throws
 * `InputGuardrailTripwireTriggered`, whose `result.output.outputInfo.message` is text for the user.
 */
export function promptGuardrail(
  guardrails: Guardrails,
  given: OutputContext,
  { notText = 'record', userText }: PromptGuardrailOptions = {},
): InputGuardrail {
  return {
    name: 'nest-guardrails',
    runInParallel: false,
    execute: async ({ input, context: runContext }) => {
      const context = afterHandOff(given, runContext);
      const outputInfo =
        (await screenedPrompt(
          guardrails,
          partsOf(input),
          context,
          notText,
          userText && (() => userText(input)),
        )) ?? (await screenedResults(guardrails, input, context, notText));
      return { tripwireTriggered: outputInfo !== null, outputInfo };
    },
  };
}

function partsOf(input: Input) {
  return typeof input === 'string' ? [{ text: input }] : newParts(input);
}

/** A client can send results of tools. */
async function screenedResults(
  guardrails: Guardrails,
  input: Input,
  context: OutputContext,
  notText: NotText,
): Promise<PromptRefusal | null> {
  if (typeof input === 'string') return null;
  for (const item of input) {
    if (!('output' in item) || item.output === undefined) continue;
    const read = readOutput(item.output);
    const name = 'name' in item ? item.name : item.type;
    const refusal = await refusedResult(guardrails, context, name, read, notText);
    if (refusal !== null) return { message: refusal, ruleId: null };
  }
  return null;
}

/** The SDK passes on a text as a part. */
function readOutput(output: unknown) {
  const isText = typeof output === 'object' && output !== null && 'text' in output;
  return readParts(isText ? output.text : output);
}
