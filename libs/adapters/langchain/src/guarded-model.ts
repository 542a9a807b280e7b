import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { NotText } from '#contracts/firewall/firewall.js';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { AnswerSanitizer } from '#adapters/shared/sanitized-answer.js';
import { type LangChain, loadLangChain } from './load-langchain.js';
import { type ChunkFields, sanitizedMessage, StreamTexts, withoutUnreadFields } from './message-texts.js';

type Generate = BaseChatModel['_generate'];
type Stream = BaseChatModel['_streamResponseChunks'];

/** The options of `guardedModel`. */
export interface GuardedModelOptions {
  /** Images and audio in answers: `refuse` leaves them out. Default `record`. */
  readonly notText?: NotText;
  /** Called with each sanitized text. */
  readonly onText?: (text: string) => void;
}

/** How the answers of one model are sanitized. */
interface Sanitization {
  readonly newAnswer: () => AnswerSanitizer;
  readonly onText: (text: string) => void;
}

/**
 * A chat model whose texts are sanitized, also while they stream. Tools, options and callbacks are passed on; callbacks
 * get sanitized tokens.
 */
export async function guardedModel(
  model: BaseChatModel,
  guardrails: Guardrails,
  context: OutputContext,
  { notText = 'record', onText = () => undefined }: GuardedModelOptions = {},
): Promise<BaseChatModel> {
  const newAnswer = () => new AnswerSanitizer(guardrails, context, notText);
  return guarded(model, await loadLangChain(), { newAnswer, onText }) as BaseChatModel;
}

/** A guarded model, or a guarded binding of one: binding tools to a model creates either. */
function guarded(bound: object, langChain: LangChain, sanitization: Sanitization): object {
  const { RunnableBinding } = langChain;
  if (!RunnableBinding.isRunnableBinding(bound))
    return guardedChatModel(bound as BaseChatModel, langChain, sanitization);
  const { kwargs, config, configFactories } = bound as unknown as Record<string, never>;
  return new RunnableBinding({
    bound: guarded(bound.bound, langChain, sanitization) as never,
    config: config ?? {},
    ...(kwargs !== undefined && { kwargs }),
    ...(configFactories !== undefined && { configFactories }),
  });
}

/** The class is declared here because the SDK is loaded on use. */
function guardedChatModel(
  inner: BaseChatModel,
  langChain: LangChain,
  sanitization: Sanitization,
): BaseChatModel {
  const { BaseChatModel } = langChain;
  // LangChain recognizes a model that does not stream by the method of the base class.
  const unstreamed = Reflect.get(BaseChatModel.prototype, '_streamResponseChunks') as Stream;

  class GuardedModel extends BaseChatModel {
    override _streamResponseChunks: Stream =
      inner._streamResponseChunks === unstreamed
        ? unstreamed
        : (...request) => sanitizedChunks(inner, request, langChain, sanitization);
    override bindTools?: NonNullable<BaseChatModel['bindTools']>;

    constructor() {
      super({ ...(inner.callbacks !== undefined && { callbacks: inner.callbacks }) });
      if (typeof inner.bindTools === 'function')
        this.bindTools = (...tools) =>
          guarded(inner.bindTools?.(...tools) as object, langChain, sanitization) as never;
    }

    override _llmType(): string {
      return inner._llmType();
    }

    override get profile() {
      return inner.profile;
    }

    override getName(suffix?: string): string {
      return inner.getName(suffix);
    }

    override invocationParams(options?: this['ParsedCallOptions']): unknown {
      return inner.invocationParams(options);
    }

    /** Without the run manager: the model would pass it the tokens before sanitization. */
    override async _generate(...[messages, options]: Parameters<Generate>): Promise<ChatResult> {
      return sanitizedResult(await inner._generate(messages, options), sanitization);
    }
  }

  return new GuardedModel();
}

async function sanitizedResult(result: ChatResult, { newAnswer, onText }: Sanitization): Promise<ChatResult> {
  const answer = newAnswer();
  const sanitized = async (text: string) => {
    const shown = await answer.text(text);
    onText(shown);
    return shown;
  };
  const generations: ChatResult['generations'] = [];
  for (const generation of result.generations) {
    const { message } = generation;
    const { generationInfo } = await sanitizedMessage(message, sanitized, answer, generation.generationInfo);
    generations.push({
      ...generation,
      message,
      text: message.text,
      ...(generationInfo && { generationInfo }),
    });
  }
  const { llmOutput } = await answer.metadata({ llmOutput: result.llmOutput });
  return { ...result, generations, ...(llmOutput && { llmOutput }) };
}

async function* sanitizedChunks(
  model: BaseChatModel,
  [messages, options, manager]: Parameters<Stream>,
  { AIMessageChunk, ChatGenerationChunk }: LangChain,
  { newAnswer, onText }: Sanitization,
): ReturnType<Stream> {
  const texts = new StreamTexts(newAnswer());
  /** A chunk keeps its calls, usage and id. `lc_kwargs` contains the texts before sanitization. */
  const withFields = (message: AIMessageChunk, fields: ChunkFields) => {
    const { lc_kwargs: _raw, ...own } = message;
    return withoutUnreadFields(new AIMessageChunk({ ...own, ...(fields as object) }));
  };
  const send = async (message: AIMessageChunk, generationInfo?: Record<string, unknown>) => {
    const { text } = message;
    const chunk = new ChatGenerationChunk({ message, text, ...(generationInfo && { generationInfo }) });
    await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    return chunk;
  };
  try {
    for await (const chunk of model._streamResponseChunks(messages, options)) {
      const message = withFields(chunk.message as AIMessageChunk, await texts.write(chunk.message));
      yield await send(message, await texts.metadata(chunk.generationInfo));
    }
    for await (const { shown, rest } of texts.close()) {
      onText(shown);
      if (rest !== null) yield await send(new AIMessageChunk(rest as never));
    }
  } finally {
    // A stream that was cut off: what was held back is not shown.
    await texts.abort();
  }
}
