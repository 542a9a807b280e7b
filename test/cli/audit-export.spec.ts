import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, statSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditExportLine } from '#contracts/audit/entry.js';
import { TestHost } from '../http/support/host.js';
import { cli, startCli, type CliResult } from './built-cli.js';

const TOTAL = 25;

let host: TestHost;
let folder: string;

beforeAll(async () => {
  host = await TestHost.start();
  for (let count = 0; count < TOTAL; count++)
    await host.guardrails.screen(`order ${count}`, { principalId: `customer-${count % 2}` });
}, 120_000);

afterAll(() => host.stop());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const environment = (as: string): Readonly<Record<string, string>> => ({
  GUARDRAILS_API_URL: `${host.origin}/guardrails/api/`,
  GUARDRAILS_API_AUTHORIZATION: `Bearer ${as}`,
});

const run = (words: readonly string[] = [], as = 'operator'): Promise<CliResult> =>
  cli(['audit', 'export', '--out', folder, ...words], environment(as));

interface Manifest {
  readonly completed_at: string | null;
  readonly rows: number;
  readonly last_id: number;
  readonly parts: readonly {
    readonly file: string;
    readonly rows: number;
    readonly first_id: number;
    readonly last_id: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
  readonly parts_sha256: string;
}

const manifest = (): Manifest => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** The lines of every part, after the manifest was compared with the files. */
function verifiedLines(): readonly AuditExportLine[] {
  const { parts, parts_sha256: digest, rows } = manifest();
  expect(digest).toBe(sha256(JSON.stringify(parts)));
  const found = parts.flatMap((part) => {
    const bytes = readFileSync(join(folder, part.file));
    expect([part.sha256, part.bytes]).toEqual([sha256(bytes), bytes.length]);
    const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as AuditExportLine);
    expect([part.rows, part.first_id, part.last_id]).toEqual([
      entries.length,
      entries[0]?.id,
      entries.at(-1)?.id,
    ]);
    return entries;
  });
  expect(found).toHaveLength(rows);
  const files = readdirSync(folder).toSorted();
  expect(files).toEqual(['manifest.json', ...parts.map(({ file }) => file)]);
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  return found;
}

const ids = Array.from({ length: TOTAL }, (_, index) => index + 1);

describe('nest-guardrails audit export', () => {
  it('writes parts and a manifest that fits them, without texts', async () => {
    expect(await run(['--part-rows', '10'])).toMatchObject({
      code: 0,
      stdout: `25 entries in 3 parts are exported to ${folder}.\n`,
    });
    expect(verifiedLines().map(({ id }) => id)).toEqual(ids);
    expect(verifiedLines().some((line) => 'prompt' in line || 'salt' in line)).toBe(false);
    expect(manifest().completed_at).not.toBeNull();
  });

  it('ends after a part that is exactly full', async () => {
    expect(await run(['--part-rows', '25'])).toMatchObject({ code: 0 });
    expect(manifest().parts).toHaveLength(1);
    expect(verifiedLines()).toHaveLength(TOTAL);
  });

  it('exports one principal, with contents', async () => {
    const words = ['audit', 'export', '--out', folder, '--principal', '-', '--with-content'];
    expect(await startCli(words, environment('operator'), 'customer-1\n').result).toMatchObject({ code: 0 });
    const lines = verifiedLines();
    expect(lines.map(({ principal_id }) => principal_id)).toEqual(Array<string>(12).fill('customer-1'));
    expect(lines[0]).toMatchObject({ prompt: 'order 1', salt: expect.any(String) });
  });

  it('exports nothing from an empty period', async () => {
    expect(await run(['--to', '2020-01-01'])).toMatchObject({ code: 0 });
    expect(manifest()).toMatchObject({ rows: 0, first_id: null, last_id: null, parts: [] });
  });

  it('continues an interrupted export, and does nothing where it is complete', async () => {
    await run(['--part-rows', '10']);
    const { parts, ...complete } = manifest();
    const kept = parts.slice(0, 1);
    const interrupted = {
      ...complete,
      completed_at: null,
      rows: 10,
      last_id: kept[0]?.last_id,
      parts: kept,
      parts_sha256: sha256(JSON.stringify(kept)),
    };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(interrupted));
    writeFileSync(join(folder, 'unfinished.gz'), 'half a part');
    expect(await run(['--part-rows', '10'])).toMatchObject({ code: 0 });
    expect(manifest().parts).toEqual(parts);
    expect(verifiedLines().map(({ id }) => id)).toEqual(ids);
    const before = manifest();
    expect(await run()).toMatchObject({ code: 0 });
    expect(manifest()).toEqual(before);
  });

  it('refuses a folder with another export, a changed part and a changed manifest', async () => {
    await run();
    expect(await run(['--with-content'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('contains an export with other options'),
    });
    const [part] = manifest().parts;
    writeFileSync(join(folder, part?.file ?? ''), 'changed');
    expect(await run()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('part-00001.ndjson.gz was changed'),
    });
    for (const text of ['{', 'null', JSON.stringify({ ...manifest(), parts: [] })]) {
      writeFileSync(join(folder, 'manifest.json'), text);
      expect(await run()).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not the manifest of an export'),
      });
    }
  });

  it('prints why the API refused, and continues once it is allowed', async () => {
    expect(await run([], 'nameless')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('has no actor'),
    });
    expect(await run(['--from', 'tomorrow'])).toMatchObject({ code: 2 });
    expect(await run()).toMatchObject({ code: 0 });
    expect(verifiedLines()).toHaveLength(TOTAL);
    expect(await cli(['audit', 'export'], environment('operator'))).toMatchObject({ code: 2 });
  });
});
