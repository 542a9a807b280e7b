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
  const close = (how: { readonly error?: unknown }): void => {
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
  const stop = (): void => {
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
  for await (const chunk of value) {
    if (stopped.aborted) return;
    yield chunk;
  }
}

function failIfAny(end: { readonly error?: unknown }): void {
  if ('error' in end) throw end.error;
}
