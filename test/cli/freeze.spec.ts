import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FreezeListData } from '#contracts/freeze/freezes.api.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { TestHost } from '../http/support/host.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { cli, type CliResult } from './built-cli.js';
import { tamper } from './tampering.js';

let database: FreshDatabase;
let host: TestHost;

beforeAll(async () => {
  database = await freshDatabase();
  host = await startHost();
}, 120_000);

afterAll(async () => {
  await host.stop();
  await database.drop();
});

const startHost = (): Promise<TestHost> =>
  TestHost.start({
    guardrails: {
      stores: typeormStores({ url: database.url }),
      settings: { 'hitl.enabled': true, 'hitl.four_eyes': true },
    },
  });

const freeze = (...words: readonly string[]): Promise<CliResult> =>
  cli(['freeze', ...words], {
    DATABASE_URL: database.url,
    GUARDRAILS_API_URL: `${host.origin}/guardrails/api/`,
    GUARDRAILS_API_AUTHORIZATION: 'Bearer operator',
  });

const list = async (): Promise<FreezeListData['freezes']> =>
  ((await host.get('/freeze')).body.data as unknown as FreezeListData).freezes;

describe('nest-guardrails freeze', () => {
  it('freezes, lists, and is refused a lift by the same operator', async () => {
    expect(await freeze('list')).toMatchObject({ code: 0, stdout: 'Nothing is frozen.\n' });
    for (const [words, shown] of [
      [['all'], 'of all tools: "case 17" (by ops-1 at '],
      [['tool', 'refund'], 'of tool "refund": "case 17" (by ops-1 at '],
      [['application', 'batch'], 'of application "batch": "case 17" (by ops-1 at '],
    ] as const)
      expect(await freeze(...words, '--reason', 'case 17')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(shown),
      });
    expect((await freeze('list')).stdout.split('\n')).toHaveLength(4);
    const [{ id } = { id: 0 }] = await list();
    expect(await freeze('lift', String(id), '--reason', 'closed')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('another operator must lift it'),
    });
    for (const words of [['all'], ['tool', '--reason', 'r'], ['lift', '1'], ['lift', '--reason', 'r']])
      expect(await freeze(...words)).toMatchObject({ code: 2, stdout: '' });
  });

  it('lifts by force with the credentials of the database, and an instance announces it', async () => {
    const standing = await list();
    for (const { id } of standing)
      expect(await freeze('lift', String(id), '--force', '--reason', 'nobody is there')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('lifted by break_glass at '),
      });
    while ((await list()).some(({ lifted_by, announced }) => lifted_by === null || !announced));
    expect((await list()).map(({ lifted_by }) => lifted_by)).toEqual(standing.map(() => 'break_glass'));
    expect(await freeze('lift', '1', '--force', '--reason', 'r')).toMatchObject({ code: 3 });
    expect((await cli(['verify'], { DATABASE_URL: database.url })).code).toBe(0);
  });

  it('stays in force over a restart, and verify names a freeze that was changed or removed', async () => {
    await freeze('all', '--reason', 'case 18');
    await host.stop();
    host = await startHost();
    const [{ id } = { id: 0 }] = await list();
    const guarded = host.guardrails.guardTool(
      { name: 'note', parameters: { type: 'object' }, execute: () => 'done' },
      {},
    );
    expect(await guarded.execute({})).toMatchObject({ status: 'refused', reason: 'frozen' });
    await host.stop();
    const key = `freeze.${id}`;
    await tamper(
      database,
      `update guardrails_settings set value = replace(value, '"lifted_at":null', '"lifted_at":"2026-01-01T00:00:00.000Z"') where key = '${key}'`,
    );
    const verify = () => cli(['verify'], { DATABASE_URL: database.url });
    const changed = await verify();
    expect([changed.code, changed.stdout + changed.stderr]).toEqual([
      1,
      expect.stringContaining(`The setting ${key} differs from its latest recorded change.`),
    ]);
    await tamper(database, `delete from guardrails_settings where key = '${key}'`);
    const removed = await verify();
    expect([removed.code, removed.stdout + removed.stderr]).toEqual([
      1,
      expect.stringContaining(`${key} is recorded, but it was removed from the settings.`),
    ]);
    host = await startHost();
  });
});
