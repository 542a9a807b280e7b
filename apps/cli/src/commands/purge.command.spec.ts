import { describe, expect, it } from '@jest/globals';
import type { Retention } from '#engine/index.js';
import { ParsedOptions, UsageError } from '../shared/command.js';
import { readRequest, type PurgeRequest } from './purge.command.js';

const request = (values: Record<string, string | boolean>, input = ''): Promise<PurgeRequest> =>
  readRequest(new ParsedOptions({ strategy: 'purge', actor: 'ops-1', ...values }), async () => input);

const retention = { olderThan: (days: number) => ({ kind: 'before', days }) } as unknown as Retention;

describe('the options of purge', () => {
  it.each([
    ['no actor', { days: '1', actor: ' ' }, /--actor/],
    ['no strategy', { days: '1', strategy: '' }, /--strategy anonymize or --strategy purge/],
    ['the strategy keep', { days: '1', strategy: 'keep' }, /nothing to do/],
    ['an unknown strategy', { days: '1', strategy: 'delete' }, /--strategy anonymize/],
    ['no scope', {}, /--days, --principal and --entry/],
    ['two scopes', { days: '1', entry: '2' }, /exactly one/],
    ['a fraction of days', { days: '0.5' }, /whole number/],
    ['a negative number of days', { days: '-1' }, /whole number/],
    ['more than 36500 days', { days: '99999' }, /up to 36500/],
    ['entry 0', { entry: '0' }, /id of an audit entry/],
    ['--days 0 without confirmation', { days: '0' }, /--yes-everything/],
    ['an empty standard input', { principal: '-' }, /standard input/],
  ])('are rejected with %s', async (_, values, message) => {
    const rejected = request(values);
    await expect(rejected).rejects.toBeInstanceOf(UsageError);
    await expect(rejected).rejects.toThrow(message);
  });

  it('select one scope of each kind', async () => {
    expect((await request({ entry: '7' })).scope(retention)).toEqual({ kind: 'entry', id: 7 });
    expect((await request({ days: '30' })).scope(retention)).toEqual({ kind: 'before', days: 30 });
    expect((await request({ days: '0', 'yes-everything': true })).everything).toBe(true);
    expect((await request({ principal: 'customer-42' })).scope(retention)).toEqual({
      kind: 'principal',
      principalId: 'customer-42',
    });
  });

  it('read a principal from standard input, with its spaces and without the final line feed', async () => {
    const { scope } = await request({ principal: '-' }, ' customer 42 \n');
    expect(scope(retention)).toEqual({ kind: 'principal', principalId: ' customer 42 ' });
  });
});
