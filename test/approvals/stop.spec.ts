import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Approval } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { ParkedCall, Tool } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { EngineOptions } from '#engine/start/engine-options.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { SetClock } from '../http/support/set-clock.js';
import { changing, decide, parkedCall, recovered, statusOf } from '../support/approvals.js';
import { watchedStores } from '../support/watched-stores.mjs';
import { bench, refundTool, type Bench } from '../support/engine.js';

const LEASE_MS = 30_000;
const UNRUN_MS = 10_000;

let clock: SetClock;
let stores: StoreBackend;

beforeEach(() => {
  clock = new SetClock();
  stores = memoryStores({ clock });
});

const instance = (tool: Tool, options: Partial<EngineOptions> = {}): Promise<Bench> =>
  bench({ 'hitl.enabled': true }, { stores, clock, tools: [tool], maxStopMs: 200, ...options });

/** Resolves when its tool was called. */
async function running(
  execute: Tool['execute'],
  more: Partial<Tool> = {},
  options: Partial<EngineOptions> = {},
): Promise<
  Bench & { readonly parked: ParkedCall; readonly decided: Promise<Approval>; readonly tool: Tool }
> {
  let begun!: () => void;
  const begins = new Promise<void>((resolve) => (begun = resolve));
  const tool = refundTool({
    ...more,
    execute: (args, run) => {
      begun();
      return execute(args, run);
    },
  });
  const one = await instance(tool, options);
  const parked = await parkedCall(one.engine, tool);
  const decided = decide(one.engine, parked);
  await begins;
  return { ...one, parked, decided, tool };
}

const forever = (): Promise<never> => new Promise(() => undefined);

/** Ends on abort. */
const whenAsked =
  (end: (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => void): Tool['execute'] =>
  (_args, { signal }) =>
    new Promise((resolve, reject) => signal.addEventListener('abort', () => end(resolve, reject)));

describe('an instance that stops', () => {
  it('rejects waiting code at once, also while calls run', async () => {
    const { engine, parked, decided } = await running(forever);
    const outcome = parked.outcome();
    engine.beginStop();
    await expect(outcome).rejects.toMatchObject({ code: 'hitl_unavailable' });
    await engine.stop();
    await decided;
  });

  it('does not wait for a tool that never ends; its outcome is unknown', async () => {
    const { engine, parked, decided } = await running(forever);
    await engine.stop();
    expect(await decided).toMatchObject({ status: 'outcome_unknown', error: { code: 'interrupted' } });
    expect(await statusOf(stores, parked)).toBe('outcome_unknown');
  });

  it('keeps the result of a tool that returns after the abort', async () => {
    const { engine, decided } = await running(whenAsked((resolve) => resolve('done')));
    await engine.stop();
    expect(await decided).toMatchObject({ status: 'executed', result: 'done' });
  });

  it('records an unknown outcome where a tool throws after the abort', async () => {
    const { engine, decided } = await running(whenAsked((_, reject) => reject(new Error('aborted'))));
    await engine.stop();
    expect(await decided).toMatchObject({ status: 'outcome_unknown', error: { code: 'interrupted' } });
  });

  it('leaves an idempotent tool to the next instance', async () => {
    const { engine, parked, decided, tool } = await running(
      whenAsked((_, reject) => reject(new Error('aborted'))),
      { idempotent: true },
    );
    await engine.stop();
    expect((await decided).status).toBe('executing');
    clock.advance(LEASE_MS);
    await recovered((await instance({ ...tool, execute: () => 'done' })).engine);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject({
      status: 'executed',
      fence: 2,
      result: 'done',
    });
  });

  it('accepts a decision, and leaves the run to the next instance', async () => {
    const tool = refundTool();
    const { engine } = await instance(tool);
    const parked = await parkedCall(engine, tool);
    engine.beginStop();
    expect((await decide(engine, parked)).status).toBe('approved');
    clock.advance(UNRUN_MS);
    await recovered(engine);
    expect(tool.calls).toEqual([]);
    await recovered((await instance(tool)).engine);
    expect([tool.calls.length, await statusOf(stores, parked)]).toEqual([1, 'executed']);
  });

  it('does not run a call that it has just claimed', async () => {
    const tool = refundTool();
    const { engine } = await instance(tool, {
      stores: watchedStores(stores, (step) => step === 'claimed' && engine.beginStop()),
    });
    const decided = await decide(engine, await parkedCall(engine, tool));
    expect([tool.calls, decided.status, decided.error?.code]).toEqual([[], 'failed', 'not_run']);
  });

  it('does not wait for a store that does not answer', async () => {
    const { engine, decided } = await running(
      forever,
      {},
      { stores: changing(stores, 'finish', () => forever) },
    );
    await engine.stop();
    void decided;
  });
});

describe('a decision', () => {
  it('is committed and returned where the store becomes unavailable before the run', async () => {
    const tool = refundTool();
    const away = changing(
      stores,
      'claim',
      () => () => Promise.reject(GuardrailsError.storeUnavailable(new Error('away'))),
    );
    const { engine } = await instance(tool, { stores: away });
    const parked = await parkedCall(engine, tool);
    expect(await decide(engine, parked)).toMatchObject({ status: 'approved', decidedBy: 'ops-1' });
    clock.advance(UNRUN_MS);
    await recovered((await instance(tool)).engine);
    expect([tool.calls.length, await statusOf(stores, parked)]).toEqual([1, 'executed']);
  });
});
