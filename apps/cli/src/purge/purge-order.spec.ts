import { describe, expect, it } from '@jest/globals';
import type { Retention } from '../../../../libs/engine/src/index.js';
import { Given, UsageError } from '../command.js';
import { purgeOrder, type PurgeOrder } from './purge-order.js';

const order = (values: Record<string, string | boolean>, input = ''): Promise<PurgeOrder> =>
  purgeOrder(new Given({ strategy: 'purge', actor: 'ops-1', ...values }), async () => input);

const retention = { olderThan: (days: number) => ({ kind: 'before', days }) } as unknown as Retention;

describe('the order of a purge', () => {
  it.each([
    ['no actor', { days: '1', actor: ' ' }, /--actor/],
    ['no strategy', { days: '1', strategy: '' }, /--strategy anonymize or --strategy purge/],
    ['keep', { days: '1', strategy: 'keep' }, /nothing to do/],
    ['another strategy', { days: '1', strategy: 'delete' }, /--strategy anonymize/],
    ['no scope', {}, /--days, --principal and --entry/],
    ['two scopes', { days: '1', entry: '2' }, /one of/],
    ['half a day', { days: '0.5' }, /whole number/],
    ['less than no day', { days: '-1' }, /whole number/],
    ['days beyond a century', { days: '99999' }, /up to 36500/],
    ['no entry', { entry: '0' }, /id of an entry/],
    ['days: 0, unconfirmed', { days: '0' }, /--yes-everything/],
    ['a name from an empty input', { principal: '-' }, /standard input/],
  ])('is refused, given %s', async (_, values, said) => {
    const refused = order(values);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(said);
  });

  it('takes a scope of each kind', async () => {
    expect((await order({ entry: '7' })).scope(retention)).toEqual({ kind: 'entry', id: 7 });
    expect((await order({ days: '30' })).scope(retention)).toEqual({ kind: 'before', days: 30 });
    expect((await order({ days: '0', 'yes-everything': true })).everything).toBe(true);
    expect((await order({ principal: 'customer-42' })).scope(retention)).toEqual({
      kind: 'principal',
      principalId: 'customer-42',
    });
  });

  it('reads a name from standard input, with all its spaces and without the line feed', async () => {
    const { scope } = await order({ principal: '-' }, ' customer 42 \n');
    expect(scope(retention)).toEqual({ kind: 'principal', principalId: ' customer 42 ' });
  });
});
