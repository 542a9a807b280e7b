import { describe, expect, it, jest } from '@jest/globals';
import { GuardrailsClient } from './client.js';
import { ConnectionError } from './errors.js';

const encoder = new TextEncoder();

function clientWith(fetch: typeof globalThis.fetch): GuardrailsClient {
  return new GuardrailsClient({ url: 'http://127.0.0.1/guardrails/api', fetch });
}

/** A body that sends `text` and stays open until `signal` aborts. */
function openBody(text: string, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(text));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}

describe('GuardrailsClient', () => {
  it.each(['', '.', '..'])(
    'refuses %j as a parameter of the path, before it sends anything',
    async (name) => {
      const fetch = jest.fn<typeof globalThis.fetch>();
      await expect(clientWith(fetch).call('events.test', { params: { name } })).rejects.toThrow(TypeError);
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  it('ends with the reason of its signal while the body is read', async () => {
    const abort = new AbortController();
    const client = clientWith((_, init) => Promise.resolve(new Response(openBody('{"data"', init?.signal))));
    const answer = client.call('events.sinks', { signal: abort.signal });
    await Promise.resolve();
    setImmediate(() => abort.abort(new Error('left the screen')));
    await expect(answer).rejects.toThrow('left the screen');
  });

  it.each([
    ['a redirect', new Response(null, { status: 302, headers: { location: '/login' } })],
    ['a page', new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } })],
  ])('reports %s as the answer to a caller who is not logged in', async (_, response) => {
    const fetch = jest.fn(() => Promise.resolve(response));
    await expect(clientWith(fetch).call('overview')).rejects.toMatchObject({
      name: 'ApiError',
      code: 'unauthenticated',
      message: expect.stringContaining('Log in, or check the URL.'),
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('reports a body that breaks off as a lost connection', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
    const client = clientWith(() => Promise.resolve(new Response(body)));
    await expect(client.call('events.sinks')).rejects.toThrow(ConnectionError);
  });

  it('reports each connection of the stream as open once', async () => {
    const abort = new AbortController();
    const states: string[] = [];
    const event = 'id: 1\ndata: {"schema_version":"1","data":{"sequence":1}}\n\n';
    const client = clientWith((_, init) =>
      Promise.resolve(
        new Response(openBody(`: open\n\n: heartbeat\n\n: heartbeat\n\n${event}`, init?.signal)),
      ),
    );
    const onState = (state: string): void => void states.push(state);
    for await (const { sequence } of client.events({ signal: abort.signal, onState })) {
      expect(sequence).toBe(1);
      abort.abort();
    }
    expect(states).toEqual(['open']);
  });

  it('counts a stream as lost that is silent for 45 seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const abort = new AbortController();
      const client = clientWith((_, init) =>
        Promise.resolve(new Response(openBody(': open\n\n', init?.signal))),
      );
      let opened!: () => void;
      const isOpen = new Promise<void>((resolve) => (opened = resolve));
      const states: string[] = [];
      const onState = (state: 'open' | 'retrying', error?: Error): void => {
        states.push(error?.message ?? state);
        if (state === 'open') setImmediate(opened);
        else abort.abort();
      };
      const ended = client.events({ signal: abort.signal, onState }).next();
      await isOpen;
      await jest.advanceTimersByTimeAsync(44_999);
      expect(states).toEqual(['open']);
      await jest.advanceTimersByTimeAsync(1);
      await ended;
      expect(states).toEqual(['open', 'The live stream sent nothing for 45 s.']);
    } finally {
      jest.useRealTimers();
    }
  });
});
