import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { ToolAuthorizer, type Tool } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { digestOf } from '#engine/json/plain-json.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { decide, parkedCall, recovered } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';
import { tampered } from '../support/tampered-stores.js';

let clock: SetClock;
let stores: StoreBackend;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
});

class Rights extends ToolAuthorizer {
  answer: unknown = true;
  override version = '1';

  override authorize(): boolean {
    if (this.answer instanceof Error) throw this.answer;
    return this.answer as boolean;
  }
}

describe('a call that changed after parking', () => {
  const settings = { 'hitl.enabled': true, 'tool_authorization.enabled': true };
  const rights = new Rights();

  beforeEach(() => {
    rights.answer = true;
    rights.version = '1';
  });

  const open = (backend: StoreBackend, tool: Tool, more: object = {}): Promise<Bench> =>
    bench({ ...settings, ...more }, { stores: backend, clock, tools: [tool], authorizer: rights });

  async function superseded(
    { engine, log }: Bench,
    tool: ReturnType<typeof refundTool>,
    of: Approval,
  ): Promise<void> {
    await expect(decide(engine, of)).rejects.toMatchObject({ code: 'superseded' });
    await expect(decide(engine, of)).rejects.toMatchObject({ code: 'superseded' });
    expect(tool.calls).toEqual([]);
    expect((await stores.approvals.find(of.id))?.status).toBe('superseded');
    expect(log.names.at(-1)).toBe('guardrails.approval.superseded');
  }

  async function waiting(tool: Tool): Promise<Approval> {
    const { engine } = await open(stores, tool);
    const { approvalId } = await parkedCall(engine, tool);
    const found = await stores.approvals.find(approvalId);
    if (found === null) throw new Error('it does not wait');
    return found;
  }

  const STOLEN = { order: 'B-1', customer_id: 'customer-42' };

  it.each<readonly [string, (approval: Approval) => Partial<Approval>]>([
    ['arguments', () => ({ arguments: STOLEN })],
    ['arguments with a matching digest', () => ({ arguments: STOLEN, argumentsDigest: digestOf(STOLEN) })],
    ['erased arguments', () => ({ arguments: null })],
    ['requester', () => ({ principalId: 'customer-7' })],
    ['requester, erased', () => ({ principalId: null })],
    ['application', () => ({ application: 'another' })],
    ['run', () => ({ runId: 'another' })],
    ['step', () => ({ stepName: 'another' })],
    ['tool fingerprint', () => ({ toolFingerprint: 'f'.repeat(64) })],
    ['the idempotent flag', () => ({ idempotent: true })],
    ['policy revision', () => ({ policyRevision: '0'.repeat(16) })],
    ['the reference, which is the idempotency key', () => ({ reference: 'another' })],
    ['decider', ({ decidedBy }) => ({ decidedBy: decidedBy === null ? null : 'ops-9' })],
    [
      'decision',
      ({ decisionMac: decisionSeal }) => ({ decisionMac: decisionSeal === null ? null : 'forged' }),
    ],
  ])('is superseded, and does not run, after a change in the database: the %s', async (_, change) => {
    const tool = refundTool();
    const approval = await waiting(tool);
    const { engine } = await open(tampered(stores, change), tool);
    await expect(decide(engine, approval)).rejects.toMatchObject({ code: 'superseded' });
    expect(tool.calls).toEqual([]);
    expect((await stores.approvals.find(approval.id))?.status).toBe('superseded');
  });

  it('runs if nothing changed', async () => {
    const tool = refundTool();
    const approval = await waiting(tool);
    const { engine } = await open(
      tampered(stores, () => ({})),
      tool,
    );
    expect((await decide(engine, approval)).status).toBe('executed');
  });

  it('is superseded if its schema changed in code', async () => {
    const approval = await waiting(refundTool());
    const tool = refundTool({ parameters: { type: 'object', properties: { order: { type: 'string' } } } });
    await superseded(await open(stores, tool), tool, approval);
  });

  it.each([
    ['denies the call', false],
    ['returns no boolean', 'yes'],
    ['throws', new Error('down')],
  ])('is superseded by an authorizer that now %s', async (_, answer) => {
    const tool = refundTool();
    const approval = await waiting(tool);
    rights.answer = answer;
    await superseded(await open(stores, tool), tool, approval);
  });

  it.each<readonly [string, () => object]>([
    ['the owner keys', () => ({ 'tool_firewall.owner_keys': ['owner_id'] })],
    ['the depth of owner keys', () => ({ 'tool_authorization.owner_key_depth': 'top_level' })],
    ['the mode of the firewall', () => ({ 'modes.tool_firewall': 'monitor' })],
    ['the list of destructive tools', () => ({ 'hitl.destructive_tools': ['refund', 'other'] })],
    [
      'the version of the authorizer',
      () => {
        rights.version = '2';
        return {};
      },
    ],
  ])('is superseded by a change of the policy: %s', async (_, change) => {
    const tool = refundTool();
    const approval = await waiting(tool);
    await superseded(await open(stores, tool, change()), tool, approval);
  });

  it('runs if it was parked under `deny`, which was the default of hitl.fallback before `declared`', async () => {
    const tool = refundTool();
    const before = await open(stores, tool, { 'hitl.fallback': 'deny' });
    const { approvalId } = await parkedCall(before.engine, tool);
    const parked = await stores.approvals.find(approvalId);
    const { engine } = await open(stores, tool);
    expect((await decide(engine, parked!)).status).toBe('executed');
  });

  it('runs after a change of a refusal message or a rule, and after a reverted policy', async () => {
    const tool = refundTool();
    const approval = await waiting(tool);
    const { engine } = await open(stores, tool, {
      'input_screen.refusal_message': 'No.',
      'input_screen.patterns': { own: 'zebra' },
      'modes.output_handler': 'monitor',
    });
    expect((await decide(engine, approval)).status).toBe('executed');
  });
});

describe('an approved tool', () => {
  const run = async (execute: Tool['execute'], settings: object = {}): Promise<Approval> => {
    const tool = refundTool({ execute });
    const { engine } = await bench({ 'hitl.enabled': true, ...settings }, { stores, clock, tools: [tool] });
    return decide(engine, await parkedCall(engine, tool));
  };

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;

  it.each<readonly [string, unknown]>([
    ['a megabyte', 'x'.repeat(1024 * 1024)],
    [
      'ten megabytes',
      { list: Array.from({ length: 200_000 }, (_, index) => `entry number ${index}, and more`) },
    ],
    ['a circle', circle],
    ['five thousand levels', deep],
    ['a text that throws when it is written', { toJSON: () => raise('no JSON') }],
    [
      'a getter that throws',
      {
        get a(): never {
          return raise('no');
        },
      },
    ],
    ['a proxy that throws', new Proxy({}, { ownKeys: () => raise('no') })],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
  ])('may return %s; the part that fits is stored', async (_, returned) => {
    const { status, result } = await run(() => returned);
    expect(status).toBe('executed');
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(16 * 1024);
  });

  it.each<readonly [string, unknown]>([
    ['a text', 'text'],
    ['nothing', undefined],
    ['a megabyte', new Error('x'.repeat(1024 * 1024))],
    [
      'an error whose message throws',
      Object.defineProperty(new Error('a'), 'message', { get: () => raise('b') }),
    ],
    [
      'an error whose message is not a text',
      Object.assign(new Error('a'), { message: { toString: () => raise('b') } }),
    ],
    ['a proxy', new Proxy(new Error('a'), { get: () => raise('b'), getPrototypeOf: () => raise('c') })],
  ])('may throw %s; the decision is kept', async (_, thrown) => {
    const { status, error } = await run(() => {
      throw thrown;
    });
    expect(status).toBe('failed');
    expect(error?.code).toBe('tool_failed');
    expect(error?.message.length).toBeLessThanOrEqual(500);
  });

  it('is aborted after its time limit if it does not return, and its outcome is unknown', async () => {
    let aborted = false;
    const { status, error } = await run(
      (_args, { signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      },
      { 'hitl.run_timeout': 1 },
    );
    expect([status, error?.code, aborted]).toEqual(['outcome_unknown', 'timed_out', true]);
  });

  it('has no time limit where the configured one exceeds the timers of Node', async () => {
    const { status } = await run(() => 'done', { 'hitl.run_timeout': 9_999_999_999 });
    expect(status).toBe('executed');
  });

  it('keeps its result where the store is unavailable for a moment', async () => {
    let failures = 2;
    const flaky = tampered(stores, () => ({}));
    const finish = flaky.approvals.finish.bind(flaky.approvals);
    const broken = new Proxy(flaky.approvals, {
      get: (target, name) => {
        if (name !== 'finish') return Reflect.get(target, name) as unknown;
        return async (...given: Parameters<typeof finish>) => {
          if (failures-- > 0) throw GuardrailsError.storeUnavailable(new Error('away'));
          return finish(...given);
        };
      },
    });
    const tool = refundTool();
    const backend = new Proxy(stores, {
      get: (target, name) => (name === 'approvals' ? broken : (Reflect.get(target, name) as unknown)),
    });
    const { engine, log } = await bench({ 'hitl.enabled': true }, { stores: backend, clock, tools: [tool] });
    expect((await decide(engine, await parkedCall(engine, tool))).status).toBe('executed');
    expect(tool.calls).toHaveLength(1);
    expect(log.names.filter((name) => name === 'guardrails.approval.executed')).toHaveLength(1);
  });

  it('keeps its result, and publishes it once, where only the answer of the store was lost', async () => {
    let lost = false;
    const approvals = new Proxy(stores.approvals, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'finish') return typeof member === 'function' ? member.bind(target) : member;
        return async (...given: Parameters<ApprovalStore['finish']>) => {
          const finished = await target.finish(...given);
          if (lost) return finished;
          lost = true;
          throw GuardrailsError.storeUnavailable(new Error('the connection ended'));
        };
      },
    });
    const backend = new Proxy(stores, {
      get: (target, name) => (name === 'approvals' ? approvals : (Reflect.get(target, name) as unknown)),
    });
    const tool = refundTool();
    const { engine, log } = await bench({ 'hitl.enabled': true }, { stores: backend, clock, tools: [tool] });
    expect((await decide(engine, await parkedCall(engine, tool))).status).toBe('executed');
    expect(log.names.filter((name) => name === 'guardrails.approval.executed')).toHaveLength(1);
  });

  it('is not recorded where another instance took over', async () => {
    const tool = refundTool({
      execute: async (_args, { approvalId }) => {
        clock.advance(30_000);
        await recovered(other.engine);
        return (await stores.approvals.find(approvalId ?? 0))?.status;
      },
    });
    const other = await bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool] });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool] });
    const decided = await decide(engine, await parkedCall(engine, tool));
    expect(decided).toMatchObject({ status: 'outcome_unknown', result: null });
  });
});

function raise(message: string): never {
  throw new Error(message);
}
