import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type {
  Comparison,
  PolicyDemand,
  PolicyLimit,
  PolicyRule,
  ToolPolicy,
} from '#contracts/policies/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import {
  argumentsLookup,
  combineDemands,
  compareStrictness,
  evaluatePolicy,
  type CodeDemand,
  type PolicyDecision,
  type RunQuestion,
  readArgument,
  requirementOf,
} from './policy-evaluation.js';

const policy = (given: unknown): ToolPolicy => {
  const parsed = toolPolicies.parse({ refund: given });
  if (!parsed.ok) throw new Error(parsed.reasons.join());
  return parsed.value['refund'] ?? { rules: [], limits: [] };
};

function evaluate(
  given: ToolPolicy,
  args: unknown,
  {
    application = null,
    code = null,
    over = [],
    run = null,
  }: { application?: string | null; code?: CodeDemand; over?: number[]; run?: RunQuestion | null } = {},
): PolicyDecision {
  return evaluatePolicy(
    given,
    { argument: argumentsLookup(args), application, run: () => run },
    code,
    (_, index) => over.includes(index),
  );
}

const AMOUNTS = policy({
  rules: [
    { when: { '/amount': { lte: 50 } }, require: 'allow' },
    { when: { '/amount': { lte: 500 } }, require: 'approval' },
    {
      when: { '/amount': { lte: 5000 } },
      require: 'approval',
      approvers: 2,
      group: 'finance',
      ttl: 60,
      reason: 'required',
    },
    { when: { '/amount': { gt: 100_000 } }, require: 'deny' },
  ],
});

const outcome = ({ demand, rule }: PolicyDecision): unknown => [demand.require, demand.approvers ?? 1, rule];

describe('the rules of a tool', () => {
  it.each([
    [{ amount: 50 }, ['allow', 1, 1]],
    [{ amount: 0 }, ['allow', 1, 1]],
    [{ amount: 50.01 }, ['approval', 1, 2]],
    [{ amount: 500.5 }, ['approval', 2, 3]],
    [{ amount: 1e21 }, ['deny', 1, 4]],
    [JSON.parse('{"amount":9007199254740993}'), ['deny', 1, 4]],
    [{ amount: 50_000 }, ['approval', 1, null]],
  ])('decide %j by the first match, and require one approval without a match: %p', (args, expected) => {
    expect(outcome(evaluate(AMOUNTS, args))).toEqual(expected);
  });

  it.each([
    [{}],
    [{ amount: '5' }],
    [{ amount: null }],
    [{ amount: [5] }],
    [{ amount: { value: 5 } }],
    [{ amount: true }],
    [{ amount: Number.NaN }],
    [{ amount: Infinity }],
    [{ amount: 5n }],
    [JSON.parse('{"__proto__":{"amount":5}}')],
    [Object.create({ amount: 5 })],
    [null],
    ['amount'],
  ])('apply the strictest rule to %p, which is not comparable', (args) => {
    expect(evaluate(AMOUNTS, args)).toMatchObject({
      demand: { require: 'deny' },
      rule: 4,
    });
  });

  it('need at least one approval where nothing is comparable and all rules allow', () => {
    const lax = policy({ rules: [{ when: { '/amount': { gt: 0 } }, require: 'allow' }] });
    expect(outcome(evaluate(lax, { amount: '1' }))).toEqual(['approval', 1, null]);
  });

  it('stop at a condition that is not comparable, with any other conditions', () => {
    const rules = [
      { when: { '/kind': { eq: 'gift' }, '/amount': { gt: 5 } }, require: 'allow' },
      { require: 'deny' },
    ];
    expect(evaluate(policy({ rules }), { kind: 'other' })).toMatchObject({ rule: 2 });
  });

  it('apply to the applications that they name', () => {
    const rules = [
      { when: { '/amount': { gt: 1 } }, application: ['shop', 'desk'], require: 'deny' },
      { require: 'allow' },
    ];
    const of = (application: string | null): unknown =>
      outcome(evaluate(policy({ rules }), { amount: 5 }, { application }));
    expect([of('shop'), of('desk'), of('else'), of(null)]).toEqual([
      ['deny', 1, 1],
      ['deny', 1, 1],
      ['allow', 1, 2],
      ['allow', 1, 2],
    ]);
    expect(outcome(evaluate(policy({ rules }), {}, { application: 'else' }))).toEqual(['allow', 1, 2]);
  });

  const matches = (comparison: Comparison, args: unknown, pointer = '/a'): unknown => {
    const rules = [
      { when: { [pointer]: comparison }, require: 'allow' },
      { require: 'approval' },
      { require: 'deny' },
    ];
    // The strictest rule decides what is not comparable.
    const { rule } = evaluate(policy({ rules }), args);
    return rule === 3 ? 'unknown' : rule === 1;
  };

  it.each<[Comparison, unknown, unknown]>([
    [{ eq: 'x' }, { a: 'x' }, true],
    [{ eq: 'x' }, { a: 'X' }, false],
    [{ eq: 1 }, { a: '1' }, 'unknown'],
    [{ eq: '1' }, { a: 1 }, 'unknown'],
    [{ eq: true }, { a: 1 }, 'unknown'],
    [{ eq: null }, { a: null }, true],
    [{ eq: null }, { a: 0 }, 'unknown'],
    [{ eq: 0 }, { a: -0 }, true],
    [{ in: ['x', 1] }, { a: 1 }, true],
    [{ in: ['x', 1] }, { a: 2 }, false],
    [{ in: ['x', 1] }, { a: true }, 'unknown'],
    [{ in: ['x'] }, { a: ['x'] }, 'unknown'],
    [{ lt: 5 }, { a: 5 }, false],
    [{ gte: 5 }, { a: 5 }, true],
    [{ gt: 1, lt: 3 }, { a: 2 }, true],
    [{ gt: 1, lt: 3 }, { a: 3 }, false],
    [{ missing: true }, {}, true],
    [{ missing: true }, { a: null }, false],
    [{ missing: false }, {}, false],
    [{ missing: false }, { a: 1 }, true],
    [{ missing: false, gt: 5 }, {}, false],
    [{ missing: false, gt: 5 }, { a: '6' }, 'unknown'],
  ])('%j of %j is %p', (comparison, args, expected) => {
    expect(matches(comparison, args)).toBe(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['/a~1b', { 'a/b': 1 }, true],
    ['/a~0b', { 'a~b': 1 }, true],
    ['/a~01', { 'a~1': 1 }, true],
    ['/', { '': 1 }, true],
    ['/a/1/b', { a: [0, { b: 1 }] }, true],
    ['/a/01', { a: [1, 1] }, 'unknown'],
    ['/a/-', { a: [1] }, 'unknown'],
    ['/a/length', { a: [1] }, 'unknown'],
    ['/a/9', { a: [1] }, 'unknown'],
    ['/a/length', { a: 'x' }, 'unknown'],
    ['/__proto__/a', {}, 'unknown'],
    ['/constructor/name', {}, 'unknown'],
    ['/__proto__', JSON.parse('{"__proto__":1}'), true],
  ])('reads %s in %j as %p', (pointer, args, expected) => {
    expect(matches({ eq: 1 }, args, pointer)).toBe(expected);
  });

  it('treats a place in a text or a number as not comparable, even for `missing`', () => {
    expect(matches({ missing: true }, { a: 'x' }, '/a/b')).toBe('unknown');
    expect(matches({ missing: true }, { a: [] }, '/a/x')).toBe('unknown');
    expect(matches({ missing: true }, { a: [] }, '/a/0')).toBe(true);
  });
});

describe('what the run has read', () => {
  const asking = policy({
    rules: [
      { after: 'suspect', require: 'deny' },
      { after: 'untrusted', vouched: ['/to', '/cc'], require: 'approval', approvers: 2 },
      { vouched: ['/to'], require: 'approval' },
      { require: 'allow' },
    ],
  });
  const of = (label: RunQuestion['label'], vouched: Readonly<Record<string, boolean | null>>): unknown =>
    outcome(
      evaluate(asking, { to: 'a', cc: 'b' }, { run: { label, isVouched: (at) => vouched[at] ?? null } }),
    );

  it.each([
    ['clean', { '/to': true, '/cc': true }, ['allow', 1, 4]],
    ['clean', { '/to': false, '/cc': true }, ['approval', 1, 3]],
    ['clean', { '/to': null }, ['deny', 1, 1]],
    ['untrusted', { '/to': true, '/cc': true }, ['allow', 1, 4]],
    ['untrusted', { '/to': true, '/cc': false }, ['approval', 2, 2]],
    ['untrusted', { '/to': false, '/cc': null }, ['approval', 2, 2]],
    ['untrusted', { '/to': true, '/cc': null }, ['deny', 1, 1]],
    ['suspect', { '/to': true, '/cc': true }, ['deny', 1, 1]],
  ] as const)('%s, %j: %j', (label, vouched, expected) => {
    expect(of(label, vouched)).toEqual(expected);
  });

  it('cannot be compared without a run, so the strictest rule holds', () => {
    expect(evaluate(asking, { to: 'a' })).toMatchObject({ demand: { require: 'deny' }, rule: 1 });
  });
});

describe('limits and code', () => {
  const limited = policy({
    rules: [{ when: { '/amount': { gt: 100 } }, require: 'approval', approvers: 2 }, { require: 'allow' }],
    limits: [
      { sum: '/amount', lte: 10, per: 'day' },
      { count: true, lte: 3, per: 'hour', require: 'approval', approvers: 3, reason: 'required' },
      { count: true, lte: 9, per: 'hour', require: 'deny' },
    ],
  });

  it('add what the exceeded limit requires, and never less than the rule', () => {
    const of = (amount: number, over: number[]): unknown => outcome(evaluate(limited, { amount }, { over }));
    expect([of(1, []), of(1, [0]), of(101, [0]), of(101, [0, 1]), of(1, [2])]).toEqual([
      ['allow', 1, 2],
      ['approval', 1, 2],
      ['approval', 2, 1],
      ['approval', 3, 1],
      ['deny', 1, 2],
    ]);
  });

  it.each([{ amount: -1 }, { amount: '1' }])(
    'are exceeded, and the strictest rule holds, if the value is not comparable: %j',
    (args) => {
      const rules = [
        { when: { '/kind': { eq: 'x' } }, require: 'approval', approvers: 4 },
        { require: 'allow' },
      ];
      const limits = [{ sum: '/amount', lte: 10, per: 'day', reason: 'required' }];
      expect(evaluate(policy({ rules, limits }), { kind: 'y', ...args })).toMatchObject({
        demand: { approvers: 4, reason: 'required' },
        rule: 1,
      });
    },
  );

  it('do not read the limits for a denied call', () => {
    const asked = (): never => {
      throw new Error('asked');
    };
    const denies = policy({ rules: [{ require: 'deny' }], limits: [{ count: true, lte: 1, per: 'day' }] });
    const question = { argument: argumentsLookup({}), application: null, run: () => null };
    expect(evaluatePolicy(denies, question, null, asked).demand).toEqual({ require: 'deny' });
  });

  it('apply a stricter requirement of the code, and the strictest rule if the code fails', () => {
    const code = { require: 'approval', approvers: 5, group: 'legal' } as const;
    expect(evaluate(limited, { amount: 1 }, { code }).demand).toMatchObject(code);
    expect(evaluate(limited, { amount: 1 }, { code: { require: 'allow' } }).demand).toEqual({
      require: 'allow',
    });
    expect(evaluate(limited, { amount: 1 }, { code: 'failed' })).toMatchObject({
      rule: 1,
      demand: { approvers: 2 },
    });
    expect(combineDemands({ require: 'approval', group: 'a' }, { require: 'approval', group: 'b' })).toEqual({
      require: 'deny',
    });
  });

  it('become the requirement of the approval', () => {
    expect(requirementOf({ require: 'approval', approvers: 2, group: 'a', reason: 'required' }, 3)).toEqual({
      rule: 3,
      approvers: 2,
      group: 'a',
      isReasonRequired: true,
    });
  });
});

const constant = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean(), fc.constant(null));
const pointer = fc.constantFrom('/a', '/b/0', '/__proto__', '/b/length', '/c/~1', '/constructor');
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ eq: constant }),
  fc.record({ in: fc.array(constant, { minLength: 1, maxLength: 3 }) }),
  fc.record({ gt: fc.double({ noNaN: true, min: -1e9, max: 1e9 }) }),
  fc.record({ lte: fc.integer({ min: -5, max: 5 }) }),
  fc.record({ missing: fc.boolean() }),
);
const demand: fc.Arbitrary<PolicyDemand> = fc.oneof(
  fc.constant({ require: 'allow' as const }),
  fc.constant({ require: 'deny' as const }),
  fc.record({ require: fc.constant('approval' as const), approvers: fc.integer({ min: 1, max: 4 }) }),
);
const rule: fc.Arbitrary<PolicyRule> = fc
  .tuple(fc.dictionary(pointer, comparison, { maxKeys: 3 }), demand)
  .map(([when, required]) => ({ when, ...required }));
const limit: fc.Arbitrary<PolicyLimit> = fc
  .tuple(fc.constantFrom('/a', '/b/0'), demand)
  .map(([sum, required]) => ({ sum, lte: 5, per: 'day' as const, ...required }));
const policies: fc.Arbitrary<ToolPolicy> = fc.record({
  rules: fc.array(rule, { maxLength: 4 }),
  limits: fc.array(limit, { maxLength: 2 }),
});
const args = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
  fc.oneof(constant, fc.array(constant), fc.dictionary(fc.constantFrom('/', 'x'), constant), fc.double()),
);

const isAtLeast = (one: PolicyDemand, other: PolicyDemand): boolean => compareStrictness(one, other) >= 0;

describe('any policy and any arguments', () => {
  it('never give less than the rule that matched, the code and the exceeded limits require', () => {
    fc.assert(
      fc.property(policies, args, fc.option(demand), fc.array(fc.nat(2)), (given, called, code, over) => {
        const plain = evaluate(given, called);
        const decided = evaluate(given, called, { code, over });
        expect(isAtLeast(decided.demand, plain.demand)).toBe(true);
        if (code !== null) expect(isAtLeast(decided.demand, code)).toBe(true);
        if (decided.demand.require !== 'deny')
          for (const index of over)
            if (given.limits[index] !== undefined)
              expect(isAtLeast(decided.demand, { ...given.limits[index] })).toBe(true);
        if (decided.rule === null) expect(decided.demand.require).not.toBe('allow');
      }),
    );
  });

  it('give the strictest rule where the first one cannot be compared', () => {
    const absent: PolicyRule = { when: { '/absent': { gt: 0 } }, require: 'allow' };
    fc.assert(
      fc.property(policies, args, ({ rules, limits }, called) => {
        const decided = evaluate({ rules: [absent, ...rules], limits }, called);
        expect(decided.demand.require).not.toBe('allow');
        for (const each of rules) expect(isAtLeast(decided.demand, each)).toBe(true);
      }),
    );
  });

  it('give the strictest rule where the code failed', () => {
    fc.assert(
      fc.property(policies, args, (given, called) => {
        const { demand: required } = evaluate(given, called, { code: 'failed' });
        expect(required.require).not.toBe('allow');
        for (const each of given.rules) expect(isAtLeast(required, each)).toBe(true);
      }),
    );
  });

  it('read only own properties', () => {
    fc.assert(
      fc.property(args, pointer, (called, path) => {
        const found = readArgument(called, path);
        const json = readArgument(JSON.parse(JSON.stringify(called)), path);
        expect(found.kind === 'value').toBe(json.kind === 'value');
      }),
    );
  });
});
