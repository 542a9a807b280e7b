import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ParsedOptions, UsageError } from '../shared/command.js';
import { Terminal } from '../shared/terminal.js';
import { readRequest } from './purge.command.js';

const request = (values: Record<string, string | boolean>, input = '') =>
  readRequest({
    options: new ParsedOptions({ strategy: 'purge', actor: 'ops-1', ...values }),
    terminal: new Terminal(process.stdout, process.stderr),
    environment: {},
    input: Readable.from([input]),
  });

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
    expect((await request({ entry: '7' })).scope).toEqual({ kind: 'entry', id: 7 });
    expect((await request({ days: '30' })).scope).toEqual({ kind: 'days', days: 30 });
    expect((await request({ days: '0', 'yes-everything': true })).scope).toEqual({ kind: 'days', days: 0 });
    expect((await request({ principal: 'customer-42' })).scope).toEqual({
      kind: 'principal',
      principalId: 'customer-42',
    });
  });

  it('read a principal from standard input, with its spaces and without the final line feed', async () => {
    const { scope } = await request({ principal: '-' }, ' customer 42 \n');
    expect(scope).toEqual({ kind: 'principal', principalId: ' customer 42 ' });
  });
});
