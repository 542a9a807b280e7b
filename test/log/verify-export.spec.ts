import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Entry,
  entryAt,
  type Export,
  hashOf,
  honest,
  key,
  keyOf,
  noteOf,
  sha256,
  textOf,
  timeOf,
  write as writeExport,
} from '../support/handmade-export.js';

const VERIFIER = fileURLToPath(new URL('../../tools/verify-export.mjs', import.meta.url));

let folder: string;

const write = (given: Export): void => writeExport(folder, given);

/** Runs the program in a thread, which starts three times faster than a process. */
async function verify(
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const argv = [folder, '--public-key', textOf(key), '--tolerance', '60', ...more];
  const program = new Worker(VERIFIER, { argv, stdout: true, stderr: true });
  const [output, errors, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'exit') as Promise<[number]>,
  ]);
  return { code, output: output + errors };
}

function heldBeforehand(): string {
  const path = join(folder, 'held.txt');
  writeFileSync(path, noteOf(honest().leaves, 12));
  return path;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-export-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces an entry and everything that an operator of the database can compute again. */
const change = (given: Export, number: number, members: Partial<Entry>): Entry => {
  const entry = given.entries[number - 1] as Entry;
  return Object.assign(entry, members);
};

describe('tools/verify-export.mjs', () => {
  it('accepts an unchanged export, also with a checkpoint that was kept elsewhere', async () => {
    write(honest());
    expect(await verify()).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Note: No checkpoint from elsewhere.*\n12 entries.*\nNo difference was found\.\n$/s,
      ),
    });
    expect(await verify('--checkpoint', heldBeforehand())).toEqual({
      code: 0,
      output: [
        `Note: There is no checkpoint between ${timeOf(6)} and ${timeOf(12)}. Within such a time a wrong date is not detected.`,
        `12 entries from the beginning to ${timeOf(12)}, 12 of them in the log, 2 checkpoints.`,
        'No difference was found.\n',
      ].join('\n'),
    });
  });

  it.each<[string, (given: Export) => void, RegExp]>([
    [
      'a changed row',
      (given) => change(given, 3, { outcome: 'allowed' }),
      /Entry 6 is not in the log: it was changed/,
    ],
    [
      'a changed text',
      (given) => change(given, 3, { prompt: 'hello' }),
      /The prompt of entry 6 is not the one/,
    ],
    [
      'a changed name',
      (given) => change(given, 3, { principal_id: 'customer-7' }),
      /The principal of entry 6/,
    ],
    [
      'a rule that hides another one',
      (given) =>
        change(given, 3, {
          matched_rules: [
            { rule_id: 'harmless', ruleId: 'instruction_override.ignore_previous', span: [0, 12] },
          ],
        }),
      /Entry 6 is not in the log/,
    ],
    ['a removed finding', (given) => change(given, 3, { findings: [] }), /Entry 6 is not in the log/],
    [
      'a text without its salt',
      (given) => change(given, 3, { salt: null }),
      /Entry 6 has a text without its salt/,
    ],
    [
      'a row with another member',
      (given) => change(given, 3, { note: 'seen' }),
      /entry 6 has members that no/,
    ],
    [
      'a row whose id controls the terminal, without printing it',
      ({ entries }) => Object.assign(entries[2] as Entry, { id: '\u001b[2J' }),
      /^Entry \?\[2J comes after entry 4/m,
    ],
    [
      'a row without its id',
      ({ entries }) => delete (entries[2] as Partial<Entry>).id,
      /Entry undefined comes after entry 4/,
    ],
    [
      'a row without its commitments',
      ({ entries }) => delete (entries[2] as Partial<Entry>).commitments,
      /file of the export is damaged or was changed/,
    ],
    ['a member that contradicts the outcome', (given) => change(given, 3, { blocked: false }), /contradicts/],
    [
      'a row whose leaf has another time',
      (given) => (given.leaves[1] = ['evidence', timeOf(5), hashOf(entryAt(2))]),
      /Entry 4 has another time than its leaf: it was back-dated/,
    ],
    ['a removed row', ({ entries }) => entries.splice(4, 1), /1 entries of the period are missing.*removed/],
    [
      'an added row',
      ({ entries }) => entries.splice(4, 0, { ...entryAt(5), id: 9, sequence: 4.5 }),
      /Entry 9 is not in the log: it was changed or added/,
    ],
    ['a repeated row', ({ entries }) => entries.splice(4, 0, entryAt(4)), /Entry 8 comes after entry 8/],
    [
      'reordered rows',
      (given) => (given.entries = given.entries.toReversed()),
      /Entry 22 comes after entry 24: entries were reordered/,
    ],
    [
      'rows that exchanged their ids',
      ({ entries }) => {
        [entries[4], entries[5]] = [
          { ...entryAt(6), id: 10 },
          { ...entryAt(5), id: 12 },
        ];
      },
      /Entry 12 has a lower number than an earlier entry of its writer: entries were reordered/,
    ],
    [
      'a row that was recorded later than it is dated',
      (given) => {
        const entry = change(given, 11, { occurred_at: timeOf(2) });
        given.leaves[11] = ['evidence', entry.occurred_at, hashOf(entry)];
      },
      /leaf 11 is dated 2026-03-01T00:02:00\.000Z, but was recorded after .*back-dated/,
    ],
    [
      'a row that is dated after its checkpoint',
      (given) => {
        const entry = change(given, 2, { occurred_at: timeOf(40) });
        given.leaves[1] = ['evidence', entry.occurred_at, hashOf(entry)];
      },
      /leaf 1 is dated after the checkpoint that covers it/,
    ],
    [
      'a log that was rebuilt with another key',
      (given) => (given.privateKey = keyOf().privateKey),
      /^Not signed with this key: the checkpoint at leaf/,
    ],
    ['a log without a checkpoint at its end', ({ checkpoints }) => checkpoints.pop(), /6 leaves at the end/],
  ])('refuses %s', async (_, tamper, sentence) => {
    const given = honest();
    tamper(given);
    write(given);
    const { code, output } = await verify();
    expect(output).toMatch(sentence);
    expect(output).toMatch(/The export is NOT authentic\.\n$/);
    expect(code).toBe(1);
  });

  it.each([
    ['0 where nothing differs', () => undefined, 0],
    ['1 after a difference', ({ entries }: Export) => entries.splice(4, 1), 1],
  ] as const)('exits with %s', (_, tamper, code) => {
    const given = honest();
    tamper(given);
    write(given);
    const words = [VERIFIER, folder, '--public-key', textOf(key), '--tolerance', '60'];
    expect(spawnSync(process.execPath, words).status).toBe(code);
  });

  it('refuses a removed end if an earlier checkpoint covers it', async () => {
    const given = honest();
    given.entries.splice(6);
    given.leaves.splice(7);
    given.checkpoints.pop();
    write(given);
    expect((await verify()).code).toBe(0);
    const { code, output } = await verify('--checkpoint', heldBeforehand());
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/has 7 leaves, but .* covers 13: its end was removed/),
    ]);
  });

  it('refuses a log that was rebuilt with the right key, if an earlier checkpoint differs', async () => {
    const given = honest();
    const entry = change(given, 3, { outcome: 'allowed', blocked: false });
    given.leaves[2] = ['evidence', entry.occurred_at, hashOf(entry)];
    write(given);
    expect((await verify()).code).toBe(0);
    const { code, output } = await verify('--checkpoint', heldBeforehand());
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/do not have the root of the checkpoint that was kept/),
    ]);
  });

  it('accepts a log whose key was changed, given both keys', async () => {
    const other = keyOf();
    const given = honest();
    given.checkpoints[1] = { size: 13, minute: 12, privateKey: other.privateKey };
    write(given);
    expect(await verify('--public-key', `${textOf(key)},${textOf(other)}`)).toMatchObject({ code: 0 });
    for (const one of [key, other])
      expect(await verify('--public-key', textOf(one))).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^Not signed with this key: the checkpoint at leaf/),
      });
  });

  it('accepts rows that a recorded retention run deleted, and no others', async () => {
    const run = [
      1,
      'ops-1',
      'purge',
      JSON.stringify({ kind: 'before', before: timeOf(3) }),
      '{"entries":2}',
      null,
      timeOf(11),
      timeOf(12),
    ];
    const given = honest();
    given.leaves.push(['retention_run', timeOf(12), sha256(JSON.stringify(run)).toString('base64url'), run]);
    given.checkpoints.push({ size: 14, minute: 13 });
    given.entries.splice(0, 2);
    write(given);
    expect(await verify()).toMatchObject({
      code: 0,
      output: expect.stringMatching(/2 entries of the period are missing\. The recorded .* as many/),
    });
    given.entries = honest().entries;
    given.entries.splice(7, 2);
    write(given);
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no recorded retention run deleted/),
    });
    given.leaves.splice(1, 0, ...given.leaves.splice(-1));
    given.checkpoints = [{ size: 14, minute: 13 }];
    given.entries = honest().entries.slice(2);
    write(given);
    // A run deletes only what was recorded before it.
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no recorded retention run deleted/),
    });
    run[4] = '{"entries":20}';
    write(given);
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/record of a retention run .* changed/),
    });
  });

  it('requires the period that the auditor gives to be complete', async () => {
    const given = honest();
    given.entries.splice(0, 4);
    given.query['from'] = timeOf(5);
    write(given);
    expect(await verify()).toMatchObject({ code: 0, output: expect.stringMatching(`from ${timeOf(5)}`) });
    expect(await verify('--from', timeOf(1), '--to', timeOf(12))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/4 entries of the period are missing/),
    });
    expect(await verify('--to', timeOf(30))).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Later entries of the period can be missing/),
    });
    expect(await verify('--from', 'yesterday')).toMatchObject({ code: 2 });
  });

  it('compares dates with checkpoints that were kept elsewhere, also those that the export lacks', async () => {
    const given = honest();
    const entry = change(given, 9, { occurred_at: timeOf(2) });
    given.leaves[9] = ['evidence', entry.occurred_at, hashOf(entry)];
    given.checkpoints.shift();
    write(given);
    expect((await verify()).code).toBe(0);
    const early = join(folder, 'early.txt');
    writeFileSync(early, noteOf(honest().leaves.slice(0, 7), 6).replaceAll('\n', '\r\n'));
    const late = join(folder, 'late.txt');
    writeFileSync(late, noteOf(given.leaves, 12));
    expect(await verify('--checkpoint', late, '--checkpoint', early)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/leaf 9 is dated .* it was back-dated/),
    });
  });

  it('says that the event of a sink is not the note itself', async () => {
    write(honest());
    const event = join(folder, 'event.json');
    writeFileSync(event, JSON.stringify({ data: { note: noteOf(honest().leaves, 12) } }));
    expect(await verify('--checkpoint', event)).toEqual({
      code: 2,
      output: expect.stringMatching(
        /event\.json\) is not a signed note\. .* the note is the member data\.note/,
      ),
    });
  });

  it('compares the list of parts with the SHA-256 of the manifest', async () => {
    write(honest());
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...manifest, parts_sha256: 'a'.repeat(64) }));
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/list of parts was changed/),
    });
  });

  it('accepts entries without a leaf only around the newest checkpoint', async () => {
    const given = honest();
    given.entries.push({ ...entryAt(13), occurred_at: timeOf(12) });
    write(given);
    expect(await verify()).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /No checkpoint covers 1 entries, .* added: 26\.[^]*No difference was found\. 1 entries are not proved\./,
      ),
    });
    given.entries.splice(-1, 1, entryAt(14));
    write(given);
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/Entry 28 is not in the log/),
    });
  });

  it('proves the entries of a filtered export, and names the missing proofs', async () => {
    const given = honest();
    given.entries.splice(2, 5);
    given.query['principal_id'] = 'customer-42';
    write(given);
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^The manifest says that the export is filtered\. Pass --filtered[^]*are missing/,
      ),
    });
    expect(await verify('--filtered')).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /every entry of the principal cannot be proved\.\n7 entries .*, 7 of them in the log/,
      ),
    });
  });

  it('refuses a changed file, and exits with 2 where it cannot verify', async () => {
    write(honest());
    writeFileSync(join(folder, 'part-00001.ndjson.gz'), gzipSync(''));
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/part-00001.* was changed/),
    });
    writeFileSync(join(folder, 'part-00001.ndjson.gz'), 'not compressed');
    expect(await verify()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/part-00001.* was changed/),
    });
    const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
    writeFileSync(
      join(folder, 'manifest.json'),
      manifest.replace('part-00001.ndjson.gz', '../part-00001.ndjson.gz'),
    );
    expect(await verify()).toMatchObject({
      code: 2,
      output: expect.stringMatching(/a file outside the export/),
    });
    writeFileSync(join(folder, 'manifest.json'), manifest.replace('"principal_id":null,', ''));
    expect(await verify()).toMatchObject({
      code: 2,
      output: expect.stringMatching(/no description of the export/),
    });
    expect(spawnSync(process.execPath, [VERIFIER, folder], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Usage: /),
    });
  });

  it('prints every sentence that the page of its messages explains', () => {
    const program = readFileSync(VERIFIER, 'utf8').replaceAll(/\$\{[^}]*\}/g, '…');
    const guide = readFileSync(new URL('../../docs/reference/verifier.md', import.meta.url), 'utf8');
    const [differences = '', notes = ''] = guide.split('| A difference').at(1)?.split('| A note') ?? [];
    const sentences = (table: string): string[] =>
      [...table.matchAll(/^\| (`[A-Z…].*?`) +\|/gm)].flatMap(([, cell = '']) =>
        cell.split(', `').map((sentence) => sentence.replaceAll(/`|^… |: …`$/g, '')),
      );
    expect(sentences(differences)).toHaveLength(22);
    expect(sentences(notes)).toHaveLength(7);
    for (const sentence of sentences(differences + notes)) expect(program).toContain(sentence);
  });
});
