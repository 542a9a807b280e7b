import { describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import type { Tool } from '#contracts/firewall/firewall.js';
import { bench, type Bench } from '../support/engine.js';

const OPS = { actorId: 'ops-1', requestId: null, ifMatch: null };

const UNLOCKED = { 'hitl.policies_overridable': true };

const deny = { rules: [{ when: {}, require: 'deny' }], limits: [] };
const allow = { rules: [{ when: {}, require: 'allow' }], limits: [] };

const changesOf = async ({ stores }: Bench): Promise<unknown[]> =>
  (await stores.settings.changes({ key: 'hitl.policies' }, { limit: 100 })).entries.map(
    ({ key, before, after }) => ({ key, before, after }),
  );

describe('hitl.policies', () => {
  it('is configuration only, and names the setting that unlocks it', async () => {
    const { engine } = await bench({ 'hitl.policies': { refund: deny } });
    await expect(engine.settings.update({ 'hitl.policies': {} }, OPS)).rejects.toMatchObject({
      code: 'not_overridable',
      fields: {
        'hitl.policies': [expect.stringContaining('unless the deployer sets hitl.policies_overridable')],
      },
    });
    expect(engine.settings.current().get('hitl.policies')).toEqual({ refund: deny });
    expect(JSON.stringify(engine.settings.current().shown())).not.toContain('policies');
  });

  it('is set whole where the deployer permits it, with one change record per tool', async () => {
    const setup = await bench({ ...UNLOCKED, 'hitl.policies': { a: allow, b: deny, c: deny } });
    const { changed } = await setup.engine.settings.update(
      { hitl: { policies: { a: deny, b: deny, 'd.e': allow } } },
      OPS,
    );
    expect(changed).toEqual(['hitl.policies.a', 'hitl.policies.c', 'hitl.policies.d.e']);
    expect(await changesOf(setup)).toEqual([
      { key: 'hitl.policies.d.e', before: null, after: allow },
      { key: 'hitl.policies.c', before: deny, after: null },
      { key: 'hitl.policies.a', before: allow, after: deny },
    ]);
    const { settings } = await setup.engine.settings.update({ 'hitl.policies': null }, OPS);
    expect(settings.get('hitl.policies')).toEqual({ a: allow, b: deny, c: deny });
    expect(settings.shown()).toMatchObject({ hitl: { policies: { a: allow } } });
  });

  it('reports tool, rule and condition of an error in a PUT, and changes nothing', async () => {
    const setup = await bench(UNLOCKED);
    const rules = [{ require: 'allow' }, { when: { '/amount': { gt: 'much' } }, require: 'deny' }];
    await expect(
      setup.engine.settings.update({ 'hitl.policies': { refund: { rules } } }, OPS),
    ).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: {
        'hitl.policies': [expect.stringMatching(/^tool "refund", rule 2, condition "\/amount": gt must be/)],
      },
    });
    expect(setup.engine.settings.current().revision).toBe(0);
  });

  const refund = (properties: object, more: object = {}): Tool => ({
    name: 'refund',
    parameters: { type: 'object', properties, ...more },
    execute: () => null,
  });
  const tool = refund({ amount: { type: 'number' } });
  const when = (...pointers: string[]) => ({
    refund: {
      rules: pointers.map((pointer) => ({ when: { [pointer]: { gt: 5 } }, require: 'deny' })),
      limits: [],
    },
  });
  const refusals = async (policies: object, by: Tool): Promise<readonly string[]> => {
    const { engine } = await bench(UNLOCKED, { tools: [by] });
    const refused = engine.settings.update({ 'hitl.policies': policies }, OPS);
    const { fields } = await refused.then(
      () => ({ fields: {} as Record<string, string[]> }),
      (error: { readonly fields: Record<string, string[]> }) => error,
    );
    return fields['hitl.policies'] ?? [];
  };
  const MISTAKE = {
    refund: {
      rules: [
        { when: {}, require: 'allow' },
        { when: { '/amuont': { gt: 1000 } }, require: 'deny' },
      ],
      limits: [{ sum: '/totl', lte: 100, per: 'day' }],
    },
  };
  const FAULTS = [
    'tool "refund", rule 2 is never reached',
    'tool "refund", rule 2: the tool has no argument /amuont',
    'tool "refund", limit 1: the tool has no argument /totl',
  ].map((fault) => expect.stringContaining(fault) as unknown);

  it('refuses a rule that is never reached, and pointers that the tool does not have, in a PUT', async () => {
    expect(await refusals(MISTAKE, tool)).toEqual(FAULTS);
  });

  it('refuses them in the configuration, at boot', async () => {
    await expect(bench({ 'hitl.policies': MISTAKE }, { tools: [tool] })).rejects.toMatchObject({
      reasons: FAULTS,
    });
  });

  it('warns at boot of a policy for a tool that is probably misspelled', async () => {
    const warn = jest.fn();
    const policies = { 'hitl.policies': { refunds: deny, another_service: deny } };
    await bench(policies, { tools: [tool], diagnostics: { warn } });
    expect(warn.mock.calls).toEqual([
      ['hitl.policies: no tool "refunds" is registered, so its policy has no effect; did you mean "refund"?'],
    ]);
  });

  it('keeps a stored policy with such faults in force, with warnings', async () => {
    const { engine, stores } = await bench(UNLOCKED, { tools: [refund({}, { additionalProperties: true })] });
    const stored = { refund: { rules: [{ when: { '/amuont': { gt: 5 } }, require: 'deny' }], limits: [] } };
    await engine.settings.update({ 'hitl.policies': stored }, OPS);
    const warnings: string[] = [];
    const diagnostics = { warn: (message: string) => void warnings.push(message) };
    const later = await bench(UNLOCKED, { stores, diagnostics, tools: [tool] });
    expect(later.engine.settings.current().get('hitl.policies')).toEqual(stored);
    const fault = expect.stringContaining(
      'tool "refund", rule 1: the tool has no argument /amuont',
    ) as unknown;
    expect(warnings).toEqual([fault]);
    expect(later.engine.settings.warnings()).toContainEqual(fault);
  });

  const address = { type: 'object', properties: { city: { type: 'string' } } };

  it.each<[string, Tool, ...string[]]>([
    ['a nested object', refund({ to: address }), '/to/city', '/to/citty'],
    ['a list', refund({ to: { type: 'array', items: address } }), '/to/0/city', '/to/0/citty'],
    [
      'a reference',
      refund({ to: { $ref: '#/$defs/address' } }, { $defs: { address } }),
      '/to/city',
      '/to/citty',
    ],
    ['anyOf', refund({ to: { anyOf: [address, { type: 'null' }] } }), '/to/city', '/to/citty'],
    ['an escaped name', refund({ 'a/b': { type: 'number' } }), '/a~1b', '/a~1c'],
    [
      'zod',
      { ...tool, parameters: z.object({ to: z.object({ city: z.string() }) }) },
      '/to/city',
      '/to/citty',
    ],
  ])('judges pointers by %s', async (_, by, declared, mistake) => {
    expect(await refusals(when(declared), by)).toEqual([]);
    expect(await refusals(when(mistake), by)).toEqual([
      expect.stringContaining(`rule 1: the tool has no argument ${mistake}`),
    ]);
  });

  it.each<[string, Tool]>([
    ['other names are allowed', refund({}, { additionalProperties: { type: 'number' } })],
    ['names have a pattern', refund({}, { patternProperties: { '^a': {} } })],
    ['a part allows other names', refund({}, { allOf: [{ additionalProperties: true }] })],
    ['a condition may name it', refund({}, { if: { properties: { amuont: {} } } })],
    [
      'the schema transforms',
      {
        ...tool,
        parameters: z.object({ amount: z.number() }).transform(({ amount }) => ({ amuont: amount })),
      },
    ],
  ])('accepts a pointer where %s', async (_, by) => {
    expect(await refusals(when('/amuont'), by)).toEqual([]);
  });

  it('accepts rules of other applications after one without conditions', async () => {
    const rules = [
      { application: 'shop', require: 'allow' },
      { application: ['shop', 'desk'], require: 'deny' },
    ];
    expect(await refusals({ refund: { rules } }, tool)).toEqual([]);
  });

  it('ignores a stored override after the deployer locks it', async () => {
    const { engine, stores } = await bench(UNLOCKED);
    await engine.settings.update({ 'hitl.policies': { refund: allow } }, OPS);
    const warnings: unknown[] = [];
    const diagnostics = { warn: (_: string, facts?: unknown): void => void warnings.push(facts) };
    const locked = await bench({}, { stores, diagnostics });
    expect(locked.engine.settings.current().get('hitl.policies')).toEqual({});
    expect(warnings).toEqual([{ keys: ['hitl.policies'] }]);
  });
});
