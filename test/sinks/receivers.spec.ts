import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { Engine } from '#engine/create-engine.js';
import { WebhookSink } from '#sinks/index.js';
import { outgoingEvent } from '#stores/contract/index.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { bench } from '../support/engine.js';
import { accepts, answers, HERE, HttpReceiver, type Received } from '../support/receivers.js';

const HOUR = 3_600_000;
const KEYS = [`whsec_${Buffer.from('a-shared-secret-of-thirty-bytes').toString('base64')}`];

type Misbehaviour = (request: Received, response: ServerResponse) => void;

/** Writes a head that never ends, a byte at a time. */
const drips: Misbehaviour = (_, response) => {
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket?.write('X'), 20);
  socket?.on('close', () => clearInterval(timer));
};

const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  hangs: () => undefined,
  resets: (_, response) => void response.socket?.resetAndDestroy(),
  drips,
  'answers-101': (_, response) =>
    void response.socket?.write(
      'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ),
  'answers-301': answers(301, { location: 'http://127.0.0.1:1/' }),
  'answers-400': answers(400),
  'answers-429': answers(429, { 'retry-after': '120' }),
  'answers-500': answers(500),
  'answers-503': answers(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
};

let receivers: HttpReceiver[] = [];
let engine: Engine | undefined;

afterEach(async () => {
  await engine?.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  receivers = [];
  engine = undefined;
});

async function startReceiver(): Promise<HttpReceiver> {
  const started = await new HttpReceiver().start();
  receivers.push(started);
  return started;
}

/** Only sinks without an answer have a short time-out, because the others may need longer on a busy machine. */
function hook(name: string, url: string): WebhookSink {
  const timeoutMs = name === 'hangs' || name === 'drips' ? 300 : 15_000;
  return new WebhookSink({ name, url, keys: KEYS, allow: HERE, allowPlainHttp: true, timeoutMs });
}

const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

/** As they first came. */
const firstOf = (received: readonly Received[]): string[] => [...new Set(received.map(idOf))];

function events(sinks: readonly string[]): OutgoingEvent[] {
  return Array.from({ length: 24 }, (_, at) =>
    outgoingEvent({ id: `event-${at}`, subject: `s${at % 4}`, sinks }),
  );
}

function expectOrdered(ids: readonly string[]): void {
  const numbers = ids.map((id) => Number(id.slice('event-'.length)));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at));
  for (const subject of [0, 1, 2, 3]) {
    const ofSubject = numbers.filter((number) => number % 4 === subject);
    expect(ofSubject).toEqual(ofSubject.toSorted((a, b) => a - b));
  }
}

describe('receivers that misbehave', () => {
  it('do not lose, reorder or change events, and do not delay other receivers', async () => {
    const clock = new SetClock();
    const well = await startReceiver();
    const bad = new Map<string, { receiver: HttpReceiver; accepted: Received[] }>();
    for (const [name, misbehave] of Object.entries(MISBEHAVIOURS)) {
      const failing = { receiver: await startReceiver(), accepted: [] as Received[] };
      // Each event fails twice, so accepted events arrive between failures.
      failing.receiver.answer = (request, response) => {
        const tries = failing.receiver.received.filter((earlier) => idOf(earlier) === idOf(request)).length;
        const number = Number(idOf(request).slice('event-'.length));
        if (tries < 3 && number % 3 !== 0) return misbehave(request, response);
        failing.accepted.push(request);
        accepts(request, response);
      };
      bad.set(name, failing);
    }
    const sinks = [
      hook('well', well.url),
      hook('refuses', 'http://127.0.0.1:1/'),
      ...[...bad].map(([name, failing]) => hook(name, failing.receiver.url)),
    ];
    const stores = memoryStores({ clock });
    const started = await bench({}, { stores, sinks, clock });
    engine = started.engine;
    const sent = events(sinks.map(({ name }) => name));
    const others = new Set(bad.keys());
    await stores.outbox.add(sent);

    started.engine.relay.wake();
    await well.arrived(sent.length);
    expectOrdered(well.received.map(idOf));

    for (let round = 0; round < 400 && others.size > 0; round++) {
      await started.engine.relay.deliverDue();
      clock.advance(HOUR);
      for (const name of others)
        if (firstOf(bad.get(name)?.accepted ?? []).length === sent.length) others.delete(name);
    }
    expect([...others]).toEqual([]);
    for (const [, { receiver: asked, accepted }] of bad) {
      expectOrdered(firstOf(accepted));
      for (const { id } of sent) {
        const bodies = asked.received.filter((request) => idOf(request) === id).map(({ body }) => body);
        expect(new Set(bodies).size).toBe(1);
      }
    }
    const states = new Map((await started.engine.events.states()).map((state) => [state.name, state]));
    expect(states.get('refuses')).toMatchObject({
      delivered: 0,
      lastError: 'the receiver refused the connection',
    });
    const left = (await stores.outbox.backlog()).map(({ sink }) => sink);
    expect(left).toEqual(['refuses']);
  }, 60_000);

  it('receive nothing after a 410 until a test succeeds, and then all waiting events', async () => {
    const clock = new SetClock();
    const gone = await startReceiver();
    gone.answer = answers(410);
    const stores = memoryStores({ clock });
    const started = await bench({}, { stores, sinks: [hook('gone', gone.url)], clock });
    engine = started.engine;
    await stores.outbox.add(events(['gone']));
    await started.engine.relay.deliverDue();
    clock.advance(100 * HOUR);
    await started.engine.relay.deliverDue();
    expect(gone.received.length).toBeLessThanOrEqual(4);
    expect(await started.engine.events.states()).toMatchObject([{ state: 'resting', waiting: 24, dead: 0 }]);
    gone.answer = accepts;
    gone.received.length = 0;
    await started.engine.events.test('gone', 'ops-1');
    await started.engine.relay.deliverDue();
    expectOrdered(gone.received.slice(1).map(idOf));
  });
});
