import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SlackClient } from './slack-client.js';

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function client(answer: RequestListener, mostMs?: number): Promise<SlackClient> {
  const started = createServer(answer);
  servers.push(started);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return new SlackClient(
    'xoxb-test',
    `http://127.0.0.1:${(started.address() as AddressInfo).port}/api`,
    mostMs,
  );
}

describe('the client of the Web API', () => {
  it('sends a form with the token as a header, objects as JSON, and no undefined member', async () => {
    const received: string[] = [];
    const slack = await client((request, response) => {
      request.on('data', (chunk) => received.push(String(chunk)));
      request.on('end', () => {
        received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        response.end('{"ok":true,"ts":"1.1"}');
      });
    });
    const args = { channel: 'C1', limit: 1, cursor: undefined, metadata: { a: 1 } };
    expect(await slack.call('chat.postMessage', args)).toEqual({ ok: true, ts: '1.1' });
    expect(received).toEqual([
      'channel=C1&limit=1&metadata=%7B%22a%22%3A1%7D',
      'POST /api/chat.postMessage Bearer xoxb-test',
    ]);
  });

  it('passes on the delay that Slack requests', async () => {
    const slack = await client((_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
    await expect(slack.call('chat.update')).rejects.toMatchObject({
      code: 'ratelimited',
      retryAfterMs: 30_000,
    });
  });

  it.each(['', '[]', '"ok"', '{"ok":"true"}', '<html>'])(
    'reports the answer %j as a failure',
    async (body) => {
      const slack = await client((_, response) => response.end(body));
      await expect(slack.call('auth.test')).rejects.toThrow(/^Slack answered /);
    },
  );

  it('stops waiting for a Slack that does not respond, and names neither address nor token', async () => {
    const slack = await client(() => undefined, 20);
    await expect(slack.call('auth.test')).rejects.toThrow(/^Slack did not respond in time \(auth.test\)$/);
    const slow = await client((_, response) => void response.writeHead(200).write('{'), 20);
    await expect(slow.call('auth.test')).rejects.toThrow('Slack did not respond in time (auth.test)');
  });

  it.each([
    'http://slack.example/api/',
    'ftp://127.0.0.1/',
    'slack.com',
    'https://slack.com/api/?x=',
    'http://127.0.0.1.evil.example/',
  ])('refuses the address %s', (address) => {
    expect(() => new SlackClient('xoxb-test', address)).toThrow(/must begin with https/);
  });

  it.each(['', 'xoxb test', 'xoxb\n', undefined])('refuses the token %j', (token) => {
    expect(() => new SlackClient(token as never)).toThrow(/needs `botToken`/);
  });
});
