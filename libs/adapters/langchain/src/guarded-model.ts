import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { NotText } from '#contracts/firewall.js';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { AnswerExtras } from '#adapters/shared/sanitized-answer.js';
import { loadLangChain } from './load-langchain.js';
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
  const { AIMessageChunk, BaseChatModel, ChatGenerationChunk, RunnableBinding } = await loadLangChain();

  const sanitized = async (text: string): Promise<string> => {
    const result = (await guardrails.sanitize(text, context)).text;
    onText(result);
    return result;
  };

  class GuardedModel extends BaseChatModel {
    override _streamResponseChunks!: Stream;
    override bindTools?: NonNullable<BaseChatModel['bindTools']>;

    constructor(private readonly inner: BaseChatModel) {
      super({ ...(inner.callbacks !== undefined && { callbacks: inner.callbacks }) });
      // LangChain recognizes a model that does not stream by the method of the base class.
      const unstreamed = Reflect.get(BaseChatModel.prototype, '_streamResponseChunks') as Stream;
      const streams = inner._streamResponseChunks !== unstreamed;
      this._streamResponseChunks = streams ? (...given) => this.streamChunks(...given) : unstreamed;
      if (typeof inner.bindTools === 'function')
        this.bindTools = (...given) => guarded(inner.bindTools?.(...given) as object) as never;
    }

    override _llmType(): string {
      // The base class asks before `inner` is set.
      return (this.inner as BaseChatModel | undefined)?._llmType() ?? 'guarded';
    }

    override get profile() {
      return this.inner.profile;
    }

    override getName(suffix?: string): string {
      return this.inner.getName(suffix);
    }

    override invocationParams(options?: this['ParsedCallOptions']): unknown {
      return this.inner.invocationParams(options);
    }

    /** Without the run manager: the model would pass it the tokens before sanitization. */
    override async _generate(...[messages, options]: Parameters<Generate>): Promise<ChatResult> {
      const result = await this.inner._generate(messages, options);
      const extras = new AnswerExtras(guardrails, context, notText);
      const generations: ChatResult['generations'] = [];
      for (const generation of result.generations) {
        const { message } = generation;
        const { generationInfo } = await sanitizedMessage(
          message,
          sanitized,
          extras,
          generation.generationInfo,
        );
        generations.push({
          ...generation,
          message,
          text: message.text,
          ...(generationInfo && { generationInfo }),
        });
      }
      const { llmOutput } = await extras.sanitized({ llmOutput: result.llmOutput });
      return { ...result, generations, ...(llmOutput && { llmOutput }) };
    }

    private async *streamChunks(...[messages, options, manager]: Parameters<Stream>): ReturnType<Stream> {
      const texts = new StreamTexts(guardrails, context, notText);
      const send = async (
        message: AIMessageChunk,
        generationInfo?: Record<string, unknown>,
      ): Promise<ChatGenerationChunk> => {
        const { text } = message;
        const shown = new ChatGenerationChunk({ message, text, ...(generationInfo && { generationInfo }) });
        await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk: shown });
        return shown;
      };
      try {
        for await (const chunk of this.inner._streamResponseChunks(messages, options)) {
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
  }

  /** A chunk keeps its calls, usage and id. `lc_kwargs` contains the texts before sanitization. */
  const withFields = (message: AIMessageChunk, fields: ChunkFields): AIMessageChunk => {
    const { lc_kwargs: _raw, ...own } = message;
    return withoutUnreadFields(new AIMessageChunk({ ...own, ...(fields as object) }));
  };

  /** Binding tools creates another model, or a binding of one. */
  const guarded = (bound: object): object => {
    if (RunnableBinding.isRunnableBinding(bound)) {
      const { kwargs, config, configFactories } = bound as unknown as Record<string, never>;
      return new RunnableBinding({
        bound: guarded(bound.bound) as never,
        config: config ?? {},
        ...(kwargs !== undefined && { kwargs }),
        ...(configFactories !== undefined && { configFactories }),
      });
    }
    return new GuardedModel(bound as BaseChatModel);
  };

  return guarded(model) as BaseChatModel;
}
