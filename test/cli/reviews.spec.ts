import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decision } from '#stores/contract/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { cli, type CliResult } from './built-cli.js';

let database: FreshDatabase;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'reviews-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const run = (...words: readonly string[]): Promise<CliResult> =>
  cli(['reviews', 'export', ...words], { DATABASE_URL: database.url });

describe('nest-guardrails reviews export', () => {
  it('writes reviewed prompts as labelled examples, readable for the owner only, and never over a file', async () => {
    const stores = typeormStores({ url: database.url });
    await stores.open();
    const author = { note: null, actorId: 'ops-1', requestId: null, reviewedAt: new Date() };
    for (const [index, verdict] of (['true_positive', 'false_positive', 'unsure'] as const).entries()) {
      const entry = decision({ outcome: 'blocked', ruleId: 'planted', prompt: `prompt ${index}` });
      await stores.reviews.append({ entryId: await stores.audit.append(entry), verdict, ...author });
    }
    await stores.close();

    const out = join(folder, 'reviews.jsonl');
    const { code, stdout } = await run('--out', out);
    expect([code, stdout]).toEqual([0, '2 examples were written.\n']);
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { text: 'prompt 1', label: 0, source: 'reviews of prompt', entry_id: 2, rule_id: 'planted' },
      { text: 'prompt 0', label: 1, source: 'reviews of prompt', entry_id: 1, rule_id: 'planted' },
    ]);
    expect((await stat(out)).mode & 0o777).toBe(0o600);

    const again = await run('--out', out);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('already exists')]);
    expect(await readFile(out, 'utf8')).toContain('prompt 0');
  });

  it('needs a file name that npm run x -- eval reads', async () => {
    expect((await run()).code).toBe(2);
    expect((await run('--out', join(folder, 'reviews.csv'))).code).toBe(2);
  });
});
