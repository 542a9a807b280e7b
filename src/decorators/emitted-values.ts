import type { Observable } from 'rxjs';

/**
 * The values of an Observable. A value that is an async iterable is replaced by its chunks. An Observable cannot be
 * slowed down, so values wait here until they are read. After `stopped` the values end without an error.
 */
export async function* emittedValues(
  source: Observable<unknown>,
  stopped: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const queue: unknown[] = [];
  let end: { readonly error?: unknown } | null = null;
  let wake = (): void => undefined;
  const close = (how: { readonly error?: unknown }) => {
    end ??= how;
    wake();
  };
  const subscription = source.subscribe({
    next: (value) => {
      queue.push(value);
      wake();
    },
    error: (error: unknown) => close({ error }),
    complete: () => close({}),
  });
  const stop = () => {
    subscription.unsubscribe();
    queue.length = 0;
    close({});
  };
  stopped.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      if (queue.length > 0) yield* chunksOf(queue.shift(), stopped);
      else if (end !== null) return failIfAny(end);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    subscription.unsubscribe();
  }
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* chunksOf(value: unknown, stopped: AbortSignal): AsyncGenerator<unknown, void, undefined> {
  if (!isAsyncIterable(value)) {
    yield value;
    return;
  }
  yield* untilStopped(value, stopped);
}

/** The chunks of an async iterable. After `stopped` they end at once, also while the next one is awaited. */
export async function* untilStopped(
  chunks: AsyncIterable<unknown>,
  stopped: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    for (;;) {
      isOpen = false;
      const next = await nextOrStop(source, stopped);
      if (next?.done === true) return;
      isOpen = true;
      if (next === null) return;
      yield next.value;
    }
  } finally {
    // The release is not awaited, because a generator ends only after the value that it waits for.
    if (isOpen) void release(source);
  }
}

/** `null`: stopped. */
function nextOrStop(
  source: AsyncIterator<unknown>,
  stopped: AbortSignal,
): Promise<IteratorResult<unknown> | null> {
  if (stopped.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    stopped.addEventListener('abort', stop, { once: true });
    const settled = () => stopped.removeEventListener('abort', stop);
    source.next().then(resolve, reject).then(settled, settled);
  });
}

async function release(source: AsyncIterator<unknown>) {
  try {
    await source.return?.();
  } catch {
    // The client is disconnected, so the error cannot be sent.
  }
}

function failIfAny(end: { readonly error?: unknown }) {
  if ('error' in end) throw end.error;
}
