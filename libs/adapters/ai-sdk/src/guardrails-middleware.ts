import type { LanguageModelMiddleware } from 'ai';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#contracts/firewall/firewall.js';
import { newParts, refusedResult, screenedPrompt } from '#adapters/shared/prompt-screening.js';
import { AnswerSanitizer } from '#adapters/shared/sanitized-answer.js';
import { AnswerParts, type StreamPart } from './sanitized-parts.js';
import { loadAi, readModelOutput } from './guarded-tools.js';

/** The options of `guardrailsMiddleware`. */
export interface MiddlewareOptions {
  /**
   * Images and files in prompts, in results of tools and in answers: `record` records that they were not screened;
   * `refuse` refuses them, and leaves them out of answers. Default `record`.
   */
  readonly notText?: NotText;
  /**
   * What the user typed, where new messages of the user hold more than that, such as retrieved text. Nothing else of them
   * vouches for arguments of calls. Default: each new text of the user, without what was quoted, forwarded or pasted.
   */
  readonly userText?: (messages: Prompt) => string;
}

type Generate = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type Prompt = Generate['params']['prompt'];
type ResultPart = Extract<
  Extract<Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;
type Generated = Awaited<ReturnType<Generate['doGenerate']>>;

const NO_USAGE: Generated['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

const REFUSED: Generated['finishReason'] = { unified: 'content-filter', raw: undefined };

/** Screens the new messages of the user before the model runs, and sanitizes what the model writes. */
export async function guardrailsMiddleware(
  guardrails: Guardrails,
  context: OutputContext,
  { notText = 'record', userText }: MiddlewareOptions = {},
): Promise<LanguageModelMiddleware> {
  await loadAi();

  const answerParts = () => new AnswerParts(new AnswerSanitizer(guardrails, context, notText));
  const refusalOf = async (prompt: Prompt) =>
    (
      await screenedPrompt(
        guardrails,
        newParts(prompt),
        context,
        notText,
        userText && (() => userText(prompt)),
      )
    )?.message ?? null;

  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => ({
      ...params,
      prompt: await withScreenedResults(guardrails, params.prompt, context, notText),
    }),
    wrapGenerate: async ({ doGenerate, params }) => {
      const refusal = await refusalOf(params.prompt);
      if (refusal !== null) {
        const content = [{ type: 'text' as const, text: refusal }];
        return { content, finishReason: REFUSED, usage: NO_USAGE, warnings: [] };
      }
      const generated = await doGenerate();
      const parts = answerParts();
      const content: Generated['content'] = [];
      for (const part of generated.content) {
        const whole = await parts.whole(part);
        if (whole !== null) content.push(whole);
      }
      return { ...(await parts.metadata(generated)), content };
    },
    wrapStream: async ({ doStream, params }) => {
      const refusal = await refusalOf(params.prompt);
      if (refusal !== null) return { stream: ReadableStream.from(refusalParts(refusal)) };
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: ReadableStream.from(answerParts().streamed(stream)) };
    },
  };
}

/**
 * The prompt without refused results of tools. A client can send results, so that all are screened that no guarded tool
 * of this process returned.
 */
async function withScreenedResults(
  guardrails: Guardrails,
  prompt: Prompt,
  context: OutputContext,
  notText: NotText,
): Promise<Prompt> {
  const screened = async (part: ResultPart): Promise<ResultPart> => {
    const read = readModelOutput(part.output);
    const refusal = await refusedResult(guardrails, context, part.toolName, read, notText);
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

function refusalParts(text: string): StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'refusal' },
    { type: 'text-delta', id: 'refusal', delta: text },
    { type: 'text-end', id: 'refusal' },
    { type: 'finish', finishReason: REFUSED, usage: NO_USAGE },
  ];
}
