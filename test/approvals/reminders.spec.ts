import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalNotifier, type ApprovalNotice } from '#contracts/approvals/approvals.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { changing, decide, parkedCall, recovered, recordWarnings } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

class Notifier extends ApprovalNotifier {
  readonly notices: ApprovalNotice[] = [];

  override notify(notice: ApprovalNotice): void {
    this.notices.push(notice);
  }
}

const SETTINGS = {
  'hitl.enabled': true,
  'hitl.token_delivery': 'out_of_band',
  'hitl.remind_after': 600,
  'hitl.escalate_after': 1800,
  'hitl.escalate_to': 'head of support',
};

let clock: SetClock;
let stores: StoreBackend;
let notifier: Notifier;
let tool: ReturnType<typeof refundTool>;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
  notifier = new Notifier();
  tool = refundTool();
});

const instance = (settings: object = {}): Promise<Bench> =>
  bench({ ...SETTINGS, ...settings }, { stores, clock, notifier, tools: [tool] });

async function after(minutes: number, ...instances: readonly Bench[]): Promise<void> {
  clock.advance(minutes * 60_000);
  for (const { engine } of instances) await recovered(engine);
  for (const { engine } of instances) await engine.relay.deliverDue();
}

describe('a call that stays pending', () => {
  it('is reminded of and escalated once over all instances, with the same token', async () => {
    const [here, there] = [await instance(), await instance()];
    const parked = await parkedCall(here.engine, tool);
    await after(0, here, there);
    for (let round = 0; round < 4; round++) await after(11, here, there);
    expect(notifier.notices.map(({ occasion, escalateTo }) => [occasion, escalateTo])).toEqual([
      ['parked', null],
      ['reminded', null],
      ['escalated', 'head of support'],
    ]);
    const tokens = new Set(notifier.notices.map(({ token }) => token));
    expect([tokens.size, tokens.has(null)]).toEqual([1, false]);
    const events = [...here.log.decisions, ...there.log.decisions].filter((name) =>
      name.includes('approval'),
    );
    expect(events.toSorted()).toEqual(['guardrails.approval.escalated', 'guardrails.approval.reminded']);
    expect((await stores.approvals.find(parked.approvalId))?.status).toBe('pending');
    expect(tool.calls).toEqual([]);
  });

  it('does not block the reminders of others if it cannot be read, and is logged', async () => {
    const parked = await parkedCall((await instance()).engine, tool);
    const { warnings, diagnostics } = recordWarnings();
    const damaged = changing(stores, 'remind', (remind) => async (id, ...rest) => {
      if (id === parked.approvalId) throw new SyntaxError('Unexpected token');
      return remind(id, ...rest);
    });
    const options = { stores: damaged, clock, notifier, tools: [tool], diagnostics };
    const broken = await bench(SETTINGS, options);
    const other = await parkedCall(broken.engine, tool);
    await after(11, broken);
    expect(
      notifier.notices.filter(({ occasion }) => occasion === 'reminded').map(({ approvalId }) => approvalId),
    ).toEqual([other.approvalId]);
    expect(warnings.filter((line) => line.includes('could not be reminded'))).toHaveLength(1);
  });

  it('is never approved by time: it expires', async () => {
    const setup = await instance();
    const parked = await parkedCall(setup.engine, tool);
    await after(61, setup);
    expect((await stores.approvals.find(parked.approvalId))?.status).toBe('expired');
    expect(tool.calls).toEqual([]);
  });

  it('is not reminded of by default, or once it was decided', async () => {
    const quiet = await instance({ 'hitl.remind_after': 0, 'hitl.escalate_after': 0 });
    await parkedCall(quiet.engine, tool);
    await after(31, quiet);
    const setup = await instance({ 'hitl.token_delivery': 'list', 'hitl.escalate_after': 0 });
    await decide(setup.engine, await parkedCall(setup.engine, tool));
    await after(11, quiet);
    expect(notifier.notices.map(({ occasion }) => occasion)).not.toContain('reminded');
  });

  it('is not superseded when the reminders are changed', async () => {
    const setup = await instance({ 'hitl.token_delivery': 'list' });
    const parked = await parkedCall(setup.engine, tool);
    const changed = await instance({ 'hitl.token_delivery': 'list', 'hitl.remind_after': 60 });
    const before = (await stores.approvals.find(parked.approvalId))?.policyRevision;
    const next = await parkedCall(changed.engine, tool);
    expect((await stores.approvals.find(next.approvalId))?.policyRevision).toBe(before);
  });

  it('gets the ttl of its policy and new reminders after an edit', async () => {
    const rules = [
      { when: { '/amount': { lte: 100 } }, require: 'approval', ttl: 2400 },
      { require: 'approval' },
    ];
    const setup = await instance({ 'hitl.policies': { refund: { rules } } });
    const { approvalId } = await parkedCall(setup.engine, tool, { order: 'A-1', amount: 500 });
    await after(11, setup);
    const edit = { actor: 'ops-3', reason: 'less', arguments: { order: 'A-1', amount: 50 } };
    const { id, createdAt, expiresAt } = await setup.engine.approvals.propose(approvalId, edit);
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(2_400_000);
    for (let round = 0; round < 4; round++) await after(10, setup);
    const noticesOf = (wanted: number): readonly string[] =>
      notifier.notices.filter((notice) => notice.approvalId === wanted).map(({ occasion }) => occasion);
    expect(noticesOf(approvalId)).toEqual(['parked', 'reminded']);
    expect(noticesOf(id)).toEqual(['proposed', 'reminded', 'escalated']);
    expect((await stores.approvals.find(id))?.status).toBe('expired');
    expect(tool.calls).toEqual([]);
  });
});
