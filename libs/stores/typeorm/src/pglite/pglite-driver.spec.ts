import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SessionQueue } from './pglite-driver.js';
import { leavesSessionIdle, nextUnit, PgliteStream } from './pglite-driver.js';

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

  it('fails if it cannot be opened, without an unhandled error', async () => {
    const stream = streamTo(Promise.reject(new Error('the folder is not a database')));
    const failed = once(stream, 'error');
    stream.connect();
    expect(await failed).toEqual([new Error('the folder is not a database')]);
  });
});

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function startUp(body: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt32BE(4 + body.length);
  return Buffer.concat([head, body]);
}

const body = fc.uint8Array({ maxLength: 40 });

/** A simple query, or the messages of a prepared one up to its Sync. */
const unit = fc.oneof(
  body.map((text) => message('Q', text)),
  fc
    .array(fc.tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C', 'd'), body), { maxLength: 5 })
    .map((parts) =>
      Buffer.concat([...parts.map(([type, text]) => message(type, text)), message('S', Buffer.alloc(0))]),
    ),
);

describe('wire messages', () => {
  it('are split into the same units for any division of the bytes', () => {
    fc.assert(
      fc.property(
        body.map(startUp),
        fc.array(unit, { maxLength: 6 }),
        fc.infiniteStream(fc.nat(9)),
        (...args) => {
          const [first, rest, steps] = args;
          const sent = Buffer.concat([first, ...rest]);
          const taken: Buffer[] = [];
          let written = Buffer.alloc(0);
          let at = 0;
          while (at < sent.length) {
            const step = 1 + (steps.next().value as number);
            written = Buffer.concat([written, sent.subarray(at, at + step)]);
            at += step;
            for (;;) {
              const { length, ends } = nextUnit(written, taken.length > 0);
              expect(ends).toBe(false);
              if (length === 0) break;
              taken.push(written.subarray(0, length));
              written = written.subarray(length);
            }
          }
          expect(taken.map((part) => part.toString('hex'))).toEqual(
            [first, ...rest].map((part) => part.toString('hex')),
          );
        },
      ),
    );
  });

  it('end with Terminate', () => {
    expect(nextUnit(message('X', Buffer.alloc(0)), true)).toEqual({ length: 0, ends: true });
  });

  it.each([
    ['I', true],
    ['T', false],
    ['E', false],
  ])('read from ReadyForQuery %s whether the session is idle: %s', (status, idle) => {
    expect(leavesSessionIdle(message('Z', Buffer.from(status)))).toBe(idle);
  });
});
