import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import type { NotText } from '#contracts/firewall/firewall.js';
import { newParts, refusedResult, screenedPrompt } from '#adapters/shared/prompt-screening.js';
import { AnswerSanitizer } from '#adapters/shared/sanitized-answer.js';
import { guardedModel } from './guarded-model.js';
import { type LangChain, loadLangChain } from './load-langchain.js';
import { readContent, sanitizedMessage, sanitizeRest } from './message-texts.js';

/** The options of `guardrailsMiddleware`. */
export interface MiddlewareOptions {
  /**
   * Images, audio and files in prompts, in results of tools and in answers: `record` records that they were not screened;
   * `refuse` refuses them, and leaves them out of answers. Default `record`.
   */
  readonly notText?: NotText;
  /**
   * What the user typed, where new messages of the user hold more than that, such as retrieved text. Nothing else of them
   * vouches for arguments of calls. Default: each new text of the user, without what was quoted, forwarded or pasted.
   */
  readonly userText?: (messages: readonly BaseMessage[]) => string;
}

/**
 * Screens the new messages of the user before the model runs, and sanitizes what the model writes, also while it
 * streams. `context` is a value for an agent of one request, or a function of the agent's runtime context.
 */
export async function guardrailsMiddleware(
  guardrails: Guardrails,
  context: OutputContext | ((runtime: { readonly context?: unknown }) => OutputContext),
  { notText = 'record', userText }: MiddlewareOptions = {},
): Promise<AgentMiddleware> {
  const langChain = await loadLangChain();
  const { AIMessage, BaseChatModel, RunnableBinding, createMiddleware } = langChain;

  return createMiddleware({
    name: 'nest-guardrails',
    wrapModelCall: async (request, handler) => {
      const of = typeof context === 'function' ? context(request.runtime) : context;
      const refusal = await screenedPrompt(
        guardrails,
        newParts(request.messages),
        of,
        notText,
        userText && (() => userText(request.messages)),
      );
      if (refusal !== null) return new AIMessage(refusal.message);
      const sanitized = new Set<string>();
      const model = request.model as object;
      const isChat = model instanceof BaseChatModel || RunnableBinding.isRunnableBinding(model);
      const messages = await withScreenedResults(request.messages, guardrails, of, notText, langChain);
      const onText = (text: string): unknown => sanitized.add(text);
      const response = await handler({
        ...request,
        messages,
        ...(isChat && {
          model: await guardedModel(model as BaseChatModel, guardrails, of, { notText, onText }),
        }),
      });
      if (!AIMessage.isInstance(response)) return response;
      const answer = new AnswerSanitizer(guardrails, of, notText);
      const clean = async (text: string) => (sanitized.has(text) ? text : answer.text(text));
      // Models of other kinds are sanitized here.
      if (isChat) await sanitizeRest(response, clean, answer);
      else await sanitizedMessage(response, clean, answer);
      return response;
    },
  }) as AgentMiddleware;
}

/** A client can send results of tools, so all are screened that no guarded tool of this process returned. */
async function withScreenedResults(
  messages: readonly BaseMessage[],
  guardrails: Guardrails,
  context: OutputContext,
  notText: NotText,
  { ToolMessage }: LangChain,
): Promise<BaseMessage[]> {
  const screened: BaseMessage[] = [];
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) {
      screened.push(message);
      continue;
    }
    const { id, name, tool_call_id } = message;
    const read = readContent(message.content);
    const refusal = await refusedResult(guardrails, context, name ?? 'unknown', read, notText);
    screened.push(
      refusal === null
        ? message
        : new ToolMessage({
            content: refusal,
            tool_call_id,
            status: 'error',
            ...(id !== undefined && { id }),
            ...(name !== undefined && { name }),
          }),
    );
  }
  return screened;
}
