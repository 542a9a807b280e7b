import assert from 'node:assert/strict';
import { Load } from './load.mjs';
import { until } from './time-limits.mjs';
import { assertRecorded, assertRollupsEqualRows, assertWhole, notRecordedOnce } from './records.mjs';

const codesOf = (errors) => [...new Set(errors.map(({ code, message }) => code ?? message))];

export const faults = {
  async 'strict calls are refused with store_unavailable, and succeed again after the restart'(environment) {
    const server = await environment.ownServer();
    const url = await environment.database({ server });
    const load = new Load(await environment.engine(url));
    await until(() => load.acknowledged.length >= 1_000, 'a thousand calls');

    await server.kill();
    await until(() => load.refused.length >= 100, 'a hundred refusals');
    const before = load.acknowledged.length;
    await server.comeBack();
    await until(() => load.acknowledged.length >= before + 1_000, 'a thousand calls after the return');
    await load.stop();

    assert.deepEqual(codesOf(load.refused), ['store_unavailable']);
    await assertRecorded(url, load.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },

  async 'buffered calls succeed during the outage, and nothing is lost up to the bound'(environment) {
    const server = await environment.ownServer();
    const url = await environment.database({ server });
    const engine = await environment.engine(url, { settings: { 'audit.write_policy': 'buffered' } });
    const load = new Load(engine, { callers: 4 });
    await until(() => load.acknowledged.length >= 500, 'five hundred calls');

    await server.kill();
    const before = load.acknowledged.length;
    await until(() => load.acknowledged.length >= before + 500, 'five hundred calls without a store');
    await load.stop();
    assert.ok(engine.recording.queued > 0, 'nothing waits, although nothing can be written');
    await server.comeBack();

    // Each call tries the store again.
    await until(async () => {
      if (engine.recording.queued > 0) await engine.guardrails.screen('Is somebody there?');
      return engine.recording.queued === 0;
    }, 'the buffer is written');

    assert.deepEqual(codesOf(load.refused), []);
    assert.equal(engine.recording.lost, 0);
    await assertRecorded(url, load.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },

  async 'two instances recover after PostgreSQL is killed'(environment) {
    const server = await environment.ownServer();
    const url = await environment.database({ server });
    const children = ['one', 'two'].map((name) => environment.child({ url, name }));
    await Promise.all(children.map((child) => child.hasAcknowledged(500)));
    await server.kill();
    await server.comeBack();
    await Promise.all(children.map((child) => child.hasAcknowledged(child.acknowledged.length + 1_000)));
    for (const child of children) await child.kill('SIGTERM');
    const acknowledged = children.flatMap((child) => child.acknowledged);
    assert.deepEqual(await notRecordedOnce(url, acknowledged), []);
    await assertRollupsEqualRows(url);
  },
};
