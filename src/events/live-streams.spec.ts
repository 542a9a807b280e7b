import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream } from '#engine/events/event-stream.js';
import { outgoingEvent } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { ApiRequest } from '../http/api-request.js';
import { matchBeside } from '../http/routes.js';
import { LiveStreams } from './live-streams.js';

const LIFETIME_MS = 200;

const { outbox } = memoryStores();
const streams = new LiveStreams(new EventStream(outbox), 1, () => LIFETIME_MS);
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    ApiRequest.register(
      { approvalOf: async () => null },
      matchBeside('GET', '/events') ?? { kind: 'unknown_path' },
      request,
    );
    void streams.serve(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/guardrails/events`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Reads one stream until the server ends it. */
async function readToEnd(lastEventId?: string): Promise<string> {
  const headers = new Headers(lastEventId === undefined ? [] : [['last-event-id', lastEventId]]);
  return (await fetch(url, { headers })).text();
}

const lastIdOf = (text: string): string =>
  text
    .match(/^id: \d+$/gm)
    ?.at(-1)
    ?.slice(4) ?? '';

describe('contract 8: a live stream at the end of its lifetime', () => {
  it('announces its planned end with the position to resume from', async () => {
    await outbox.add([outgoingEvent({ sinks: [] }), outgoingEvent({ sinks: [] })]);
    const newest = await outbox.newest();
    const blocks = (await readToEnd()).trimEnd().split('\n\n');
    expect(blocks[0]).toBe(`: at ${newest}\nid: ${newest}\nretry: 3000`);
    const [, data] =
      new RegExp(`^id: ${newest}\nevent: end\nretry: \\d+\ndata: (.*)$`).exec(blocks.at(-1) ?? '') ?? [];
    expect(JSON.parse(data ?? 'null')).toEqual({
      schema_version: 'guardrails.api.v1',
      schema: 'guardrails.api.v1.event',
      data: { stream: 'end', resume_after: newest },
    });
  });

  it('loses no event that is committed between two streams, even if the first one sent none', async () => {
    const first = await readToEnd();
    expect(first).not.toMatch(/"sequence"/);
    await outbox.add([outgoingEvent({ sinks: [] }), outgoingEvent({ sinks: [] })]);
    const second = await readToEnd(lastIdOf(first));
    expect(second.match(/"sequence"/g)).toHaveLength(2);
    const third = await readToEnd(lastIdOf(second));
    expect(third).not.toMatch(/"sequence"/);
  });

  it('frees its place', async () => {
    for (let reconnect = 0; reconnect < 3; reconnect++) expect(await readToEnd()).toMatch(/event: end/);
  });

  it('has a lifetime of a minute, five seconds more or less', async () => {
    const spread = new LiveStreams(new EventStream(outbox), 1) as unknown as { lifetimeMs(): number };
    const drawn = Array.from({ length: 500 }, () => spread.lifetimeMs());
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(55_000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(65_000);
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });
});
