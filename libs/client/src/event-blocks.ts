/** One block of a stream of server-sent events. */
export interface EventBlock {
  /** The name of the event; `message` if the stream gives none. */
  readonly event: string;
  readonly id: string | null;
  readonly data: string | null;
  /** Milliseconds to wait before the next connection. */
  readonly retry: number | null;
}

/** Splits a body into blocks. A block that is cut at the end is left out. */
export async function* eventBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<EventBlock> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      yield* blocks.map(blockOf);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function blockOf(text: string): EventBlock {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const earlier = fields.get(name);
    fields.set(name, name === 'data' && earlier !== undefined ? `${earlier}\n${value}` : value);
  }
  const retry = fields.get('retry');
  return {
    event: fields.get('event') ?? 'message',
    id: fields.get('id') ?? null,
    data: fields.get('data') ?? null,
    retry: retry === undefined ? null : Number(retry),
  };
}
