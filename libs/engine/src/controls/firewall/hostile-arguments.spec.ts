import { describe, expect, it } from '@jest/globals';
import type { Tool } from '#contracts/firewall/firewall.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { ToolFirewall, type FirewallResult } from './tool-firewall.js';

const lookup: Tool = {
  name: 'lookup',
  parameters: {
    type: 'object',
    properties: {
      order: { type: 'string', pattern: '^A-[0-9]+$' },
      amount: { type: 'number' },
      owner_id: { type: 'string' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      free: {},
    },
    required: ['order'],
  },
  execute: () => null,
};

function judge(args: unknown): Promise<FirewallResult> {
  const settings = new Settings(DEFAULT_SETTINGS);
  return new ToolFirewall(null).judge(lookup, args, { principalId: 'customer-42' }, settings);
}

const nested = (depth: number): unknown => {
  let value: unknown = { owner_id: 'victim-1' };
  for (let level = 1; level < depth; level++) value = { inner: value };
  return value;
};

const entries = (length: number, sku: unknown): unknown[] => Array.from({ length }, () => ({ sku }));

const TEN_MEGABYTES = 10 * 1024 * 1024;

describe('hostile arguments', () => {
  it('are refused with all their violations', async () => {
    const { args, violations } = await judge(
      '{"amount":"5","owner_id":"victim-1","lines":[{"sku":1},{"__proto__":{"admin":true},"extra":1}],"constructor":{}}',
    );
    expect(violations).toEqual({
      order: 'is required',
      amount: 'must be a number',
      'lines.0.sku': 'must be a string',
      'lines.1.extra': 'is not declared by the tool',
      'lines.1.__proto__': 'is not allowed as the name of an argument',
      constructor: 'is not allowed as the name of an argument',
    });
    expect(args['owner_id']).toBe('customer-42');
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each([
    ['10 MB in one text', { order: 'x'.repeat(TEN_MEGABYTES) }],
    ['10 MB of JSON', `{"order":"${'x'.repeat(TEN_MEGABYTES)}"}`],
    ['10 MB that are no JSON', '"'.repeat(TEN_MEGABYTES)],
    ['10 MB of entries', { order: 'A-1', lines: entries(TEN_MEGABYTES / 8, 's') }],
    ['10 MB of one name', { ['n'.repeat(TEN_MEGABYTES)]: 1 }],
    ['a thousand levels', { order: 'A-1', free: nested(1000) }],
    ['a thousand levels of JSON', JSON.stringify({ order: 'A-1', free: nested(1000) })],
    ['half a million levels of JSON', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
    ['a key given twice', '{"order":"A-1","owner_id":"x","owner_id":"victim-1"}'],
    ['twenty thousand violations', { order: 'A-1', lines: entries(20_000, 1) }],
    [
      'names of a tenth of a megabyte each',
      Object.fromEntries([1, 2, 3].map((n) => [`${n}`.repeat(1e5), n])),
    ],
    ['a pattern that backtracks elsewhere', { order: `A-${'1'.repeat(1_000_000)}!` }],
  ])('are refused: %s', async (_, args) => {
    const judgement = await judge(args);
    expect(Object.keys(judgement.violations).length).toBeGreaterThan(0);
    expect(JSON.stringify(judgement.args)).not.toContain('victim-1');
  });
});
