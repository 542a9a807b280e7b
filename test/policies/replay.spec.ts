import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Policies, PolicyRecord } from '#contracts/policies/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import type { TryPoliciesData } from '#contracts/api/try.js';
import { policyReplay, PolicyReplay } from '#src/policy-replay/policy-replay.js';
import { decision } from '#stores/contract/index.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

const WINDOW = { from: new Date(0), to: new Date(8e14) };

/** .ci/run replays more. */
const CALLS = Number(process.env['REPLAYED_CALLS'] ?? 12_000);

const policiesOf = (given: unknown): Policies => {
  const parsed = toolPolicies.parse(given);
  if (!parsed.ok) throw new Error(parsed.reasons.join());
  return parsed.value;
};

async function replayAll(replay: PolicyReplay, policies: Policies): Promise<readonly TryPoliciesData[]> {
  const slices: TryPoliciesData[] = [];
  let cursor: number | null | undefined;
  do {
    const slice = await replay.replay({ policies, window: WINDOW, cursor: cursor ?? undefined });
    slices.push(slice);
    cursor = slice.next_cursor;
  } while (cursor !== null);
  return slices;
}

const replayOf = ({ stores, engine }: Bench): PolicyReplay =>
  policyReplay(stores.audit, engine.tools, engine.settings);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function totals(slices: readonly TryPoliciesData[]) {
  const rules = new Map<string, { before: number; after: number }>();
  for (const { tool, rule, before, after } of slices.flatMap((slice) => slice.rules)) {
    const held = rules.get(`${tool} ${rule}`) ?? { before: 0, after: 0 };
    rules.set(`${tool} ${rule}`, { before: held.before + before, after: held.after + after });
  }
  return {
    replayed: sum(slices.map(({ replayed }) => replayed)),
    unchanged: sum(slices.map(({ unchanged }) => unchanged)),
    stricter: sum(slices.map(({ stricter }) => stricter.count)),
    looser: sum(slices.map(({ looser }) => looser.count)),
    rules: Object.fromEntries(rules),
  };
}

const settingsOf = (policies: unknown): Readonly<Record<string, unknown>> => ({
  'hitl.enabled': true,
  'hitl.destructive_tools': ['wire'],
  'hitl.max_open_per_principal': 10_000,
  'hitl.policies': policies,
});

interface GivenCall {
  readonly tool: string;
  readonly amount: unknown;
  readonly application: string | undefined;
}

async function traffic({ engine }: Bench, tools: readonly Tool[], calls: readonly GivenCall[]) {
  const statuses: string[] = [];
  for (const { tool: name, amount, application } of calls) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(name);
    const context = { principalId: 'customer-42', ...(application !== undefined && { application }) };
    const outcome = await engine.guardrails.guardTool(tool, context).execute({ order: 'A-1', amount });
    statuses.push(outcome.status);
  }
  return statuses;
}

const LEVELS = ['executed', 'parked', 'refused'];

const rule = fc
  .tuple(
    fc.constantFrom('lt', 'lte', 'gt', 'gte', 'eq'),
    fc.integer({ min: 0, max: 10 }),
    fc.constantFrom('allow', 'approval', 'deny'),
    fc.option(fc.constantFrom('shop', 'desk')),
  )
  .map(([operator, constant, require, application]) => ({
    when: { '/amount': { [operator]: constant } },
    require,
    ...(application !== null && { application }),
  }));
const policy = fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 3 }) });
const givenCall: fc.Arbitrary<GivenCall> = fc.record({
  tool: fc.constantFrom('refund', 'wire'),
  amount: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constantFrom(null, undefined)),
  application: fc.constantFrom('shop', 'desk', undefined),
});

describe('a replay of policies', () => {
  it('has the numbers of an engine that decides the same calls under the candidate', async () => {
    await fc.assert(
      fc.asyncProperty(
        policy,
        policy,
        fc.array(givenCall, { maxLength: 12 }),
        async (old, candidate, calls) => {
          const free = { parameters: { type: 'object' } };
          const tools = ['refund', 'wire'].map((name) => refundTool({ name, ...free }));
          const setup = await bench(settingsOf({ refund: old, wire: old }));
          const again = await bench(settingsOf({ refund: candidate, wire: candidate }));
          const before = await traffic(setup, tools, calls);
          const after = await traffic(again, tools, calls);
          const slices = await replayAll(replayOf(setup), policiesOf({ refund: candidate, wire: candidate }));
          const levels = before.map(
            (status, index) => LEVELS.indexOf(after[index] ?? '') - LEVELS.indexOf(status),
          );
          expect(totals(slices)).toMatchObject({
            replayed: calls.length,
            unchanged: levels.filter((level) => level === 0).length,
            stricter: levels.filter((level) => level > 0).length,
            looser: levels.filter((level) => level < 0).length,
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('changes nothing, and lists the calls that change', async () => {
    const setup = await bench(settingsOf({ refund: { rules: [{ require: 'allow' }] } }));
    await traffic(setup, [refundTool()], [{ tool: 'refund', amount: 5, application: undefined }]);
    const held = await setup.stores.audit.list({ control: 'hitl' }, { limit: 10 });
    const denied = policiesOf({ refund: { rules: [{ require: 'deny' }] } });
    const [slice] = await replayAll(replayOf(setup), denied);
    expect(slice?.stricter).toMatchObject({
      count: 1,
      calls: [{ audit_id: held.entries[0]?.id, tool: 'refund', before: { rule: 1 }, after: { rule: 1 } }],
    });
    expect(await setup.stores.audit.list({ control: 'hitl' }, { limit: 10 })).toEqual(held);
  });

  it('counts calls that cannot be replayed, and why', async () => {
    const old = { rules: [{ when: { '/amount': { gt: 5 } }, require: 'allow' }, { require: 'allow' }] };
    const note = { ...old, rules: [{ when: { '/order': { eq: 'x' } }, require: 'allow' }] };
    const setup = await bench(settingsOf({ refund: old, note }));
    const tools = [refundTool(), refundTool({ name: 'wire' }), refundTool({ name: 'note' })];
    const calls = ['refund', 'wire'].map((tool) => ({ tool, amount: 7, application: undefined }));
    await traffic(setup, tools, calls);
    await setup.engine.guardrails
      .guardTool(tools[2] ?? refundTool(), { principalId: 'customer-42' })
      .execute({ order: 'write to someone@example.com' });
    const candidate = policiesOf({
      refund: { rules: [{ when: { '/order': { eq: 'A' } }, require: 'allow' }] },
      note,
    });
    const limited = policiesOf({ refund: { ...old, limits: [{ count: true, lte: 1, per: 'day' }] }, note });
    const [slice] = await replayAll(replayOf(setup), candidate);
    expect(slice?.not_replayable).toEqual({
      erased: 0,
      no_policy_recorded: 1,
      argument_not_recorded: 1,
      argument_withheld: 1,
      limit_not_recorded: 0,
      run_not_recorded: 0,
    });
    const [other] = await replayAll(replayOf(setup), limited);
    expect(other?.not_replayable).toMatchObject({ limit_not_recorded: 1 });
  });

  it('compares limits with the sums at the time of the call', async () => {
    const old = { rules: [{ require: 'allow' }], limits: [{ sum: '/amount', lte: 100, per: 'day' }] };
    const setup = await bench(settingsOf({ refund: old }));
    const amounts = [40, 40, 40, 20];
    await traffic(
      setup,
      [refundTool()],
      amounts.map((amount) => ({ tool: 'refund', amount, application: undefined })),
    );
    const lower = { ...old, limits: [{ sum: '/amount', lte: 50, per: 'day', approvers: 2 }] };
    const [slice] = await replayAll(replayOf(setup), policiesOf({ refund: lower }));
    // 40; 40 + 40; 80 + 40, which waited for one; 80 + 20.
    expect(slice).toMatchObject({ replayed: 4, unchanged: 1, stricter: { count: 3 }, looser: { count: 0 } });
  });

  it('parks calls of destructive tools without a policy in the candidate, and runs others', async () => {
    const old = { rules: [{ require: 'deny' }] };
    const setup = await bench(settingsOf({ refund: old, wire: old }));
    const calls = ['refund', 'wire'].map((tool) => ({ tool, amount: 1, application: undefined }));
    await traffic(setup, [refundTool(), refundTool({ name: 'wire' })], calls);
    const [slice] = await replayAll(replayOf(setup), {});
    expect(slice?.looser.calls.map(({ tool, after }) => [tool, after.require])).toEqual([
      ['wire', 'approval'],
      ['refund', 'allow'],
    ]);
  });

  it('compares group, ttl and reason as well', async () => {
    const before = { require: 'approval', group: 'finance', ttl: 600 };
    const approverGroups = { isMember: () => true };
    const tool = refundTool();
    const setup = await bench(settingsOf({ refund: { rules: [before] } }), { approverGroups, tools: [tool] });
    await traffic(setup, [tool], [{ tool: 'refund', amount: 5, application: undefined }]);
    const directionOf = async (candidate: object): Promise<string> => {
      const policies = policiesOf({ refund: { rules: [candidate] } });
      const { stricter, looser } = await replayOf(setup).replay({ policies, window: WINDOW });
      const [changed] = [...stricter.calls, ...looser.calls];
      if (changed !== undefined)
        expect([changed.before, changed.after]).toMatchObject([{ ...before, reason: null }, candidate]);
      return stricter.count > 0 ? 'stricter' : looser.count > 0 ? 'looser' : 'unchanged';
    };
    expect(await directionOf(before)).toBe('unchanged');
    expect(await directionOf({ ...before, reason: 'required' })).toBe('stricter');
    expect(await directionOf({ ...before, ttl: 60 })).toBe('stricter');
    expect(await directionOf({ ...before, ttl: 6_000 })).toBe('looser');
    expect(await directionOf({ require: 'approval', ttl: 600 })).toBe('looser');
    expect(await directionOf({ ...before, group: 'legal' })).toBe('stricter');
  });

  it('has the numbers of a simple second count over many calls', async () => {
    const stores: StoreBackend = memoryStores();
    const amounts = Array.from({ length: CALLS }, (_, index) => (index * 7919) % 1009);
    for (const amount of amounts) {
      const record: PolicyRecord = {
        ...(amount <= 100
          ? { require: 'allow', approvers: 0, rule: 1 }
          : { require: 'approval', approvers: 1, rule: null }),
        group: null,
        ttl: null,
        reason: null,
        arguments: { '/amount': { value: amount } },
        spent: {},
        code: null,
      };
      const stored = JSON.stringify(record);
      await stores.audit.append(
        decision({ control: 'hitl', origin: 'tool_call', tool: 'refund', policy: stored }),
      );
    }
    const candidate = policiesOf({
      refund: {
        rules: [
          { when: { '/amount': { lt: 50 } }, require: 'allow' },
          { when: { '/amount': { gte: 500, lt: 900 } }, require: 'approval', approvers: 2 },
          { when: { '/amount': { gte: 900 } }, require: 'deny' },
        ],
      },
    });
    const slices = await replayAll(new PolicyReplay(stores.audit, () => true), candidate);
    const count = (matches: (amount: number) => boolean): number => amounts.filter(matches).length;
    expect(slices.length).toBeGreaterThanOrEqual(CALLS / 5000);
    expect(
      slices.every(({ stricter, looser }) => stricter.calls.length <= 50 && looser.calls.length <= 50),
    ).toBe(true);
    expect(totals(slices)).toEqual({
      replayed: CALLS,
      unchanged: count((amount) => amount < 50 || (amount > 100 && amount < 500)),
      stricter: count((amount) => (amount >= 50 && amount <= 100) || amount >= 500),
      looser: 0,
      rules: {
        'refund 1': { before: count((amount) => amount <= 100), after: count((amount) => amount < 50) },
        'refund 2': { before: 0, after: count((amount) => amount >= 500 && amount < 900) },
        'refund 3': { before: 0, after: count((amount) => amount >= 900) },
        'refund null': {
          before: count((amount) => amount > 100),
          after: count((amount) => amount >= 50 && amount < 500),
        },
      },
    });
  }, 300_000);
});
