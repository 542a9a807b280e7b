import { describe, expect, it } from '@jest/globals';
import { groupsOf, pointersOf, policyOf, type Policies } from '../policies/policies.js';
import { toolPolicies } from './policy-kind.js';

const reasonsOf = (policies: unknown): readonly string[] => {
  const parsed = toolPolicies.parse(policies);
  return parsed.ok ? [] : parsed.reasons;
};

const rule = (parts: Readonly<Record<string, unknown>>): unknown => ({
  refund: { rules: [{ require: 'allow' }, { require: 'approval', ...parts }] },
});

const limit = (parts: Readonly<Record<string, unknown>>): unknown => ({
  refund: { limits: [{ sum: '/amount', lte: 10, per: 'day', ...parts }] },
});

const when = (condition: unknown, pointer = '/amount'): unknown => rule({ when: { [pointer]: condition } });

const WHOLE = {
  refund: {
    rules: [
      { when: { '/amount': { lte: 50 } }, require: 'allow', application: 'shop' },
      {
        when: { '/amount': { gt: 500 }, '/currency': { in: ['EUR', 'USD'] }, '/note': { missing: true } },
        require: 'approval',
        approvers: 2,
        group: 'finance',
        ttl: 3600,
        reason: 'required',
      },
    ],
    limits: [
      { sum: '/amount', lte: 2000, per: 'day' },
      { count: true, lte: 10, per: 'hour', require: 'deny' },
    ],
  },
};

describe('tool policies', () => {
  it('are read completely, with defaults, and their stored form is parsed to the same value', () => {
    const parsed = toolPolicies.parse(WHOLE);
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        refund: {
          rules: [
            { application: ['shop'] },
            { approvers: 2, group: 'finance', ttl: 3600, reason: 'required' },
          ],
          limits: [
            { sum: '/amount', require: 'approval' },
            { count: true, require: 'deny' },
          ],
        },
      },
    });
    const value = parsed.ok ? parsed.value : {};
    expect(toolPolicies.parse(value)).toEqual(parsed);
    expect(toolPolicies.parseText(JSON.stringify(WHOLE))).toEqual(parsed);
    expect(groupsOf(value)).toEqual(['finance']);
    expect(pointersOf(policyOf(value, 'refund') ?? { rules: [], limits: [] })).toEqual([
      '/amount',
      '/currency',
      '/note',
    ]);
  });

  it('share no object with the input, and are frozen', () => {
    const given = structuredClone(WHOLE);
    const parsed = toolPolicies.parse(given);
    const rules = parsed.ok ? policyOf(parsed.value, 'refund')?.rules : [];
    expect(rules?.[0]?.when).not.toBe(given.refund.rules[0]?.when);
    expect(Object.isFrozen(rules?.[0]?.when['/amount'])).toBe(true);
  });

  it('finds no policy of a tool with the name of a member of Object', () => {
    const none: Policies = {};
    for (const name of ['__proto__', 'constructor', 'toString']) expect(policyOf(none, name)).toBeNull();
    const parsed = toolPolicies.parse(JSON.parse('{"__proto__":{"rules":[{"require":"deny"}]}}'));
    expect(parsed.ok && policyOf(parsed.value, '__proto__')?.rules[0]?.require).toBe('deny');
  });

  it.each([
    [when({ gt: '5' }), /^tool "refund", rule 2, condition "\/amount": gt must be a finite number/],
    [when({ gt: Number.NaN }), /gt must be a finite number/],
    [when({ gt: Infinity }), /gt must be a finite number/],
    [when({ gt: 9_007_199_254_740_992 }), /gt must be a finite number/],
    [when({ eq: {} }), /condition "\/amount": eq must be a string/],
    [when({ eq: 'x'.repeat(1001) }), /eq must be a string of at most 1000/],
    [when({ in: [] }), /in must be a list of 1 to 100/],
    [when({ in: 5 }), /in must be a list/],
    [when({ missing: 'yes' }), /missing must be true or false/],
    [when({ missing: true, gt: 5 }), /missing: true must stand alone/],
    [when({}), /must be an object with eq, in/],
    [when(5), /must be an object with eq, in/],
    [when({ regex: 'x' }), /has the unknown key "regex"/],
    [when({ eq: 1 }, 'amount'), /condition "amount": must be a JSON pointer/],
    [when({ eq: 1 }, '/a~2'), /must be a JSON pointer/],
    [when({ eq: 1 }, ''), /must be a JSON pointer/],
    [rule({ when: [] }), /rule 2: when must be an object/],
    [rule({ require: 'maybe' }), /rule 2: require must be one of allow, approval, deny/],
    [rule({ require: undefined }), /rule 2: require must be one of/],
    [rule({ require: 'deny', group: 'a' }), /rule 2: group must only be used with require: approval/],
    [rule({ approvers: 0 }), /rule 2: approvers must be an integer from 1 to 20/],
    [rule({ approvers: 1.5 }), /approvers must be/],
    [rule({ group: ' ' }), /rule 2: group must be a string/],
    [rule({ ttl: -1 }), /rule 2: ttl must be/],
    [rule({ reason: 'yes' }), /rule 2: reason must be "required"/],
    [rule({ application: [] }), /rule 2: application must be a string, or a list/],
    [rule({ unless: {} }), /rule 2: has the unknown key "unless"/],
    [limit({ count: true }), /limit 1: must have either sum/],
    [limit({ sum: undefined }), /limit 1: must have either sum/],
    [limit({ sum: 'amount' }), /limit 1: sum must be a JSON pointer/],
    [limit({ lte: -1 }), /limit 1: lte must be/],
    [limit({ per: 'year' }), /limit 1: per must be one of hour, day, 30 days/],
    [limit({ require: 'allow' }), /limit 1: require must be approval or deny/],
    [{ refund: {} }, /tool "refund": must have at least one rule or limit/],
    [{ refund: { rules: [5] } }, /tool "refund", rule 1: must be an object/],
    [{ refund: 5 }, /tool "refund": must be an object with rules and limits/],
    [{ '': { rules: [{ require: 'deny' }] } }, /must have a name/],
    [[], /must be an object of tools/],
    // Only code can have these values, because JSON has none.
    [when({ gt: undefined }), /condition "\/amount": gt is undefined/],
    [rule({ when: undefined }), /rule 2: when is undefined/],
    [rule({ group: undefined }), /rule 2: group is undefined/],
    [limit({ require: undefined }), /limit 1: require is undefined/],
    [rule({ when: new Map([['/amount', { gt: 5 }]]) }), /rule 2: when must be an object/],
    [new Map([['refund', { rules: [{ require: 'deny' }] }]]), /must be an object of tools/],
    [{ refund: { rules: Object.assign([], { length: 1 }) } }, /tool "refund", rule 1: must be an object/],
  ])('refuse %j', (policies, reason) => {
    expect(reasonsOf(policies)).toEqual(expect.arrayContaining([expect.stringMatching(reason)]));
  });

  it('refuse a limit and a rule of different groups', () => {
    const rules = [{ require: 'approval', group: 'finance' }];
    const limits = [{ count: true, lte: 1, per: 'day', group: 'legal' }];
    expect(reasonsOf({ refund: { rules, limits } })).toEqual([
      expect.stringMatching(/limit 1: must not name another group/),
    ]);
    expect(reasonsOf({ refund: { rules, limits: [{ ...limits[0], group: 'finance' }] } })).toEqual([]);
  });

  it('have at most 200 tools of 20 rules with 10 conditions each', () => {
    const conditions = (count: number): unknown =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`/a${index}`, { eq: 1 }]));
    const rules = (count: number, each = 10): unknown =>
      Array.from({ length: count }, () => ({ when: conditions(each), require: 'allow' }));
    const tools = (count: number): unknown =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, { rules: rules(20) }]));
    expect(reasonsOf(tools(200))).toEqual([]);
    expect(reasonsOf(tools(201))).toEqual(['must have at most 200 tools']);
    expect(reasonsOf({ refund: { rules: rules(21) } })[0]).toMatch(/rules: must be a list of at most 20/);
    expect(reasonsOf({ refund: { rules: rules(1, 11) } })).toEqual([
      'tool "refund", rule 1: must have at most 10 conditions, and has 11',
    ]);
    expect(reasonsOf(when({ gt: 1, lt: 2, gte: 1, lte: 2, eq: 1, in: [1] }))).toEqual([]);
  });

  it('report at most twenty errors, and how many more there are', () => {
    const rules = Array.from({ length: 20 }, () => ({ require: 'x', ttl: 0 }));
    expect(reasonsOf({ refund: { rules } })).toHaveLength(21);
  });
});
