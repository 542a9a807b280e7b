import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestHost } from '../http/support/host.js';
import { cli, type CliResult } from './built-cli.js';

let host: TestHost;

beforeAll(async () => {
  host = await TestHost.start();
}, 120_000);

afterAll(() => host.stop());

const hold = (words: readonly string[], as = 'operator'): Promise<CliResult> =>
  cli(['hold', ...words], {
    GUARDRAILS_API_URL: `${host.origin}/guardrails/api/`,
    GUARDRAILS_API_AUTHORIZATION: `Bearer ${as}`,
  });

describe('nest-guardrails hold', () => {
  it('sets, lists and releases a hold, as the authenticated user', async () => {
    expect(await hold(['list'])).toMatchObject({ code: 0, stdout: 'No holds.\n' });
    const scopes = [
      [['--principal', 'customer-42'], 'principal customer-42'],
      [['--run', 'run-1'], 'run run-1'],
      [['--application', 'shop'], 'application shop'],
      [['--entries', '3-9'], 'entries 3 to 9'],
      [
        ['--from', '2026-03-01', '--to', '2026-03-02'],
        'the period from 2026-03-01T00:00:00.000Z to 2026-03-02T23:59:59.999Z',
      ],
    ] as const;
    for (const [words, shown] of scopes) {
      const { code, stdout } = await hold(['set', ...words, '--reason', 'case 118']);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`on ${shown}: case 118 (set by ops-1 at `)]);
    }
    expect((await hold(['list'])).stdout.split('\n')).toHaveLength(6);
    const released = await hold(['release', '--id', '1'], 'second-operator');
    expect([released.code, released.stdout]).toEqual([0, expect.stringContaining('released by ops-2 at ')]);
    expect((await hold(['list'])).stdout.split('\n')).toHaveLength(5);
    const { stdout } = await hold(['list', '--all', '--json']);
    expect((JSON.parse(stdout) as { holds: readonly object[] }).holds).toHaveLength(5);
  });

  it('refuses a wrong command line, and prints why the API refused', async () => {
    for (const words of [
      ['set', '--reason', 'r'],
      ['set', '--principal', 'a', '--run', 'b', '--reason', 'r'],
      ['set', '--principal', 'a'],
      ['set', '--entries', '9', '--reason', 'r'],
      ['release'],
      ['release', '--id', 'x'],
    ])
      expect(await hold(words)).toMatchObject({ code: 2, stdout: '' });
    expect(await hold(['set', '--entries', '9-3', '--reason', 'r'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('first_id must not be above last_id'),
    });
    expect(await hold(['release', '--id', '1'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was released before'),
    });
  });
});
