import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '#contracts/audit/record.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { Tool, ToolCallOutcome, ToolContext } from '#contracts/firewall/firewall.js';
import type { PolicyRecord } from '#contracts/policies/policies.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { decide } from '../support/approvals.js';
import { bench, entriesOf, refundTool, type Bench } from '../support/engine.js';

const POLICY = {
  rules: [
    { when: { '/amount': { lte: 50 } }, require: 'allow' },
    { when: { '/amount': { gt: 5000 } }, require: 'deny' },
    { when: { '/amount': { gt: 500 } }, require: 'approval', approvers: 2, ttl: 60 },
  ],
};

const CALLER: ToolContext = { principalId: 'customer-42', application: 'shop', runId: 'run-1' };

const governed = (policy: unknown = POLICY, more: Readonly<Record<string, unknown>> = {}) => ({
  'hitl.enabled': true,
  'hitl.destructive_tools': [],
  'hitl.policies': { refund: policy },
  ...more,
});

const call = (
  { engine }: Bench,
  tool: Tool,
  amount: unknown,
  context: ToolContext = CALLER,
): Promise<ToolCallOutcome> => engine.guardrails.guardTool(tool, context).execute({ order: 'A-1', amount });

const entries = ({ stores }: Bench): Promise<readonly AuditEntry[]> => entriesOf(stores, { control: 'hitl' });

const recordOf = (entry: AuditEntry | undefined): PolicyRecord =>
  JSON.parse(entry?.policy ?? 'null') as PolicyRecord;

describe('names', () => {
  const allowed = { rules: [{ require: 'allow' }] };
  const denied = { rules: [{ require: 'deny' }] };
  const policies = (named: Readonly<Record<string, unknown>>) => governed(POLICY, { 'hitl.policies': named });

  it.each([
    ['Quorum', 'quorum'],
    ['quorum', 'QUORUM'],
    ['\uff51uorum', 'quorum'],
    ['quo\u200brum', 'quorum'],
  ])('of the tool %j and of the policy %j are the same', async (name, policy) => {
    const tool = refundTool({ name });
    const setup = await bench(policies({ [policy]: denied, '*': allowed }));
    expect(await call(setup, tool, 1)).toMatchObject({ status: 'refused', reason: 'denied' });
    expect(tool.calls).toEqual([]);
  });

  it('of listed destructive tools are compared in the same way, also exactly', async () => {
    const listed = { 'hitl.enabled': true, 'tool_authorization.destructive_match': 'exact' };
    const setup = await bench({ ...listed, 'hitl.destructive_tools': ['Quorum'] });
    const outcome = await call(setup, refundTool({ name: 'quo\u200brum' }), 1);
    expect(outcome.status).toBe('parked');
  });

  it('of two policies that are the same are refused', async () => {
    await expect(bench(policies({ Quorum: denied, quorum: allowed }))).rejects.toThrow(
      'policies whose names are compared as the same ("Quorum", "quorum"): merge them',
    );
  });

  it('the policy `*` covers the tools that no policy names, each with sums of its own', async () => {
    const other = { rules: [{ require: 'allow' }], limits: [{ count: true, lte: 1, per: 'day' }] };
    const setup = await bench(policies({ '*': other, named: allowed }));
    const statuses = [];
    const [named, one] = [refundTool({ name: 'named' }), refundTool({ name: 'one' })];
    const two = refundTool({ name: 'two' });
    for (const tool of [named, named, one, two, one]) statuses.push((await call(setup, tool, 1)).status);
    expect(statuses).toEqual(['executed', 'executed', 'executed', 'executed', 'parked']);
  });

  it.each([
    ['is marked', { name: 'wipe', destructive: true }, {}],
    ['has an annotation', { name: 'wipe', annotations: { destructiveHint: true } }, {}],
    ['is listed', { name: 'wipe' }, { 'hitl.destructive_tools': ['wipe'] }],
  ])(
    'the policy `*` opens no tool that %s as destructive, one that names it does',
    async (_, parts, listed) => {
      const tool = refundTool(parts);
      const every = await bench({ ...policies({ '*': allowed }), ...listed });
      expect((await call(every, tool, 1)).status).toBe('parked');
      expect((await call(every, refundTool({ name: 'look' }), 1)).status).toBe('executed');
      const [entry] = (await entries(every)).filter((one) => one.tool === 'wipe');
      expect(recordOf(entry)).toMatchObject({ require: 'approval', rule: 1, approvers: 1 });
      const named = await bench({ ...policies({ '*': denied, wipe: allowed }), ...listed });
      expect((await call(named, refundTool(parts), 1)).status).toBe('executed');
      const strict = await bench({ ...policies({ '*': denied }), ...listed });
      expect((await call(strict, refundTool(parts), 1)).status).toBe('refused');
    },
  );

  it('with approvals off, tools that only the policy `*` covers run and are recorded; named and marked ones are refused', async () => {
    const setup = await bench({ ...policies({ '*': allowed, named: allowed }), 'hitl.enabled': false });
    const statuses = [];
    for (const parts of [{ name: 'look' }, { name: 'named' }, { name: 'wipe', destructive: true }])
      statuses.push((await call(setup, refundTool(parts), 1)).status);
    expect(statuses).toEqual(['executed', 'refused', 'refused']);
    expect(setup.log.decisions).toContain('guardrails.tool.would_park');
    const closed = { 'hitl.enabled': false, 'hitl.fallback': 'deny' };
    const deny = await bench({ ...policies({ '*': allowed }), ...closed });
    expect((await call(deny, refundTool({ name: 'look' }), 1)).status).toBe('refused');
  });

  it('of one principal in six spellings have one budget', async () => {
    const setup = await bench(governed({ ...allowed, limits: [{ sum: '/amount', lte: 50, per: 'day' }] }));
    const [tool, statuses] = [refundTool(), [] as string[]];
    for (const principalId of ['alice', 'Alice', ' alice', 'alice\u200b', '\uff41lice', 'al\u00adice'])
      statuses.push((await call(setup, tool, 20, { ...CALLER, principalId })).status);
    expect(statuses).toEqual(['executed', 'executed', 'parked', 'parked', 'parked', 'parked']);
    const owners = (await setup.stores.approvals.pending({ limit: 10 })).entries.map(
      ({ principalId }) => principalId,
    );
    expect(owners).toEqual(['al\u00adice', '\uff41lice', 'alice\u200b', ' alice']);
  });
});

describe('a tool with a policy', () => {
  it('runs at once where a rule allows it, with a record of control D', async () => {
    const setup = await bench(governed());
    const tool = refundTool();
    expect(await call(setup, tool, 20)).toMatchObject({ status: 'executed', arguments: { amount: 20 } });
    expect(setup.log.decisions).toEqual([
      'guardrails.tool.allowed',
      'guardrails.policy.allowed',
      'guardrails.prompt.allowed',
    ]);
    const [entry, ...more] = await entries(setup);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ control: 'hitl', outcome: 'allowed', ruleId: 'policy.1', tool: 'refund' });
    expect(recordOf(entry)).toEqual({
      require: 'allow',
      approvers: 0,
      rule: 1,
      group: null,
      reason: null,
      ttl: null,
      arguments: { '/amount': { value: 20 } },
      spent: {},
      code: null,
    });
  });

  it('is refused where a rule denies it, and nothing runs', async () => {
    const setup = await bench(governed());
    const tool = refundTool();
    expect(await call(setup, tool, 6000)).toMatchObject({ status: 'refused', reason: 'denied' });
    expect(tool.calls).toEqual([]);
    expect(setup.log.decisions).toEqual(['guardrails.tool.allowed', 'guardrails.policy.denied']);
    expect(await entries(setup)).toMatchObject([{ outcome: 'blocked', ruleId: 'policy.2' }]);
  });

  it('waits where a rule requires approval, for the ttl of the rule, with the record', async () => {
    const setup = await bench(governed());
    const outcome = await call(setup, refundTool(), 600);
    if (outcome.status !== 'parked') throw new Error(outcome.status);
    const approval = await setup.stores.approvals.find(outcome.parked.approvalId);
    const lifetime = Number(approval?.expiresAt) - Number(approval?.createdAt);
    expect(lifetime).toBe(60_000);
    const [entry] = await entries(setup);
    expect(entry).toMatchObject({ outcome: 'blocked', ruleId: 'policy.3' });
    expect(recordOf(entry)).toMatchObject({ require: 'approval', approvers: 2, rule: 3 });
  });

  it.each([
    ['no rule matches', 100, null],
    ['the argument is not comparable', undefined, 2],
  ])('fails closed where %s', async (_why, amount, rule) => {
    const setup = await bench(governed());
    const tool = refundTool();
    const outcome = await call(setup, tool, amount);
    expect(outcome.status).toBe(rule === null ? 'parked' : 'refused');
    expect(tool.calls).toEqual([]);
    expect(recordOf((await entries(setup))[0])).toMatchObject({ rule });
  });

  it('judges the arguments after owner keys were overwritten', async () => {
    const rules = [
      { when: { '/customer_id': { eq: 'customer-42' } }, require: 'allow' },
      { require: 'deny' },
    ];
    const setup = await bench(governed({ rules }));
    const args = { order: 'A-1', customer_id: 'victim-1' };
    const outcome = await setup.engine.guardrails.guardTool(refundTool(), CALLER).execute(args);
    expect(outcome).toMatchObject({ status: 'executed', arguments: { customer_id: 'customer-42' } });
  });

  it.each([
    [{ 'hitl.enabled': false }, 20, 'refused'],
    [{ 'hitl.enabled': false, 'hitl.fallback': 'pass' }, 6000, 'executed'],
  ])('counts as destructive under hitl.fallback: %j', async (settings, amount, status) => {
    const setup = await bench(governed(POLICY, settings));
    expect((await call(setup, refundTool(), amount)).status).toBe(status);
  });

  it('runs in monitor, and what would have happened is recorded', async () => {
    const setup = await bench(governed(POLICY, { 'modes.hitl': 'monitor' }));
    for (const amount of [20, 600, 6000])
      expect((await call(setup, refundTool(), amount)).status).toBe('executed');
    await setup.engine.stop();
    const ofPolicies = /^guardrails\.(?:policy\.|tool\.would_park)/;
    expect(setup.log.decisions.filter((name) => ofPolicies.test(name))).toEqual([
      'guardrails.policy.allowed',
      'guardrails.tool.would_park',
      'guardrails.policy.would_deny',
    ]);
    expect((await entries(setup)).map(({ outcome, ruleId }) => [outcome, ruleId])).toEqual([
      ['observed', 'policy.2'],
      ['observed', 'policy.3'],
      ['allowed', 'policy.1'],
    ]);
  });

  it('does not run where the record cannot be written', async () => {
    const stores = memoryStores();
    stores.audit.append = () => Promise.reject(GuardrailsError.storeUnavailable(new Error('away')));
    const setup = await bench(governed(POLICY, { 'modes.tool_firewall': 'off' }), { stores });
    const tool = refundTool();
    await expect(call(setup, tool, 20)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(tool.calls).toEqual([]);
  });

  it('does not follow the policy of another tool, nor a member of Object', async () => {
    const setup = await bench(governed());
    for (const name of ['lookup', 'constructor', '__proto__'])
      expect((await call(setup, refundTool({ name }), 6000)).status).toBe('executed');
    expect(await entries(setup)).toEqual([]);
  });

  it('leaves a destructive tool without a policy as it is', async () => {
    const setup = await bench(governed(POLICY, { 'hitl.destructive_tools': ['wire'] }));
    expect((await call(setup, refundTool({ name: 'wire' }), 1)).status).toBe('parked');
    expect(await entries(setup)).toMatchObject([{ ruleId: null, policy: null }]);
  });

  it('supersedes a waiting call when its own policy changes, and not when another changes', async () => {
    const settings = governed(POLICY, { 'hitl.policies_overridable': true });
    const setup = await bench(settings);
    const tool = refundTool();
    const by = { actorId: 'ops-1', requestId: null, ifMatch: null };
    const waiting = async (runId: string) => {
      const outcome = await call(setup, tool, 100, { ...CALLER, runId });
      if (outcome.status !== 'parked') throw new Error(outcome.status);
      return outcome.parked;
    };
    const [first, second] = [await waiting('run-1'), await waiting('run-2')];
    const others = { refund: POLICY, wire: { rules: [{ require: 'deny' }] } };
    await setup.engine.settings.update({ 'hitl.policies': others }, by);
    expect((await decide(setup.engine, first)).status).toBe('executed');
    const stricter = { ...others, refund: { rules: [{ require: 'approval' }] } };
    await setup.engine.settings.update({ 'hitl.policies': stricter }, by);
    await expect(decide(setup.engine, second)).rejects.toMatchObject({ code: 'superseded' });
  });
});

describe('approval() of a tool', () => {
  it('receives a copy of the arguments and the context, and can require more than the policy', async () => {
    const setup = await bench(governed());
    const tool = refundTool({
      approval: (args, context) => {
        Object.assign(args, { amount: 0 });
        return context.application === 'shop' ? { require: 'approval', approvers: 3 } : null;
      },
    });
    expect((await call(setup, tool, 20)).status).toBe('parked');
    expect(recordOf((await entries(setup))[0])).toMatchObject({
      approvers: 3,
      arguments: { '/amount': { value: 20 } },
      code: { require: 'approval', approvers: 3 },
    });
    expect((await call(setup, tool, 20, { principalId: 'customer-42' })).status).toBe('executed');
  });

  it('cannot require less', async () => {
    const setup = await bench(governed());
    const tool = refundTool({ approval: () => ({ require: 'allow' }) });
    expect((await call(setup, tool, 600)).status).toBe('parked');
    expect((await call(setup, tool, 6000)).status).toBe('refused');
  });

  it.each<[string, NonNullable<Tool['approval']>]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['returns something else', () => ({ require: 'maybe' }) as never],
    ['returns a text', () => 'approval' as never],
  ])('means the strictest rule if it %s', async (_how, approval) => {
    const setup = await bench(governed());
    expect(await call(setup, refundTool({ approval }), 20)).toMatchObject({
      status: 'refused',
      reason: 'denied',
    });
    expect(recordOf((await entries(setup))[0])).toMatchObject({ rule: 2, code: 'failed' });
  });

  it('applies to a tool without a policy only if it requires something', async () => {
    const setup = await bench(governed());
    const tool = refundTool({
      name: 'wire',
      approval: ({ amount }) => (Number(amount) > 5 ? { require: 'approval' } : null),
    });
    expect((await call(setup, tool, 1)).status).toBe('executed');
    expect((await call(setup, tool, 6)).status).toBe('parked');
    const failing = refundTool({ name: 'pay', approval: () => Promise.reject(new Error('down')) });
    expect((await call(setup, failing, 1)).status).toBe('parked');
  });

  it('does not allow a call that already waits for an approval', async () => {
    const setup = await bench(governed());
    let isRisky = true;
    const tool = refundTool({ name: 'wire', approval: () => (isRisky ? { require: 'approval' } : null) });
    const waiting = await call(setup, tool, 1);
    isRisky = false;
    expect(await call(setup, tool, 1)).toMatchObject({
      status: 'parked',
      message: waiting.status === 'parked' && waiting.message,
    });
    expect(tool.calls).toEqual([]);
  });

  it('applies from the registered tool to a guarded tool of the same name', async () => {
    const listed = refundTool({ approval: () => ({ require: 'deny' }) });
    const setup = await bench(governed(), { tools: [listed] });
    expect((await call(setup, refundTool(), 20)).status).toBe('refused');
  });
});

describe('limits', () => {
  const limited = {
    rules: [{ when: { '/amount': { lte: 50 } }, require: 'allow' }, { require: 'deny' }],
    limits: [
      { sum: '/amount', lte: 100, per: 'day' },
      { count: true, lte: 4, per: 'hour', require: 'deny' },
    ],
  };

  it('allow calls until the sum is reached; the next one waits', async () => {
    const setup = await bench(governed(limited));
    const tool = refundTool();
    const statuses = [];
    for (const amount of [50, 40, 20, 10]) statuses.push((await call(setup, tool, amount)).status);
    expect(statuses).toEqual(['executed', 'executed', 'parked', 'executed']);
    const [last, waiting] = await entries(setup);
    expect(recordOf(last)).toMatchObject({
      require: 'allow',
      spent: { '/amount per day': '90', 'count per hour': '2' },
    });
    expect(recordOf(waiting)).toMatchObject({ require: 'approval', approvers: 1, rule: 1 });
  });

  it.each(['pending', 'rejected', 'executed'])('do not run a call again that is %s', async (status) => {
    const clock = new SetClock();
    const stores = memoryStores({ clock });
    const tool = refundTool();
    const setup = await bench(governed(limited, { 'hitl.ttl': 3 * 24 * 3600 }), { stores, clock });
    for (const amount of [50, 40]) await call(setup, tool, amount);
    const waiting = await call(setup, tool, 20);
    if (waiting.status !== 'parked') throw new Error(waiting.status);
    if (status !== 'pending')
      await decide(setup.engine, waiting.parked, status === 'rejected' ? 'rejected' : 'approved');
    const ran = tool.calls.length;
    clock.advance(25 * 3_600_000);
    expect(await call(setup, tool, 20)).toMatchObject({
      status: 'parked',
      parked: { approvalId: waiting.parked.approvalId },
    });
    expect(tool.calls).toHaveLength(ran);
    // The budget is free again: another run is let through.
    expect((await call(setup, tool, 20, { ...CALLER, runId: 'run-2' })).status).toBe('executed');
  });

  it('count an approved call and never refuse it', async () => {
    const setup = await bench(governed(limited));
    const tool = refundTool();
    await call(setup, tool, 50);
    await call(setup, tool, 45);
    const parked = await call(setup, tool, 20);
    if (parked.status !== 'parked') throw new Error(parked.status);
    expect((await decide(setup.engine, parked.parked)).status).toBe('executed');
    await call(setup, tool, 1);
    expect(recordOf((await entries(setup))[0]).spent['/amount per day']).toBe('115');
  });

  it('are per principal and tool, and calls without a principal share one budget', async () => {
    const setup = await bench(governed({ ...limited, limits: [{ count: true, lte: 1, per: 'day' }] }));
    const tool = refundTool();
    const of = async (principalId?: string): Promise<string> =>
      (await call(setup, tool, 1, principalId === undefined ? {} : { principalId })).status;
    expect([await of('a'), await of('a'), await of('b')]).toEqual(['executed', 'parked', 'executed']);
    const ownerless = refundTool({
      parameters: { type: 'object', properties: { order: {}, amount: {} } },
    });
    const other = await bench(governed({ ...limited, limits: [{ count: true, lte: 1, per: 'day' }] }));
    const anonymous = async (): Promise<string> => (await call(other, ownerless, 1, {})).status;
    expect([await anonymous(), await anonymous()]).toEqual(['executed', 'parked']);
  });

  it('free what a failed call reserved, and pass its error on', async () => {
    const setup = await bench(governed({ ...limited, limits: [{ sum: '/amount', lte: 50, per: 'day' }] }));
    let fails = true;
    const tool = refundTool({
      execute: () => {
        if (fails) throw new Error('the bank said no');
        return 'paid';
      },
    });
    await expect(call(setup, tool, 50)).rejects.toThrow('the bank said no');
    fails = false;
    expect([(await call(setup, tool, 50)).status, (await call(setup, tool, 50)).status]).toEqual([
      'executed',
      'parked',
    ]);
  });

  it('treat a negative value as not comparable: the strictest rule holds', async () => {
    const setup = await bench(governed(limited));
    expect((await call(setup, refundTool(), -1)).status).toBe('refused');
  });

  it('ignore calls after their window, by the clock of the store', async () => {
    const clock = new SetClock();
    const setup = await bench(governed({ ...limited, limits: [{ sum: '/amount', lte: 50, per: 'hour' }] }), {
      clock,
      stores: memoryStores({ clock }),
    });
    const tool = refundTool();
    const statusOf = async (): Promise<string> =>
      (await call(setup, tool, 50, { ...CALLER, runId: crypto.randomUUID() })).status;
    expect([await statusOf(), await statusOf()]).toEqual(['executed', 'parked']);
    clock.advance(3_599_999);
    expect(await statusOf()).toBe('parked');
    clock.advance(1);
    expect(await statusOf()).toBe('executed');
  });

  it('refuse a call in enforce and run it in monitor while the store fails', async () => {
    const failing = () => Promise.reject(GuardrailsError.storeUnavailable(new Error('away')));
    const run = async (mode: string): Promise<string> => {
      const stores = memoryStores();
      stores.budgets.admit = failing;
      const setup = await bench(governed(limited, { 'modes.hitl': mode }), { stores });
      return (await call(setup, refundTool(), 1)).status;
    };
    await expect(run('enforce')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await run('monitor')).toBe('executed');
  });

  it('reserve an approved call once, and release it where its tool fails', async () => {
    const rules = [{ require: 'approval' }];
    const setup = await bench(governed({ rules, limits: limited.limits }));
    const spentBy = async (tool: Tool): Promise<readonly string[]> => {
      const outcome = await call(setup, tool, 30, { ...CALLER, runId: crypto.randomUUID() });
      if (outcome.status !== 'parked') throw new Error(outcome.status);
      await decide(setup.engine, outcome.parked);
      const claims = (await setup.stores.approvals.find(outcome.parked.approvalId))?.claims ?? [];
      const limits = claims.map(({ budget }) => ({ budget, windowMs: 60_000, lte: '1000' }));
      return (await setup.stores.budgets.states(claims, limits)).map(({ spent }) => spent);
    };
    expect(await spentBy(refundTool())).toEqual(['30', '1']);
    const failing = refundTool({ execute: () => Promise.reject(new Error('the bank said no')) });
    const other = await bench(governed({ rules, limits: limited.limits }), { tools: [failing] });
    const outcome = await call(other, failing, 30);
    if (outcome.status !== 'parked') throw new Error(outcome.status);
    expect((await decide(other.engine, outcome.parked)).status).toBe('failed');
    const claims = (await other.stores.approvals.find(outcome.parked.approvalId))?.claims ?? [];
    const limits = claims.map(({ budget }) => ({ budget, windowMs: 60_000, lte: '1000' }));
    expect((await other.stores.budgets.states(claims, limits)).map(({ spent }) => spent)).toEqual(['0', '0']);
  });
});
