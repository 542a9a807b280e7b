import { beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { StandardSchema, Tool, ToolCallOutcome, ToolContext } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { aRun, decide, parkedCall } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';
import { tampered } from '../support/tampered-stores.js';

const ORDER = { order: 'A-1182' };

let clock: SetClock;
let stores: StoreBackend;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
});

function instance(tools: readonly Tool[] = [], settings: object = {}, backend = stores): Promise<Bench> {
  return bench({ 'hitl.enabled': true, ...settings }, { stores: backend, clock, tools });
}

/** A Standard Schema without a JSON form that accepts only these orders. */
function opaque(...orders: readonly string[]): StandardSchema {
  const validate: StandardSchema['~standard']['validate'] = (value) =>
    orders.includes((value as typeof ORDER).order) ? { value } : { issues: [{ path: ['order'] }] };
  return { '~standard': { version: 1, vendor: 'opaque', validate } };
}

function ask(
  { engine }: Bench,
  tool: Tool,
  args: unknown = ORDER,
  context: ToolContext = aRun(),
): Promise<ToolCallOutcome> {
  return engine.guardrails.guardTool(tool, context).execute(args);
}

/** The recorded reason of the refusal. */
async function refusal(setup: Bench, ...call: [Tool, unknown?, ReturnType<typeof aRun>?]): Promise<string> {
  const outcome = await ask(setup, ...call);
  if (outcome.status !== 'refused') throw new Error(`it is ${outcome.status}`);
  expect(outcome).toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('not available now'),
  });
  const { entries } = await stores.firewall.list({}, { limit: 1 });
  expect(entries[0]?.violations).toEqual(outcome.violations);
  expect((await stores.approvals.pending({ limit: 1 })).entries).toEqual([]);
  return outcome.violations['(approval)'] ?? '';
}

describe('a schema without a JSON form', () => {
  const versioned = (schemaVersion: string, ...orders: readonly string[]): ReturnType<typeof refundTool> =>
    refundTool({ parameters: opaque(...orders), schemaVersion });

  it('needs a schemaVersion before its calls can be parked', async () => {
    expect(await refusal(await instance(), refundTool({ parameters: opaque('A-1182') }))).toMatch(
      /no JSON form.*declare a `schemaVersion`/,
    );
    const tool = versioned('1', 'A-1182');
    const setup = await instance([tool]);
    expect((await decide(setup.engine, await parkedCall(setup.engine, tool))).status).toBe('executed');
  });

  it.each([
    ['has another version', versioned('2', 'A-1182')],
    ['has the same version, and refuses the arguments', versioned('1', 'B-1')],
  ])('does not run a call that was parked under another version: it now %s', async (_, changed) => {
    const parked = await parkedCall((await instance()).engine, versioned('1', 'A-1182'));
    const { engine } = await instance([changed]);
    await expect(decide(engine, parked)).rejects.toMatchObject({ code: 'superseded' });
    expect(changed.calls).toEqual([]);
  });
});

describe('a schema with validation code', () => {
  it('is validated again before the call runs, although its JSON form is the same', async () => {
    const of = (limit: number): ReturnType<typeof refundTool> =>
      refundTool({
        parameters: z.object({ order: z.string(), amount: z.number().refine((amount) => amount < limit) }),
      });
    const args = { ...ORDER, amount: 500 };
    const parked = await parkedCall((await instance()).engine, of(1000), args);
    const stricter = of(100);
    const { engine } = await instance([stricter]);
    await expect(decide(engine, parked)).rejects.toMatchObject({ code: 'superseded' });
    expect(stricter.calls).toEqual([]);
  });

  it('cannot be parked where it does not accept its own output', async () => {
    const parameters = z.object({ order: z.string().transform((order) => order.length) });
    expect(await refusal(await instance(), refundTool({ parameters }))).toMatch(
      /does not accept its own output/,
    );
  });
});

describe('arguments that are too long to review', () => {
  it('cannot be parked', async () => {
    const order = 'é'.repeat(131_072);
    expect(await refusal(await instance(), refundTool(), { order })).toMatch(/256 KiB/);
  });
});

describe('two tools with the same name', () => {
  it('do not run in place of each other: calls of the second cannot be parked', async () => {
    const [first, second] = [refundTool(), refundTool()];
    const setup = await instance();
    const parked = await parkedCall(setup.engine, first);
    expect(await ask(setup, { ...second, name: 'look', destructive: false })).toMatchObject({
      status: 'executed',
    });
    await expect(ask(setup, second)).resolves.toMatchObject({
      status: 'refused',
      violations: { '(approval)': expect.stringMatching(/other code.*add the one.*`tools`/) },
    });
    await decide(setup.engine, parked);
    expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it('are distinguished by `tools`: approvals run the listed one', async () => {
    const [listed, perRequest] = [refundTool(), refundTool()];
    const setup = await instance([listed]);
    await decide(setup.engine, await parkedCall(setup.engine, perRequest));
    expect([listed.calls.length, perRequest.calls.length]).toEqual([1, 0]);
    await expect(instance([refundTool(), refundTool()])).rejects.toThrow(/Two tools in `tools`/);
  });

  it('need approval where either is destructive', async () => {
    const listed = refundTool({ name: 'pay', destructive: true });
    const setup = await instance([listed]);
    expect((await ask(setup, { ...listed, destructive: false })).status).toBe('parked');
  });
});

describe('four eyes', () => {
  const fourEyes = { 'hitl.four_eyes': true };

  it('refuse an approval without a requester', async () => {
    const tool = refundTool({ parameters: { properties: { order: { type: 'string' } } } });
    const setup = await instance([tool], fourEyes);
    expect(await refusal(setup, tool, ORDER, { runId: 'run' })).toMatch(
      /requester is unknown.*`principalId`/,
    );
    const before = await parkedCall((await instance([tool])).engine, tool, ORDER, { runId: 'run' });
    await expect(decide(setup.engine, before)).rejects.toMatchObject({
      code: 'self_approval',
      message: expect.stringMatching(/Reject the call, and pass/),
    });
    expect((await decide(setup.engine, before, 'rejected')).status).toBe('rejected');
    expect(tool.calls).toEqual([]);
  });

  it.each([
    ['Alice', 'alice'],
    ['alice', ' ALICE '],
    ['am\u00e9lie', 'Ame\u0301lie'],
    ['alice', '\uff41lice'],
  ])('refuse the requester %j who approves as %j (contract 7.5)', async (requester, approver) => {
    const tool = refundTool({ parameters: { properties: { order: { type: 'string' } } } });
    const setup = await instance([tool], fourEyes);
    const parked = await parkedCall(setup.engine, tool, ORDER, { runId: 'run', principalId: requester });
    await expect(decide(setup.engine, parked, 'approved', approver)).rejects.toMatchObject({
      code: 'self_approval',
    });
    const approval = await decide(setup.engine, parked, 'approved', ' Ops-1');
    expect([approval.principalId, approval.decidedBy]).toEqual([requester, ' Ops-1']);
  });

  it('refuse to park a call whose principalId is blank', async () => {
    const tool = refundTool({ parameters: { properties: { order: { type: 'string' } } } });
    const setup = await instance([tool], fourEyes);
    expect(await refusal(setup, tool, ORDER, { runId: 'run', principalId: '  ' })).toMatch(/principalId/);
  });
});

describe('a decision by anybody', () => {
  it.each([
    ['HITL is off', { 'hitl.enabled': false }, 'ops-1'],
    ['the tool is not known', {}, 'ops-1'],
    ['the requester approves', { 'hitl.four_eyes': true }, 'customer-42'],
  ])('fails with expired, not with the error that %s', async (_, settings, actor) => {
    const tool = refundTool();
    const parked = await parkedCall((await instance([tool])).engine, tool);
    const tools = actor === 'customer-42' ? [tool] : [];
    const { engine, log } = await instance(tools, settings);
    await expect(decide(engine, parked, 'approved', actor)).rejects.not.toMatchObject({ code: 'expired' });
    clock.advance(3_600_000);
    for (let time = 0; time < 2; time++)
      await expect(decide(engine, parked, 'approved', actor)).rejects.toMatchObject({ code: 'expired' });
    expect(log.names).toEqual(['guardrails.approval.expired']);
  });

  it('returns the earlier decision, also where the call was superseded', async () => {
    const parked = await parkedCall((await instance()).engine, refundTool());
    const { engine } = await instance([refundTool()], { 'hitl.fallback': 'pass' });
    const details = { decision: 'approved', decided_by: 'ops-1', decided_at: clock.now().toISOString() };
    for (const [verdict, actor] of [
      ['approved', 'ops-1'],
      ['approved', 'ops-1'],
      ['approved', 'ops-2'],
      ['rejected', 'ops-1'],
    ] as const)
      await expect(decide(engine, parked, verdict, actor)).rejects.toMatchObject({
        code: 'superseded',
        details,
      });
  });
});

describe('a changed row', () => {
  const changes: readonly (readonly [string, Partial<Approval>])[] = [
    ['other arguments', { arguments: { order: 'B-1' } }],
    ['arguments without canonical form', { arguments: { order: '\ud800' } }],
    ['missing arguments', { arguments: null }],
    ['removed warnings', { warnings: [] }],
    ['another requester', { principalId: 'customer-7' }],
  ];

  it.each(changes)('is shown with a warning, and superseded: %s', async (_, change) => {
    const tool = refundTool();
    const parked = await parkedCall((await instance()).engine, tool, { order: '<b>A-1182</b>' });
    const waiting = (backend: StoreBackend): Promise<Approval> =>
      backend.approvals.pending({ limit: 1 }).then(({ entries }) => entries[0] as Approval);
    const touched = tampered(stores, () => change);
    const { engine } = await instance([tool], {}, touched);
    expect(engine.approvalService.rules.warningsOf(await waiting(stores))).toEqual([
      '"order" contains markup.',
    ]);
    expect(engine.approvalService.rules.warningsOf(await waiting(touched))[0]).toMatch(
      'arguments' in change && change.arguments === null
        ? /erased them, or the record was changed/
        : /changed after it was requested/,
    );
    await expect(decide(engine, parked)).rejects.toMatchObject({ code: 'superseded' });
    expect((await stores.approvals.find(parked.approvalId))?.status).toBe('superseded');
    expect(tool.calls).toEqual([]);
  });
});

describe('a call that was rejected', () => {
  const context = { ...aRun(), stepName: 'pay back' };

  async function rejectedCall(setup: Bench, tool: Tool, reason: string | null): Promise<Approval> {
    const parked = await parkedCall(setup.engine, tool, ORDER, context);
    const token = setup.engine.approvalService.tokenOf(parked) ?? '';
    return setup.engine.approvalService.decide(token, 'rejected', { actorId: 'ops-1', reason });
  }

  it('is not parked again in the same run, and the model receives the reason', async () => {
    const tool = refundTool();
    const setup = await instance([tool]);
    const { reference } = await rejectedCall(setup, tool, 'the order was delivered');
    for (const stepName of ['pay back', 'try again']) {
      const outcome = await ask(setup, tool, ORDER, { ...context, stepName });
      if (outcome.status !== 'parked') throw new Error(`it is ${outcome.status}`);
      expect(outcome.message).toBe(
        `The same call was rejected in this run. Do not request it again. Reference: ${reference}. Reason: the order was delivered`,
      );
      expect(await outcome.parked.outcome()).toMatchObject({ status: 'rejected', reference });
    }
    expect((await stores.approvals.pending({ limit: 10 })).entries).toEqual([]);
    expect(tool.calls).toEqual([]);
  });

  it('is parked again in another run, and with other arguments', async () => {
    const tool = refundTool();
    const setup = await instance([tool]);
    const { id } = await rejectedCall(setup, tool, null);
    const others = [
      await parkedCall(setup.engine, tool, ORDER, { ...context, runId: 'another run' }),
      await parkedCall(setup.engine, tool, { order: 'A-2' }, context),
    ];
    expect(others.map(({ approvalId }) => approvalId)).not.toContain(id);
    expect((await stores.approvals.pending({ limit: 10 })).entries).toHaveLength(2);
  });
});
