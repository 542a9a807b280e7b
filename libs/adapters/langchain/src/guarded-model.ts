import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { PartSession } from '#adapters/shared/part-session.js';
import { loadLangChain } from './load-langchain.js';

type Content = BaseMessage['content'];
type Block = Readonly<Record<string, unknown>> & { readonly type: string; readonly index?: number };
type Generate = BaseChatModel['_generate'];
type Stream = BaseChatModel['_streamResponseChunks'];

/** The members of content blocks that contain text of the model. */
const TEXT_OF: Readonly<Record<string, string>> = {
  text: 'text',
  reasoning: 'reasoning',
  thinking: 'thinking',
};

/**
 * A chat model whose texts are sanitized, also while they stream. Tools, options and callbacks are passed on; callbacks
 * get sanitized tokens.
 */
export async function guardedModel(
  model: BaseChatModel,
  guardrails: Guardrails,
  context: OutputContext,
  /** Called with each sanitized text. */
  onText: (text: string) => void = () => undefined,
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
      const generations = await Promise.all(
        result.generations.map(async (generation) => {
          const { message } = generation;
          message.content = await mapText(message.content, sanitized);
          return { ...generation, message, text: message.text };
        }),
      );
      return { ...result, generations };
    }

    private async *streamChunks(...[messages, options, manager]: Parameters<Stream>): ReturnType<Stream> {
      const sessions = new Map<string, { session: PartSession; shown: string; block: Block | null }>();
      const change = async (text: string, block: Block | null): Promise<string> => {
        const key = block === null ? '' : `${block.type} ${block.index ?? ''}`;
        const open = sessions.get(key) ?? {
          session: new PartSession(guardrails.sanitizeStream(context)),
          shown: '',
          block,
        };
        sessions.set(key, open);
        const delta = (await open.session.write(text)).join('');
        open.shown += delta;
        return delta;
      };
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
          const content = await mapText(chunk.message.content, change);
          const message = withContent(chunk.message as AIMessageChunk, content);
          yield await send(message, chunk.generationInfo);
        }
        for (const { session, shown: before, block } of sessions.values()) {
          const rest = (await session.close()).join('');
          onText(before + rest);
          if (rest === '') continue;
          const content = block === null ? rest : [{ ...block, [TEXT_OF[block.type] ?? 'text']: rest }];
          const message = new AIMessageChunk({ content: content as never });
          yield await send(message);
        }
        sessions.clear();
      } finally {
        // A stream that was cut off: what was held back is not shown.
        await Promise.all([...sessions.values()].map(({ session }) => session.abort()));
      }
    }
  }

  /** A chunk keeps its calls, usage and id. */
  const withContent = (message: AIMessageChunk, content: Content): AIMessageChunk =>
    new AIMessageChunk(Object.assign({}, message, { content: content as never }));

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

/** Changes the texts of a content; other blocks stay. */
export async function mapText(
  content: Content,
  change: (text: string, block: Block | null) => Promise<string>,
): Promise<Content> {
  if (typeof content === 'string') return content === '' ? content : change(content, null);
  const blocks: unknown[] = [];
  for (const block of content as readonly Block[]) {
    const member = TEXT_OF[block.type];
    const text = member === undefined ? undefined : block[member];
    const isText = member !== undefined && typeof text === 'string' && text !== '';
    blocks.push(isText ? { ...block, [member]: await change(text, block) } : block);
  }
  return blocks as Content;
}
