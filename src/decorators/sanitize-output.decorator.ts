import 'reflect-metadata';
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { concatMap, Observable, takeLast } from 'rxjs';
import { ConfigurationError } from '#contracts/common/errors.js';
import { type OutputContext, type Rendering, renderingFault } from '#contracts/output/output.js';
import { Guardrails } from '#engine/guardrails.js';
import { Callers } from './callers.js';
import { ChunkText } from './chunk-text.js';
import { emittedValues, isAsyncIterable, untilStopped } from './emitted-values.js';
import { sanitizedChunks, type ChunkSanitizer } from './sanitized-chunks.js';

/** The options of `@SanitizeOutput()`. */
export interface SanitizeOutputOptions {
  /** Default: the setting `output_handler.rendering`. */
  readonly rendering?: Rendering;
  /** The path of the text in chunks of a stream that are objects, such as `data.delta`. Default `data`. */
  readonly chunkText?: string;
}

const OPTIONS = Symbol('nest-guardrails output options');
/** Set by `@Sse()`. */
const SSE_METADATA = '__sse__';

/**
 * Sanitizes what a handler returns: a text, plain JSON, or a stream (an Observable, an async iterable, `@Sse()`).
 * Text that a handler writes to the response itself (`@Res()`) is not sanitized.
 */
export function SanitizeOutput(options: SanitizeOutputOptions = {}): MethodDecorator {
  const fault = renderingFault(options.rendering);
  if (fault !== null) throw new ConfigurationError([`@SanitizeOutput(): ${fault}`]);
  return applyDecorators(SetMetadata(OPTIONS, options), UseInterceptors(SanitizeOutputInterceptor));
}

@Injectable()
class SanitizeOutputInterceptor implements NestInterceptor {
  constructor(
    @Inject(Guardrails) private readonly guardrails: Guardrails,
    @Inject(Callers) private readonly callers: Callers,
  ) {
    callers.assertResolver();
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const handler = context.getHandler();
    const options = Reflect.getMetadata(OPTIONS, handler) as SanitizeOutputOptions;
    const { rendering, chunkText = 'data' } = options;
    const caller = await this.callers.contextOf(context);
    const name = `${context.getClass().name}.${handler.name}`;
    const output = new HandlerOutput(
      this.guardrails,
      { ...caller, ...(rendering && { rendering }) },
      new ChunkText(chunkText),
      name,
    );
    if (context.getType() !== 'http') return output.messages(next.handle());
    if (Reflect.getMetadata(SSE_METADATA, handler) === true) return output.events(next.handle());
    return output.response(next.handle(), closed(context));
  }
}

/** What one call of a handler returns. */
class HandlerOutput implements ChunkSanitizer {
  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: OutputContext,
    private readonly text: ChunkText,
    private readonly handler: string,
  ) {}

  /** Nest answers a request with the last value. */
  response(values: Observable<unknown>, left: AbortSignal): Observable<unknown> {
    return values.pipe(
      takeLast(1),
      concatMap((value) => (isAsyncIterable(value) ? this.body(value, left) : this.whole(value))),
    );
  }

  /** Events, shown as early as possible. */
  events(values: Observable<unknown>): Observable<unknown> {
    return fromChunks((stopped) => sanitizedChunks(emittedValues(values, stopped), this.text, this));
  }

  /** Messages. A single message is sanitized as a whole value, so the first waits for the second, or for the end. */
  messages(values: Observable<unknown>): Observable<unknown> {
    return fromChunks((stopped) => this.oneOrMany(emittedValues(values, stopped)));
  }

  stream(): TransformStream<string, string> {
    return this.guardrails.sanitizeStream(this.context);
  }

  async whole(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return (await this.guardrails.sanitize(value, this.context)).text;
    if (typeof value !== 'object' || value === null) return value;
    const output = await this.guardrails.sanitizeStructured(value, null, this.context);
    const [reason] = Object.entries(output.violations);
    if (reason !== undefined && output.mode.enforces()) {
      throw new Error(
        `The result of ${this.handler} cannot be sanitized, because ${reason.join(' ')}. Return text or plain JSON (no class instances, dates or bytes), or remove @SanitizeOutput().`,
      );
    }
    return output.value;
  }

  private async *oneOrMany(
    chunks: AsyncGenerator<unknown, void, undefined>,
  ): AsyncGenerator<unknown, void, undefined> {
    const first = await chunks.next();
    if (first.done === true) return;
    const second = await chunks.next();
    if (second.done === true) yield await this.whole(first.value);
    else yield* sanitizedChunks(withHead([first.value, second.value], chunks), this.text, this);
  }

  private async body(chunks: AsyncIterable<unknown>, left: AbortSignal): Promise<StreamableFile> {
    const shown = this.textOnly(sanitizedChunks(untilStopped(chunks, left), this.text, this));
    // The first chunk is awaited, so that a source that fails at once gives the response of a handler that throws.
    const first = await shown.next();
    const rest = first.done === true ? [] : withHead([first.value], shown);
    return new StreamableFile(Readable.from(rest), { type: 'text/plain; charset=utf-8' });
  }

  private async *textOnly(
    chunks: AsyncIterable<unknown>,
  ): AsyncGenerator<string | Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      // In `enforce` there are no bytes here.
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
        throw new Error(
          `${this.handler} cannot be answered, because a chunk of its stream is not text. Yield text, or use @Sse() for chunks that are objects.`,
        );
      }
      yield chunk;
    }
  }
}

/** Aborted when the response is closed, also where its client leaves. Fastify wraps the response of Node. */
function closed(context: ExecutionContext): AbortSignal {
  const left = new AbortController();
  const response = context.switchToHttp().getResponse<EventEmitter & { readonly raw?: EventEmitter }>();
  (response.raw ?? response).once('close', () => left.abort());
  return left.signal;
}

async function* withHead(
  head: readonly unknown[],
  tail: AsyncGenerator<unknown, void, undefined>,
): AsyncGenerator<unknown, void, undefined> {
  yield* head;
  yield* tail;
}

/** An Observable of chunks. Unsubscribing ends them, so that what was sent is recorded. */
function fromChunks(
  chunks: (stopped: AbortSignal) => AsyncGenerator<unknown, void, undefined>,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const stop = new AbortController();
    const emit = async () => {
      for await (const chunk of chunks(stop.signal)) subscriber.next(chunk);
      subscriber.complete();
    };
    emit().catch((error: unknown) => subscriber.error(error));
    return () => stop.abort();
  });
}
