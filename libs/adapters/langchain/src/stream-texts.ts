import type { BaseMessage } from '@langchain/core/messages';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import {
  AnswerExtras,
  mapOtherTexts,
  type TextPath,
  PartSession,
} from '#adapters/shared/sanitized-answer.js';
import { type Block, mapText, TEXT_OF } from './message-texts.js';

/** The members of a chunk that contain texts of the model. */
export interface ChunkFields {
  readonly content: unknown;
  readonly additional_kwargs?: object;
  readonly response_metadata?: object;
}

interface OpenText {
  readonly session: PartSession;
  shown: string;
  /** A chunk that adds this text at its place. */
  readonly at: (text: string) => ChunkFields;
}

/** The texts of one streamed answer. Each is sanitized by itself, wherever its parts are in the chunks. */
export class StreamTexts {
  private readonly open = new Map<string, OpenText>();
  private readonly extras: AnswerExtras;

  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: OutputContext,
  ) {
    this.extras = new AnswerExtras(guardrails, context);
  }

  async write({ content, additional_kwargs, response_metadata }: BaseMessage): Promise<ChunkFields> {
    const within = <Value extends object>(name: keyof ChunkFields, value: Value): Promise<Value> =>
      this.others(value, name, (inner) => ({ content: '', [name]: inner }));
    return {
      content: await mapText(
        content,
        (text, block) => this.add(text, ['content', ...keyOf(block)], (rest) => contentWith(block, rest)),
        (others, block) =>
          this.others(others, ['content', ...keyOf(block)].join(' '), (inner) => ({
            content: [{ ...placeOf(block), ...inner }],
          })),
        this.extras,
      ),
      additional_kwargs: await within('additional_kwargs', additional_kwargs),
      response_metadata: await within('response_metadata', response_metadata),
    };
  }

  /** Metadata that is not part of the message. */
  metadata(value: Record<string, unknown> | undefined): Promise<Record<string, unknown> | undefined> {
    return this.extras.sanitized(value);
  }

  /** The texts that were held back, and all of each text. */
  async *close(): AsyncGenerator<{ readonly shown: string; readonly rest: ChunkFields | null }> {
    for (const { session, shown, at } of this.open.values()) {
      const rest = (await session.close()).join('');
      yield { shown: shown + rest, rest: rest === '' ? null : at(rest) };
    }
    this.open.clear();
  }

  async abort(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ session }) => session.abort()));
  }

  private others<Value extends object>(
    value: Value,
    name: string,
    at: (inner: object) => ChunkFields,
  ): Promise<Value> {
    return mapOtherTexts(
      value,
      (text, path) => this.add(text, [name, ...path], (rest) => at(nested(path, rest) as object)),
      this.extras,
    );
  }

  private async add(text: string, path: TextPath, at: OpenText['at']): Promise<string> {
    const key = JSON.stringify(path);
    const known = this.open.get(key) ?? {
      session: new PartSession(this.guardrails.sanitizeStream(this.context)),
      shown: '',
      at,
    };
    this.open.set(key, known);
    const delta = (await known.session.write(text)).join('');
    known.shown += delta;
    return delta;
  }
}

function keyOf(block: Block | null): string[] {
  return block === null ? [] : [block.type, JSON.stringify(block['index'] ?? null)];
}

function contentWith(block: Block | null, rest: string): ChunkFields {
  if (block === null) return { content: rest };
  return { content: [{ ...placeOf(block), [TEXT_OF[block.type] ?? 'text']: rest }] };
}

/** What LangChain merges blocks by. */
function placeOf({ type, index }: Block): object {
  return { type, ...(index !== undefined && { index }) };
}

/** `text` at this path, in the form that LangChain merges with the chunks before. */
function nested([first, ...path]: TextPath, text: string): unknown {
  if (first === undefined) return text;
  const inner = nested(path, text);
  if (typeof first === 'string') return { [first]: inner };
  return [typeof inner === 'object' ? { index: first, ...inner } : inner];
}
