import type { ChunkText } from './chunk-text.js';

/** What sanitizes a stream. */
export interface ChunkSanitizer {
  /** A part of consecutive chunks with text. */
  stream(): TransformStream<string, string>;
  /** A chunk without text of the stream. */
  whole(chunk: unknown): Promise<unknown>;
}

/**
 * Sanitizes a stream. Consecutive chunks with text are one part, so that findings are found across chunks. Any other
 * chunk ends the part, and is sanitized on its own.
 */
export async function* sanitizedChunks(
  chunks: AsyncIterator<unknown>,
  text: ChunkText,
  sanitizer: ChunkSanitizer,
): AsyncGenerator<unknown, void, undefined> {
  let isDone = false;
  try {
    let next = await chunks.next();
    while (next.done !== true) {
      if (text.read(next.value) === null) {
        yield await sanitizer.whole(next.value);
        next = await chunks.next();
      } else {
        const part = new TextPart(chunks, text, sanitizer);
        const rest = part.feed(next);
        // `shown` throws the same error, so it is not lost.
        rest.catch(() => undefined);
        yield* part.shown();
        next = await rest;
      }
    }
    isDone = true;
  } finally {
    if (!isDone) await chunks.return?.();
  }
}

class TextPart {
  private readonly transform: TransformStream<string, string>;
  /** The newest chunk, without its text. */
  private frame: unknown;
  /** Chunks with other members that were not shown yet, because their text was held back. */
  private unshown: unknown[] = [];

  constructor(
    private readonly chunks: AsyncIterator<unknown>,
    private readonly text: ChunkText,
    private readonly sanitizer: ChunkSanitizer,
  ) {
    this.transform = sanitizer.stream();
  }

  async *shown(): AsyncGenerator<unknown, void, undefined> {
    for await (const text of this.transform.readable) {
      const newest = this.frame;
      for (const frame of this.taken()) if (frame !== newest) yield frame;
      yield this.text.write(newest, text);
    }
    yield* this.taken();
  }

  private taken(): readonly unknown[] {
    const { unshown } = this;
    this.unshown = [];
    return unshown;
  }

  /** Returns the first chunk after the part. */
  async feed(first: IteratorResult<unknown>): Promise<IteratorResult<unknown>> {
    const writer = this.transform.writable.getWriter();
    let next = first;
    try {
      while (next.done !== true) {
        const given = this.text.read(next.value);
        if (given === null) break;
        const frame = await this.frameOf(next.value);
        if (this.text.hasOtherMembers(next.value) && !isSame(frame, this.frame)) this.unshown.push(frame);
        this.frame = frame;
        await writer.write(given);
        next = await this.chunks.next();
      }
      await writer.close();
      return next;
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
  }

  private async frameOf(chunk: unknown): Promise<unknown> {
    const frame = this.text.write(chunk, '');
    return this.text.hasOtherText(chunk) ? this.sanitizer.whole(frame) : frame;
  }
}

/** Many models repeat the same members in every chunk. */
function isSame(frame: unknown, previous: unknown) {
  try {
    return JSON.stringify(frame) === JSON.stringify(previous);
  } catch {
    return false;
  }
}
