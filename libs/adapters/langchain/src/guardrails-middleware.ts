import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#adapters/shared/guarded-call.js';
import { screenedPrompt, type PromptPart } from '#adapters/shared/prompt-screening.js';
import { guardedModel, mapText } from './guarded-model.js';
import { loadLangChain } from './load-langchain.js';

/** The options of `guardrailsMiddleware`. */
export interface MiddlewareOptions {
  /** Prompts with images, audio or files. Default `record`. */
  readonly notText?: NotText;
}

/**
 * Screens the new messages of the user before the model runs, and sanitizes what the model writes, also while it
 * streams. `context` is a value for an agent of one request, or a function of the agent's runtime context.
 */
export async function guardrailsMiddleware(
  guardrails: Guardrails,
  context: OutputContext | ((runtime: { readonly context?: unknown }) => OutputContext),
  { notText = 'record' }: MiddlewareOptions = {},
): Promise<AgentMiddleware> {
  const { AIMessage, BaseChatModel, RunnableBinding, createMiddleware } = await loadLangChain();

  return createMiddleware({
    name: 'nest-guardrails',
    wrapModelCall: async (request, handler) => {
      const of = typeof context === 'function' ? context(request.runtime) : context;
      const refusal = await screenedPrompt(guardrails, newParts(request.messages), of, notText);
      if (refusal !== null) return new AIMessage(refusal.message);
      const sanitized = new Set<string>();
      const model = request.model as object;
      const isChat = model instanceof BaseChatModel || RunnableBinding.isRunnableBinding(model);
      const response = await handler(
        isChat
          ? {
              ...request,
              model: await guardedModel(model as BaseChatModel, guardrails, of, (text) =>
                sanitized.add(text),
              ),
            }
          : request,
      );
      if (!AIMessage.isInstance(response)) return response;
      // Models of other kinds are sanitized here.
      response.content = await mapText(response.content, async (text) =>
        sanitized.has(text) ? text : (await guardrails.sanitize(text, of)).text,
      );
      return response;
    },
  }) as AgentMiddleware;
}

/** The parts that the user added since the last answer. Earlier ones were screened when they were new. */
function newParts(messages: readonly BaseMessage[]): PromptPart[] {
  const answered = messages.findLastIndex(({ type }) => type === 'ai');
  return messages.slice(answered + 1).flatMap(({ type, content }): PromptPart[] => {
    if (type !== 'human') return [];
    if (typeof content === 'string') return [{ text: content }];
    return content.map((block) =>
      block.type === 'text' ? { text: String(block['text']) } : { notText: block.type },
    );
  });
}
