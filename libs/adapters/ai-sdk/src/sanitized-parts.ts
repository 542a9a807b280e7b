import type { LanguageModelMiddleware } from 'ai';
import { PartSession } from '#adapters/shared/part-session.js';

type Stream = Parameters<NonNullable<LanguageModelMiddleware['wrapStream']>>[0]['doStream'];
type Parts = Awaited<ReturnType<Stream>>['stream'];
export type StreamPart = Parts extends ReadableStream<infer Part> ? Part : never;
type Delta = Extract<StreamPart, { type: 'text-delta' | 'reasoning-delta' }>;

/** Sanitizes every text and reasoning part of a stream by itself. A reader that leaves ends the open parts. */
export async function* sanitizedParts(
  stream: Parts,
  open: () => TransformStream<string, string>,
): AsyncGenerator<StreamPart> {
  const sessions = new Map<string, PartSession>();
  try {
    for await (const part of stream as AsyncIterable<StreamPart>) {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          sessions.set(keyOf(part), new PartSession(open()));
          yield part;
          break;
        case 'text-delta':
        case 'reasoning-delta': {
          const session = sessions.get(keyOf(part)) ?? new PartSession(open());
          sessions.set(keyOf(part), session);
          yield* deltas(part, await session.write(part.delta));
          break;
        }
        case 'text-end':
        case 'reasoning-end': {
          const session = sessions.get(keyOf(part));
          sessions.delete(keyOf(part));
          const type = part.type === 'text-end' ? 'text-delta' : 'reasoning-delta';
          if (session !== undefined) yield* deltas({ type, id: part.id, delta: '' }, await session.close());
          yield part;
          break;
        }
        default:
          yield part;
      }
    }
  } finally {
    // A part without its end was cut off: what was held back is not shown.
    await Promise.all([...sessions.values()].map((session) => session.abort()));
  }
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.split('-')[0]} ${id}`;
}

function* deltas(like: Delta, texts: readonly string[]): Generator<StreamPart> {
  for (const delta of texts) if (delta !== '') yield { ...like, delta };
}
