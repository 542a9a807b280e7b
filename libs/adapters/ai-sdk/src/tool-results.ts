import type { LanguageModelMiddleware } from 'ai';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { resultText } from '#engine/result-text.js';
import { markedText, NOT_TEXT_RESULT } from '#adapters/shared/guarded-call.js';
import type { NotText } from '#adapters/shared/read-parts.js';
import { refusedResult } from '#adapters/shared/prompt-screening.js';
import { readParts, type ReadResult } from '#adapters/shared/read-parts.js';

/** A result of a tool as the SDK passes it to the model. */
export interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

/** Only an output of the type `content` has parts that are not text. */
export function readModelOutput({ type, value, reason }: ModelOutput): ReadResult {
  return type === 'content' ? readParts(value) : { text: resultText(value ?? reason ?? ''), notText: [] };
}

export type Prompt = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['params']['prompt'];
type ResultPart = Extract<
  Extract<Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;

/**
 * The prompt without refused results of tools. A client can send results, so that all are screened that no guarded tool
 * of this process returned.
 */
export async function withScreenedResults(
  guardrails: Guardrails,
  prompt: Prompt,
  context: OutputContext,
  notText: NotText,
): Promise<Prompt> {
  const screened = async (part: ResultPart): Promise<ResultPart> => {
    const read = readModelOutput(part.output);
    const refusal =
      (await refusedResult(guardrails, context, part.toolName, markedText(read))) ??
      (notText === 'refuse' && read.notText.length > 0 ? NOT_TEXT_RESULT : null);
    return refusal === null ? part : { ...part, output: { type: 'execution-denied', reason: refusal } };
  };
  const messages: Prompt = [];
  for (const message of prompt) {
    if (message.role !== 'tool' && message.role !== 'assistant') {
      messages.push(message);
      continue;
    }
    const content: unknown[] = [];
    for (const part of message.content)
      content.push(part.type === 'tool-result' ? await screened(part) : part);
    messages.push({ ...message, content } as Prompt[number]);
  }
  return messages;
}
