import { describe, expect, it } from '@jest/globals';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { SettingsStore } from '#contracts/stores/settings.store.js';
import { Diagnostics } from '#engine/shared/ports.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { decide, parkedCall } from '../support/approvals.js';
import { bench, refundTool } from '../support/engine.js';

class Log extends Diagnostics {
  readonly lines: string[] = [];

  override warn(message: string): void {
    this.lines.push(message);
  }
}

/** An engine over stores whose settings can become unreadable; decisions can still be recorded. */
async function opened(configured: Readonly<Record<string, unknown>> = {}) {
  const clock = new SetClock();
  const faults = { isUnreadable: false };
  const stores = memoryStores({ clock });
  const original = stores.settings;
  const settings = Object.assign(Object.create(original) as SettingsStore, {
    revision: async () => {
      if (faults.isUnreadable) throw GuardrailsError.storeUnavailable(new Error('no connection'));
      return original.revision();
    },
  });
  Object.assign(stores, { settings });
  const diagnostics = new Log();
  const { engine } = await bench(configured, { stores, clock, diagnostics });
  const run = (more: object = {}) =>
    engine.guardrails
      .guardTool(refundTool({ name: 'note', ...more }), { principalId: 'customer-42' })
      .execute({ order: 'A-1' });
  return { clock, faults, diagnostics, engine, run };
}

const author = { actorId: 'ops-1', requestId: null };

describe('an instance that cannot read the settings', () => {
  it('refuses tools that are not declared readOnly after 10 s, logs why once, and resumes with a read', async () => {
    const { clock, faults, diagnostics, run } = await opened();
    faults.isUnreadable = true;
    clock.advance(10_000);
    expect(await run()).toMatchObject({ status: 'executed' });
    clock.advance(1);
    expect(await run()).toMatchObject({ status: 'refused', reason: 'frozen' });
    expect(await run({ name: 'other' })).toMatchObject({ status: 'refused', reason: 'frozen' });
    expect(await run({ name: 'look', readOnly: true })).toMatchObject({ status: 'executed' });
    expect(diagnostics.lines).toEqual([expect.stringContaining('Check the connection to the store.')]);
    faults.isUnreadable = false;
    expect(await run()).toMatchObject({ status: 'executed' });
  });

  it('does not refuse calls of tools that are not enforced', async () => {
    const { clock, faults, run } = await opened({ 'modes.tool_firewall': 'monitor', 'hitl.enabled': false });
    faults.isUnreadable = true;
    clock.advance(60_000);
    expect(await run()).toMatchObject({ status: 'executed' });
  });

  it('still refuses what is frozen, also if the tool is readOnly', async () => {
    const { clock, faults, engine, run } = await opened();
    await engine.freezes.freeze({ scope: 'all', reason: 'r' }, author);
    faults.isUnreadable = true;
    clock.advance(60_000);
    expect(await run({ readOnly: true })).toMatchObject({ status: 'refused', reason: 'frozen' });
  });
});

describe('guardrails.freeze', () => {
  it('freezes from code, and is not lifted by time', async () => {
    const { clock, engine, run } = await opened();
    const { freeze } = await engine.guardrails.freeze({
      scope: 'tool',
      name: 'note',
      reason: 'r',
      actorId: 'ops-1',
    });
    clock.advance(400 * 86_400_000);
    await engine.refresh();
    expect(await run()).toMatchObject({ status: 'refused', reason: 'frozen' });
    await engine.freezes.lift(freeze.id, 'it is corrected', author);
    expect(await run()).toMatchObject({ status: 'executed' });
  });

  it.each([true, false])(
    'runs an approved call with the first refresh after a lift (set here: %j)',
    async (isHere) => {
      const tool = refundTool();
      const stores = memoryStores();
      const { engine } = await bench({ 'hitl.enabled': true }, { stores, tools: [tool] });
      const other = isHere
        ? engine
        : (await bench({ 'hitl.enabled': true }, { stores, tools: [tool] })).engine;
      const { approvalId, reference } = await parkedCall(engine, tool);
      const { freeze } = await other.freezes.freeze({ scope: 'all', reason: 'r' }, author);
      await engine.refresh();
      await decide(engine, { reference });
      const statusOf = async () => (await stores.approvals.find(approvalId))?.status;
      expect(await statusOf()).toBe('approved');
      await other.freezes.lift(freeze.id, 'it is corrected', author);
      await engine.refresh();
      expect(await engine.guardrails.approvalOutcome(approvalId)).toMatchObject({ status: 'executed' });
    },
  );

  it('covers a tool whose name only looks the same', async () => {
    const { engine, run } = await opened();
    const order = { scope: 'tool', name: 'Nｏte\u200b', reason: 'r', actorId: 'ops-1' } as const;
    await engine.guardrails.freeze(order);
    expect(await run()).toMatchObject({ status: 'refused', reason: 'frozen' });
    expect(await run({ name: 'notes' })).toMatchObject({ status: 'executed' });
  });

  it('stops nothing where enabled is false, and says so', async () => {
    const { engine, run } = await opened({ enabled: false });
    const { warnings } = await engine.guardrails.freeze({ scope: 'all', reason: 'r', actorId: 'ops-1' });
    expect(warnings).toEqual([expect.stringContaining('calls of tools run unguarded')]);
    expect(engine.settings.warnings()[0]).toBe(warnings[0]);
    expect(await run()).toMatchObject({ status: 'executed' });
  });
});
