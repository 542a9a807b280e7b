import assert from 'node:assert/strict';
import { HaltingProxy } from './halting-proxy.mjs';
import { Load } from './load.mjs';
import { timeLimited, until } from './time-limits.mjs';
import { assertRecorded, assertRollupsEqualRows } from './records.mjs';

/** The response time-out of an instance, and the time that it may take on a busy machine. */
const LIMIT_MS = 1_000;
const REFUSED_WITHIN_MS = 8_000;

export const faults = {
  async 'calls and reads are refused within the time limit, and succeed again after it'(environment) {
    const url = await environment.database();
    const proxy = await HaltingProxy.before(url);
    const engine = await environment.engine(proxy.url, {
      stores: { statementTimeoutMs: LIMIT_MS, responseTimeoutMs: LIMIT_MS },
    });
    // Before the engine stops, because it waits for running statements.
    environment.onEnd(() => proxy.close());
    const load = new Load(engine, { callers: 16 });
    await until(() => load.acknowledged.length >= 500, 'five hundred calls');

    proxy.halt();
    const halted = load.refused.length;
    await until(() => load.refused.length >= halted + 16, 'every caller is refused', REFUSED_WITHIN_MS);
    await Promise.all([
      refusedInTime(() => engine.stores.audit.list({}, { limit: 1 }), 'a list'),
      refusedInTime(() => engine.stores.settings.read(), 'reading the settings'),
    ]);

    const before = load.acknowledged.length;
    proxy.resume();
    await until(() => load.acknowledged.length >= before + 500, 'five hundred calls after it');
    await load.stop();

    const codes = new Set(load.refused.map(({ code }) => code));
    assert.deepEqual([...codes], ['store_unavailable']);
    await assertRecorded(url, load.acknowledged);
    await assertRollupsEqualRows(url);
  },
};

async function refusedInTime(work, what) {
  const error = await timeLimited(
    work().then(
      () => undefined,
      (reason) => reason,
    ),
    REFUSED_WITHIN_MS,
    what,
  );
  assert.ok(
    ['store_unavailable', 'query_timeout'].includes(error?.code),
    `${what} is refused by its code: ${error}`,
  );
}
