import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { EventSink } from '#contracts/events/event-sink.js';
import type { Checkpoint } from '#contracts/events/checkpoints.js';
import { CheckpointSigner, openCheckpoint } from '#engine/record/checkpoint-notes.js';
import { StdoutSink } from '#sinks/stdout.sink.js';
import { SlackSink } from '#sinks/slack.sink.js';
import { resolveCheckpointKey } from '#standalone/configured-settings.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { bench, type Bench } from '../support/engine.js';
import { SetClock } from '../http/support/set-clock.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PUBLIC_KEY = new CheckpointSigner(KEY).publicKey;
const HOUR = 3_600_000;

class Pager extends EventSink {
  override readonly name = 'pager';

  override async deliver(): Promise<void> {
    throw new Error('The pager received an event.');
  }
}

let clock: SetClock;
const open: Bench[] = [];

afterEach(async () => {
  for (const { engine } of open.splice(0)) await engine.stop();
});

async function started(settings: Readonly<Record<string, unknown>>): Promise<Bench & { lines: string[] }> {
  clock = new SetClock();
  clock.set('2026-06-01T12:00:00.000Z');
  const lines: string[] = [];
  const stream = {
    write: (text: string, done: () => void): void => {
      lines.push(text);
      done();
    },
  };
  const url = 'https://hooks.slack.com/services/T/B/X';
  const sinks = [
    new StdoutSink({ stream, events: ['guardrails.approval.*'], minimumSeverity: 'critical' }),
    new SlackSink({ url, minimumSeverity: 'low' }),
    new Pager(),
  ];
  const setup = await bench(settings, { stores: memoryStores({ clock }), clock, sinks });
  open.push(setup);
  return { ...setup, lines };
}

const queued = async ({ stores }: Bench): Promise<readonly string[]> =>
  (await stores.outbox.backlog()).map(({ sink, waiting }) => `${sink} ${waiting}`);

async function checkpointOf({ stores }: Bench): Promise<Checkpoint> {
  const newest = await stores.log.newest();
  if (newest === null) throw new Error('no checkpoint');
  return newest;
}

describe('checkpoints', () => {
  it('are not made without a key, and then nothing is logged', async () => {
    const setup = await started({});
    await setup.engine.guardrails.screen('Where is my parcel?');
    await setup.engine.checkpoints.tick();
    expect([await setup.stores.log.newest(), await setup.stores.log.leaves(0, 10)]).toEqual([null, []]);
  });

  it('go to all sinks that keep a log, and to no others', async () => {
    const setup = await started({ 'audit.checkpoint_key': KEY, 'events.stream': 'off' });
    await setup.engine.guardrails.screen('one');
    const before = await queued(setup);
    await setup.engine.checkpoints.tick();
    const { size, root, note, time } = await checkpointOf(setup);
    expect(setup.log.names).toContain('guardrails.audit.checkpointed');
    expect(await queued(setup)).toEqual([...before, 'stdout 1']);
    expect((await setup.stores.outbox.claim('stdout', 9, 1))[0]).toMatchObject({
      name: 'guardrails.audit.checkpointed',
      payload: { size, root, note, time: time.toISOString() },
    });
  });

  it('are made once per interval, and only if something was recorded since', async () => {
    const setup = await started({ 'audit.checkpoint_key': KEY, 'audit.checkpoint_interval': 3600 });
    const sizeAfter = async (milliseconds: number): Promise<number> => {
      clock.advance(milliseconds);
      await setup.engine.checkpoints.tick();
      return (await checkpointOf(setup)).size;
    };
    await setup.engine.guardrails.screen('one');
    expect(await sizeAfter(0)).toBe(1);
    await setup.engine.guardrails.screen('two');
    expect(await sizeAfter(HOUR - 1)).toBe(1);
    expect(await sizeAfter(1)).toBe(2);
    const { time } = await checkpointOf(setup);
    expect(await sizeAfter(2 * HOUR)).toBe(2);
    expect((await checkpointOf(setup)).time).toEqual(time);
  });

  it('are signed notes that state size, root and time', async () => {
    const setup = await started({ 'audit.checkpoint_key': KEY });
    await setup.engine.guardrails.screen('one');
    await setup.engine.checkpoints.tick();
    const { note, ...head } = await checkpointOf(setup);
    expect(openCheckpoint(note, PUBLIC_KEY)).toEqual(head);
    expect(
      openCheckpoint(
        note,
        Buffer.from(PUBLIC_KEY.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64'),
      ),
    ).toEqual(head);
  });
});

describe('a signed note', () => {
  const head = { size: 12, root: Buffer.alloc(32, 1).toString('base64'), time: new Date(HOUR) };

  it('has the form of C2SP tlog-checkpoint', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    const note = new CheckpointSigner(pem).sign(head);
    const [text = '', signature = ''] = note.split(/(?<=\n)\n/);
    const [origin, ...lines] = text.split('\n');
    expect(lines).toEqual(['12', head.root, 'time 1970-01-01T01:00:00.000Z', '']);
    const [dash, name, base64 = ''] = signature.trimEnd().split(' ');
    expect([dash, name]).toEqual(['—', origin]);
    const bytes = Buffer.from(base64, 'base64');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const id = createHash('sha256').update(`${name}\n\u0001`).update(raw).digest().subarray(0, 4);
    expect(bytes.subarray(0, 4)).toEqual(id);
    expect(verify(null, Buffer.from(text), createPublicKey(pem), bytes.subarray(4))).toBe(true);
  });

  it('is refused if it was changed or signed with another key', () => {
    const note = new CheckpointSigner(KEY).sign(head);
    const other = new CheckpointSigner(Buffer.alloc(32, 8).toString('base64'));
    const second = new CheckpointSigner(KEY).sign({ ...head, size: 13 });
    for (const changed of [
      note.replace('\n12\n', '\n13\n'),
      note.replace('01:00', '02:00'),
      note.replace(/(?<=— ).*/, /(?<=— ).*/.exec(second)?.[0] ?? ''),
      other.sign(head),
    ])
      expect(() => openCheckpoint(changed, PUBLIC_KEY)).toThrow(/not signed with this key, or was changed/);
    expect(() => openCheckpoint('a note', PUBLIC_KEY)).toThrow(/not a signed note/);
    expect(() => openCheckpoint(note, 'a key')).toThrow(/public key is invalid/);
  });
});

describe('the checkpoint key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-key-'));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read from a file that only its owner can read', () => {
    const path = join(folder, 'key');
    writeFileSync(path, `${KEY}\n`, { mode: 0o600 });
    const { key, reasons } = resolveCheckpointKey(`file:${path}`);
    expect([key?.trim(), reasons]).toEqual([KEY, []]);
    chmodSync(path, 0o644);
    expect(resolveCheckpointKey(`file:${path}`)).toEqual({
      key: null,
      reasons: [expect.stringMatching(/other users can read .* chmod 600/)],
    });
    expect(resolveCheckpointKey(`file:${join(folder, 'none')}`).reasons).toEqual([
      expect.stringMatching(/cannot be read: ENOENT/),
    ]);
  });

  it.each(['short', Buffer.alloc(31).toString('base64'), '-----BEGIN PRIVATE KEY-----'])(
    'is refused without repeating it: %p',
    (given) => {
      const { key, reasons } = resolveCheckpointKey(given);
      expect([key, reasons]).toEqual([null, [expect.stringMatching(/is not an Ed25519 key: set it to/)]]);
      expect(reasons.join()).not.toContain(given);
    },
  );
});
