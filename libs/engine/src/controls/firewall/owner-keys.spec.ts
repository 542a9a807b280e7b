import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonSchema, ToolArguments } from '#contracts/firewall/firewall.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { scopeToPrincipal, type ScopedArguments } from './owner-keys.js';

type Scoped = Pick<ScopedArguments, 'args' | 'violations'>;

function scope(
  args: ToolArguments,
  parameters: JsonSchema = { type: 'object' },
  principalId: string | undefined = 'customer-42',
  values: Partial<SettingValues> = {},
): Scoped {
  const settings = new Settings({ ...DEFAULT_SETTINGS, ...values });
  const scoped = scopeToPrincipal(args, { parameters }, principalId, settings);
  return { args: scoped.args, violations: scoped.violations };
}

function withoutPrincipal(args: ToolArguments, parameters: JsonSchema = {}): Scoped {
  const scoped = scopeToPrincipal(args, { parameters }, undefined, new Settings(DEFAULT_SETTINGS));
  return { args: scoped.args, violations: scoped.violations };
}

const owners = ['user_id', 'owner_id', 'account_id', 'customer_id'];

const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('victim-1', 7, null, true),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(...owners, 'amount', 'items', 'note', 'constructor', '__proto__'),
      tie('node'),
      {
        maxKeys: 4,
      },
    ),
  ),
}));

const argumentTrees = fc.dictionary(fc.constantFrom(...owners, 'amount', 'items', 'prototype'), tree.node);

function ownersIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    owners.includes(key) && !Array.isArray(value) ? [inner] : ownersIn(inner),
  );
}

describe('scoping to the principal', () => {
  it.each(['userId', 'UserID', 'user-id', 'USER ID', 'Customer-Id', '\uff55ser_id'])(
    'overwrites %s at every depth, as another spelling of an owner key (contract 7.5)',
    (name) => {
      const given = { [name]: 'victim-1', items: [{ [name]: 'victim-2' }] };
      const scoped = { [name]: 'customer-42', items: [{ [name]: 'customer-42' }] };
      expect(scope(given)).toEqual({ args: scoped, violations: {} });
      expect(
        scope(given, undefined, undefined, { 'tool_authorization.owner_key_depth': 'top_level' }),
      ).toEqual({
        args: { ...scoped, items: given.items },
        violations: {},
      });
    },
  );

  it('sets a list with the principal where the tool declares a list', () => {
    const list = (type: string) => ({ properties: { customer_id: { type: 'array', items: { type } } } });
    const owned = { args: { customer_id: ['customer-42'] }, violations: {} };
    expect(scope({ customer_id: ['victim', 'customer-42'] }, list('string'))).toEqual(owned);
    expect(scope({}, list('string'))).toEqual(owned);
    expect(scope({}, list('integer'), '42').args).toEqual({ customer_id: [42] });
    const tool = { parameters: list('string') };
    const same = scopeToPrincipal(owned.args, tool, 'customer-42', new Settings(DEFAULT_SETTINGS));
    expect(same.overwritten).toEqual([]);
  });

  it.each(['string', 'integer'])('refuses an id that is not a string for a key of type %s', (type) => {
    expect(scope({ user_id: 7 }, { properties: { user_id: { type } } }, 7 as never)).toEqual({
      args: {},
      violations: {
        user_id: 'must contain the principal, but the principalId of the context is not a string',
      },
    });
  });

  it('adds an owner key in the spelling that the tool declares', () => {
    const declared = { type: 'object', properties: { userId: { type: 'string' }, note: { type: 'string' } } };
    expect(scope({ note: 'hello' }, declared).args).toEqual({ note: 'hello', userId: 'customer-42' });
  });

  it('does not change other arguments', () => {
    const args = { user: 'a', user_ids: 'b', account: 'c' };
    expect(scope(args)).toEqual({ args, violations: {} });
  });

  it('overwrites every owner key at every depth, and does not change the given arguments', () => {
    fc.assert(
      fc.property(argumentTrees, (args) => {
        const before = JSON.stringify(args);
        const scoped = scope(args);
        expect(ownersIn(scoped.args).every((owner) => owner === 'customer-42')).toBe(true);
        expect(JSON.stringify(args)).toBe(before);
        expect(JSON.stringify(scoped.args)).not.toMatch(/"(__proto__|constructor|prototype)":/);
        expect(scope(scoped.args)).toEqual({ args: scoped.args, violations: {} });
      }),
    );
  });

  it('refuses owner keys without a principal', () => {
    fc.assert(
      fc.property(argumentTrees, (args) => {
        const { args: scoped, violations } = withoutPrincipal(args);
        expect(ownersIn(scoped)).toEqual([]);
        expect(Object.keys(violations).length > 0).toBe(
          ownersIn(args).length > 0 || /"(__proto__|constructor|prototype)":/.test(JSON.stringify(args)),
        );
      }),
    );
    expect(withoutPrincipal({}, { properties: { user_id: {} } }).violations).toEqual({
      user_id: 'must contain the principal, but the context has no principalId',
    });
    expect(scope({ user_id: 1 }, {}, '').violations).toHaveProperty('user_id');
  });

  it('adds a declared owner key at the top level, also through compositions', () => {
    const parameters = {
      allOf: [{ $ref: '#/$defs/owned' }],
      $defs: { owned: { properties: { account_id: { type: 'string' } } } },
    };
    expect(scope({ amount: 1 }, parameters).args).toEqual({ amount: 1, account_id: 'customer-42' });
    expect(scope({ amount: 1 }, { properties: { amount: {} } }).args).toEqual({ amount: 1 });
    expect(scope({}, { properties: { user_id: false } }).args).toEqual({});
  });

  it('overwrites only the top level under top_level', () => {
    const shallow = { 'tool_authorization.owner_key_depth': 'top_level' } as const;
    expect(scope({ user_id: 1, order: { user_id: 2 } }, {}, 'customer-42', shallow).args).toEqual({
      user_id: 'customer-42',
      order: { user_id: 2 },
    });
  });

  it('takes the list from the settings', () => {
    expect(
      scope({ tenant: 1, user_id: 2 }, {}, 'customer-42', { 'tool_firewall.owner_keys': ['tenant'] }).args,
    ).toEqual({
      tenant: 'customer-42',
      user_id: 2,
    });
  });

  it('uses the declared type, also in lists and behind references', () => {
    const parameters = {
      properties: {
        user_id: { type: 'integer' },
        orders: { type: 'array', items: { $ref: '#/$defs/order' } },
        pair: { prefixItems: [{ properties: { user_id: { type: 'number' } } }], items: { properties: {} } },
      },
      $defs: { order: { anyOf: [{ properties: { owner_id: { type: ['integer', 'null'] } } }] } },
    };
    const args = { orders: [{ owner_id: 'x' }], pair: [{ user_id: 0 }, { user_id: 0 }] };
    expect(scope(args, parameters, '42')).toEqual({
      args: { user_id: 42, orders: [{ owner_id: 42 }], pair: [{ user_id: 42 }, { user_id: '42' }] },
      violations: {},
    });
    expect(
      scope({ user_id: 7 }, { properties: { user_id: { type: ['string', 'integer'] } } }, '42').args,
    ).toEqual({
      user_id: '42',
    });
  });

  it.each(['customer-42', '042', '4.2', '1e3', ' 42', '9007199254740993', '-0', 'Infinity', '0x10'])(
    'refuses the principal %j where an integer is declared, and removes the key',
    (principal) => {
      expect(scope({ user_id: 7 }, { properties: { user_id: { type: 'integer' } } }, principal)).toEqual({
        args: {},
        violations: { user_id: 'must contain the principal as a number, but its id is not a number' },
      });
    },
  );

  it('removes arguments that are nested too deeply', () => {
    let args: ToolArguments = { user_id: 'victim-1' };
    for (let level = 0; level < 80; level++) args = { inner: args };
    const scoped = scope(args);
    expect(scoped.violations).toEqual({ '(arguments)': 'is nested deeper than 64 levels' });
    expect(JSON.stringify(scoped.args)).not.toContain('victim-1');
  });

  it('refuses names that change the prototype', () => {
    const args = JSON.parse('{"a":[{"__proto__":{"admin":true}}],"constructor":1}') as ToolArguments;
    const scoped = scope(args);
    expect(Object.keys(scoped.violations)).toEqual(['a.0.__proto__', 'constructor']);
    expect(scoped.args).toEqual({ a: [{}] });
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each(['customer\u0000', '\ud800'])('refuses a principal that cannot be stored: %j', (principalId) => {
    const { args, violations } = scope({ user_id: 'victim-1' }, {}, principalId);
    expect([args, Object.keys(violations)]).toEqual([{}, ['user_id']]);
  });
});

describe('overwritten owner keys', () => {
  const overwritten = (args: ToolArguments, parameters: JsonSchema = {}): unknown =>
    scopeToPrincipal(args, { parameters }, 'customer-42', new Settings(DEFAULT_SETTINGS)).overwritten;

  it('are listed by JSON pointer, with the given value and the one that runs', () => {
    expect(
      overwritten({ user_id: 'victim-1', 'a/b~c': [{ 'Owner-Id': { id: 7 } }, { account_id: null }] }),
    ).toEqual([
      { path: '/user_id', from: 'victim-1', to: 'customer-42' },
      { path: '/a~1b~0c/0/Owner-Id', from: { id: 7 }, to: 'customer-42' },
      { path: '/a~1b~0c/1/account_id', from: null, to: 'customer-42' },
    ]);
  });

  it('are not listed where the principal was given, or nothing', () => {
    const parameters = { type: 'object', properties: { user_id: { type: 'string' } } };
    expect(overwritten({}, parameters)).toEqual([]);
    expect(overwritten({ user_id: 'customer-42' }, parameters)).toEqual([]);
  });
});
