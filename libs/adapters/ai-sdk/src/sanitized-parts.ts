import type { LanguageModelMiddleware } from 'ai';
import type { AnswerSanitizer, PartSession } from '#adapters/shared/sanitized-answer.js';

type Middleware = Required<Pick<LanguageModelMiddleware, 'wrapStream' | 'wrapGenerate'>>;
type Parts = Awaited<ReturnType<Parameters<Middleware['wrapStream']>[0]['doStream']>>['stream'];
type Content = Awaited<ReturnType<Parameters<Middleware['wrapGenerate']>[0]['doGenerate']>>['content'];
export type StreamPart = Parts extends ReadableStream<infer Part> ? Part : never;
type ContentPart = Content[number];
type Delta = Extract<StreamPart, { type: 'text-delta' | 'reasoning-delta' }>;

/** A part of a stream or a content, in both versions of the SDK. */
type AnyPart = Readonly<Record<string, unknown>> & { readonly type: string };

/** Parts whose texts are sanitized, parts without text, and calls of tools, which the firewall checks. */
const SANITIZED = new Set([
  'text',
  'reasoning',
  'source',
  'tool-result',
  'stream-start',
  'response-metadata',
  'finish',
  'error',
  'ping',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'tool-call',
  'tool-approval-request',
]);

/** Members whose texts come from the model or from a page that it read. */
const OTHER_TEXTS = new Set(['title', 'url', 'filename', 'citations', 'result', 'providerMetadata']);

const MEDIA = /^(?:image(?!\/svg)|audio|video)(?:\/|$)/;

/** Sanitizes the parts of one answer of the model. */
export class AnswerParts {
  constructor(private readonly answer: AnswerSanitizer) {}

  /** Sanitizes a whole part. `null`: it cannot be sanitized, and is left out. */
  async whole(part: ContentPart): Promise<ContentPart | null> {
    if (await this.isLeftOut(part)) return null;
    const isText = part.type === 'text' || part.type === 'reasoning';
    return this.others(isText ? { ...part, text: await this.answer.text(part.text) } : part);
  }

  /** Sanitizes the metadata of an answer. The body of the response has the texts before sanitization, so it is left out. */
  async metadata<Answer extends { providerMetadata?: unknown; response?: object }>(
    answer: Answer,
  ): Promise<Answer> {
    const { providerMetadata, response } = answer;
    return {
      ...answer,
      ...(providerMetadata !== undefined && {
        providerMetadata: await this.answer.metadata(providerMetadata),
      }),
      ...(response !== undefined && { response: { ...response, body: undefined } }),
    };
  }

  /** Sanitizes every text and reasoning part of a stream by itself. Open parts are aborted when the reader stops. */
  async *streamed(stream: Parts): AsyncGenerator<StreamPart> {
    const sessions = new Map<string, PartSession>();
    const sessionOf = (part: { readonly type: string; readonly id: string }) => {
      const session = sessions.get(keyOf(part)) ?? this.answer.stream();
      sessions.set(keyOf(part), session);
      return session;
    };
    try {
      for await (const part of stream as AsyncIterable<StreamPart>) {
        switch (part.type) {
          case 'text-delta':
          case 'reasoning-delta': {
            const shown = await sessionOf(part).write(part.delta);
            yield* deltas(await this.others(part), shown);
            break;
          }
          case 'text-end':
          case 'reasoning-end': {
            const session = sessions.get(keyOf(part));
            sessions.delete(keyOf(part));
            const type = part.type === 'text-end' ? 'text-delta' : 'reasoning-delta';
            if (session !== undefined) yield* deltas({ type, id: part.id, delta: '' }, await session.close());
            yield await this.others(part);
            break;
          }
          case 'text-start':
          case 'reasoning-start':
            sessionOf(part);
            yield await this.others(part);
            break;
          default:
            if (!(await this.isLeftOut(part as AnyPart))) yield await this.others(part);
        }
      }
    } finally {
      // A part without an end was cut off; its buffered text is dropped.
      await Promise.all([...sessions.values()].map((session) => session.abort()));
    }
  }

  /** Parts that cannot be sanitized. */
  private async isLeftOut({ type, mediaType }: AnyPart) {
    if (type !== 'file' && type !== 'reasoning-file')
      return !SANITIZED.has(type) && (await this.answer.isDropped(type));
    const kind = typeof mediaType === 'string' ? mediaType : type;
    return MEDIA.test(kind) ? this.answer.isMediaDropped(kind) : this.answer.isDropped(kind);
  }

  /** Sanitizes the texts of a part beside its own text. */
  private async others<Part extends { readonly type: string }>(part: Part) {
    const members = Object.entries(part).filter(
      ([name, value]) => OTHER_TEXTS.has(name) && value !== undefined,
    );
    if (members.length === 0) return part;
    return { ...part, ...(await this.answer.metadata(Object.fromEntries(members))) };
  }
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }) {
  return `${type.split('-')[0]} ${id}`;
}

function* deltas(like: Delta, texts: readonly string[]): Generator<StreamPart> {
  for (const delta of texts) if (delta !== '') yield { ...like, delta };
}
