import type { LanguageModelMiddleware } from 'ai';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#adapters/shared/guarded-call.js';
import { screenedPrompt, type PromptPart } from '#adapters/shared/prompt-screening.js';
import { loadAi } from './load-ai.js';
import { sanitizedParts, type StreamPart } from './sanitized-parts.js';

/** The options of `guardrailsMiddleware`. */
export interface MiddlewareOptions {
  /** Prompts with images or files: `record` records that they were not screened; `refuse` refuses them. Default `record`. */
  readonly notText?: NotText;
}

type Generate = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type Prompt = Generate['params']['prompt'];
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
  { notText = 'record' }: MiddlewareOptions = {},
): Promise<LanguageModelMiddleware> {
  await loadAi();

  const refusalOf = async (prompt: Prompt): Promise<string | null> =>
    (await screenedPrompt(guardrails, newParts(prompt), context, notText))?.message ?? null;

  return {
    specificationVersion: 'v3',
    wrapGenerate: async ({ doGenerate, params }) => {
      const refusal = await refusalOf(params.prompt);
      if (refusal !== null) {
        const content = [{ type: 'text' as const, text: refusal }];
        return { content, finishReason: REFUSED, usage: NO_USAGE, warnings: [] };
      }
      const generated = await doGenerate();
      const content: Generated['content'] = [];
      for (const part of generated.content) {
        const isText = part.type === 'text' || part.type === 'reasoning';
        content.push(isText ? { ...part, text: (await guardrails.sanitize(part.text, context)).text } : part);
      }
      return { ...generated, content };
    },
    wrapStream: async ({ doStream, params }) => {
      const refusal = await refusalOf(params.prompt);
      if (refusal !== null) return { stream: ReadableStream.from(refusalParts(refusal)) };
      const { stream, ...rest } = await doStream();
      const parts = sanitizedParts(stream, () => guardrails.sanitizeStream(context));
      return { ...rest, stream: ReadableStream.from(parts) };
    },
  };
}

/** The parts that the user added since the last answer. Earlier ones were screened when they were new. */
function newParts(prompt: Prompt): PromptPart[] {
  const answered = prompt.findLastIndex(({ role }) => role === 'assistant');
  return prompt.slice(answered + 1).flatMap((message) => {
    if (message.role !== 'user') return [];
    return message.content.map((part) =>
      part.type === 'text' ? { text: part.text } : { notText: part.mediaType },
    );
  });
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
