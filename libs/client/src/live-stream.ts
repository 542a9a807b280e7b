// The live stream for `GuardrailsClient.events`: reads server-sent events, and connects again after each end.
import type { Envelope } from '#contracts/api/api.routes.js';
import type { EventData } from '#contracts/events/events.api.js';
import { ApiError, ConnectionError } from './errors.js';

/** The options of a live stream. */
export interface EventsOptions {
  /** The `sequence` of the last event that is already known. Default: only new events. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** `retrying` after a failure, with its error; not at the planned end of a stream. */
  readonly onState?: (state: 'open' | 'retrying', error?: Error) => void;
}

/** Sends one request for the stream. */
export type Connect = (signal: AbortSignal, headers: Readonly<Record<string, string>>) => Promise<Response>;

const PLANNED_RETRY_MS = 500;
const FIRST_RECONNECT_MS = 1000;
const MAX_RECONNECT_MS = 30_000;
/** The server sends a heartbeat every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

/** Events of successive connections, without gaps and duplicates. */
export async function* liveEvents(
  connect: Connect,
  { after, signal, onState }: EventsOptions,
): AsyncGenerator<EventData> {
  let last = after;
  let failures = 0;
  while (!isAborted(signal)) {
    let wait = PLANNED_RETRY_MS;
    let isOpen = false;
    try {
      for await (const block of oneConnection(connect, last, signal)) {
        if (!isOpen) onState?.('open');
        isOpen = true;
        failures = 0;
        last = block.id === null ? last : Number(block.id);
        if (block.event === 'end') wait = block.retry ?? wait;
        else if (block.data !== null) yield (JSON.parse(block.data) as Envelope<EventData>).data;
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (error instanceof ApiError && error.status < 500) throw error;
      failures++;
      wait = jittered(Math.min(MAX_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** (failures - 1)));
      onState?.('retrying', error as Error);
    }
    await delay(wait, signal);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The blocks of one connection, up to its planned end. A connection that stays silent counts as lost. */
async function* oneConnection(
  connect: Connect,
  after: number | undefined,
  ofCaller: AbortSignal | undefined,
): AsyncGenerator<EventBlock> {
  const silence = new AbortController();
  const signal = ofCaller === undefined ? silence.signal : AbortSignal.any([ofCaller, silence.signal]);
  const watch = () =>
    setTimeout(
      () =>
        silence.abort(new ConnectionError(`The live stream sent nothing for ${MAX_SILENCE_MS / 1000} s.`)),
      MAX_SILENCE_MS,
    );
  let timer = watch();
  let isPlanned = false;
  try {
    const response = await connect(signal, after === undefined ? {} : { 'last-event-id': String(after) });
    if (!response.ok) throw await ApiError.of(response);
    for await (const block of response.body === null ? [] : eventBlocks(response.body)) {
      clearTimeout(timer);
      isPlanned = block.event === 'end';
      yield block;
      timer = watch();
    }
  } finally {
    clearTimeout(timer);
  }
  if (!isPlanned) throw new ConnectionError('The live stream ended unexpectedly.');
}

/** One block of a stream of server-sent events. */
interface EventBlock {
  /** The name of the event; `message` if the stream gives none. */
  readonly event: string;
  readonly id: string | null;
  readonly data: string | null;
  /** Milliseconds to wait before the next connection. */
  readonly retry: number | null;
}

/** Splits a body into blocks. A block that is cut at the end is left out. */
async function* eventBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<EventBlock> {
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

/** Ends early, without an error, if the signal is aborted. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}

/** Between half of the time and the whole, so that clients do not return at the same moment. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}
