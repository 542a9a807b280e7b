import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { PgliteStream } from './pglite-stream.js';
import { SessionQueue } from './session-queue.js';

const never = (): Promise<Uint8Array> => Promise.reject(new Error('nothing was asked'));

function streamTo(waitReady: Promise<void>): PgliteStream {
  return new PgliteStream({ waitReady, execProtocolRaw: never }, new SessionQueue(), 1000);
}

describe('a connection to a PGlite that is still opening', () => {
  it('connects once it is ready', async () => {
    const seen: string[] = [];
    let ready = (): void => undefined;
    const stream = streamTo(new Promise((resolve) => (ready = resolve)));
    stream.on('connect', () => seen.push('connected'));
    stream.connect();
    await Promise.resolve();
    expect(seen).toEqual([]);
    const connected = once(stream, 'connect');
    ready();
    await connected;
    expect(seen).toEqual(['connected']);
  });

  it('fails where it cannot be opened, and takes nothing else with it', async () => {
    const stream = streamTo(Promise.reject(new Error('the folder is not a database')));
    const failed = once(stream, 'error');
    stream.connect();
    expect(await failed).toEqual([new Error('the folder is not a database')]);
  });
});
