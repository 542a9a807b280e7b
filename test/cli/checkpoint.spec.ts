import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckpointSigner } from '#engine/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { bench } from '../support/engine.js';
import { cli, type CliResult } from './built-cli.js';
import { EMPTY_LOG, rewrite, tamper } from './tampering.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');

let database: FreshDatabase;
let folder: string;
let held: string;
let publicKey: string;

async function record(texts: readonly string[], key = KEY): Promise<void> {
  const stores = typeormStores({ url: database.url });
  const settings = { 'audit.checkpoint_key': key, 'audit.checkpoint_interval': 10 };
  const { engine } = await bench(settings, { stores, clock: { now: () => new Date(Date.now() + 60_000) } });
  for (const text of texts) await engine.guardrails.screen(text, { principalId: 'customer-42' });
  while (await stores.log.extend(100));
  await stores.log.checkpoint(0, (head) => ({ note: new CheckpointSigner(key).sign(head), outgoing: [] }));
  await engine.stop();
  await stores.close();
}

beforeEach(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  await record(['one', 'two', 'three', 'four']);
  const { stdout } = await cli(['checkpoint'], { DATABASE_URL: database.url });
  held = join(folder, 'checkpoint.txt');
  writeFileSync(held, stdout);
  publicKey = await keyOf(KEY);
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

async function keyOf(key: string): Promise<string> {
  const { stdout } = await cli(['checkpoint', '--public-key'], { GUARDRAILS_AUDIT_CHECKPOINT_KEY: key });
  return stdout.trim();
}

const verify = (...options: string[]): Promise<CliResult> =>
  cli(['verify', ...options], { DATABASE_URL: database.url });

const verifyHeld = (): Promise<CliResult> => verify('--checkpoint', held, '--public-key', publicKey);

describe('verify with a checkpoint', () => {
  it('accepts an audit that has grown, and what retention deleted', async () => {
    await record(['five', 'six']);
    await cli(['purge', '--actor', 'ops-1', '--strategy', 'purge', '--entry', '2'], {
      DATABASE_URL: database.url,
    });
    expect(await verifyHeld()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/6 leaves and 2 checkpoints\. The rows of 1 leaves were deleted/),
    });
    expect((await verify()).code).toBe(0);
  });

  it('reports a row whose hash was recomputed', async () => {
    await rewrite(database, 2);
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^log: The row of evidence 2 differs from its leaf/m),
    });
  });

  it('reports a log that was rebuilt and signed again, which only the checkpoint kept elsewhere reveals', async () => {
    await rewrite(database, 2);
    await tamper(database, ...EMPTY_LOG);
    await record([]);
    expect((await verify()).code).toBe(0);
    expect(await verifyHeld()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^log: The log was rebuilt: its first 4 leaves/m),
    });
  });

  it('reports a log that was rebuilt and signed with another key', async () => {
    await tamper(database, ...EMPTY_LOG);
    await record([], OTHER_KEY);
    expect(await verifyHeld()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^log: The stored checkpoint of 4 leaves: .* not signed with this key/m),
    });
  });

  it('reports a removed end and removed leaves', async () => {
    await record(['five', 'six']);
    await tamper(
      database,
      'update guardrails_log_leaves set refs = refs[:3], times = times[:3], hashes = substr(hashes, 1, 96) where index = 0',
      'delete from guardrails_log_leaves where index > 0',
    );
    expect((await verifyHeld()).stdout).toMatch(/^log: The end of the log was removed: it has 3 leaves/m);
    await record(['seven']);
    expect((await verify()).stdout).toMatch(/^log: Leaves 3 to 5 of the transparency log are missing/m);
  });

  it('reports a row of the log that cannot be read', async () => {
    await tamper(
      database,
      'alter table guardrails_log_leaves drop constraint guardrails_log_leaves_check',
      'update guardrails_log_leaves set hashes = substr(hashes, 2)',
    );
    expect((await verify()).stdout).toMatch(/^log: The transparency log cannot be read from leaf 0 on/m);
  });

  it('reports rows that were removed without a retention run', async () => {
    await tamper(database, 'delete from guardrails_audit_evidence where id = 3');
    expect((await verify()).stdout).toMatch(
      /1 rows of evidence in the log are missing, but retention runs deleted 0 entries/,
    );
  });

  it('reports a review that was removed, also after a purge has deleted others', async () => {
    const stores = typeormStores({ url: database.url });
    await stores.open();
    for (const entryId of [2, 3, 4]) {
      const review = { entryId, verdict: 'unsure', note: null, actorId: 'ops-1', requestId: null } as const;
      await stores.reviews.append({ ...review, reviewedAt: new Date() });
    }
    await stores.log.extend(100);
    await stores.close();
    const purge = ['purge', '--actor', 'ops-1', '--strategy', 'purge', '--entry', '2'];
    const { stdout } = await cli(purge, { DATABASE_URL: database.url });
    expect(stdout).toMatch(/^ {2}reviews of deleted entries: 1$/m);
    expect((await verify()).code).toBe(0);
    await tamper(database, 'delete from guardrails_audit_reviews where evidence_id = 3');
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /2 rows of review in the log are missing, but retention runs deleted 1 reviews/,
      ),
    });
  });

  it('reports votes that were removed', async () => {
    await tamper(
      database,
      `insert into guardrails_approval_votes (approval_id, actor_id, voted_at, vote_mac)
        values (1, 'ops-1', now(), 'mac')`,
    );
    const stores = typeormStores({ url: database.url });
    await stores.open();
    await stores.log.extend(100);
    await stores.close();
    await tamper(database, 'delete from guardrails_approval_votes');
    expect((await verify()).stdout).toMatch(
      /1 rows of vote in the log are missing, but retention runs deleted 0 votes/,
    );
  });

  it('reports a row that was added at a position before the end of the log', async () => {
    await tamper(
      database,
      'create temp table copy as select * from guardrails_audit_evidence where id = 2',
      'update copy set id = -1, writer = gen_random_uuid()',
      'insert into guardrails_audit_evidence overriding system value select * from copy',
    );
    expect((await verify()).stdout).toMatch(/^log: Entry -1 has no leaf in the log/m);
  });

  it('reports changed records of other kinds', async () => {
    const stores = typeormStores({ url: database.url });
    await stores.open();
    const { id } = await stores.holds.set(
      { scope: { kind: 'run', runId: 'run-1' }, reason: 'case 118', setBy: 'ops-1' },
      () => [],
    );
    await stores.log.extend(100);
    await stores.close();
    expect((await verify()).code).toBe(0);
    await tamper(database, `update guardrails_holds set reason = 'another' where id = ${id}`);
    expect((await verify()).stdout).toMatch(/^log: The row of hold 1 differs from its leaf in the log/m);
    await tamper(database, 'delete from guardrails_holds');
    expect((await verify()).stdout).toMatch(/^log: The log has a leaf of hold 1, whose row is missing/m);
  });

  it('accepts stored checkpoints of a changed key, if both keys are given, also in files', async () => {
    await record(['five'], OTHER_KEY);
    expect((await verifyHeld()).stdout).toMatch(
      /^log: The stored checkpoint of 5 leaves: .* not signed with/m,
    );
    const keys = `${publicKey},${await keyOf(OTHER_KEY)}`;
    expect((await verify('--checkpoint', held, '--public-key', keys)).code).toBe(0);
    const file = join(folder, 'guardrails.pub');
    writeFileSync(file, `${publicKey}\n`);
    const withFile = `${file},${await keyOf(OTHER_KEY)}`;
    expect((await verify('--checkpoint', held, '--public-key', withFile)).code).toBe(0);
  });

  it('needs a checkpoint that is signed with the key', async () => {
    const other = await keyOf(OTHER_KEY);
    expect(await verify('--checkpoint', held, '--public-key', other)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/not signed with this key/),
    });
    expect(await verify('--checkpoint', held)).toMatchObject({ code: 2 });
  });
});
