import assert from 'node:assert/strict';
import { assertRecorded, assertRollupsEqualRows, assertWhole } from './records.mjs';

export const faults = {
  async 'every acknowledged decision exists, and the other instance continues'(environment) {
    const url = await environment.database();
    const [victim, survivor] = ['victim', 'survivor'].map((name) => environment.child({ url, name }));
    await Promise.all([victim.hasAcknowledged(1_000), survivor.hasAcknowledged(1_000)]);
    await victim.kill('SIGKILL');
    await survivor.hasAcknowledged(survivor.acknowledged.length + 1_000);
    await survivor.kill('SIGKILL');
    await assertRecorded(url, [...victim.acknowledged, ...survivor.acknowledged]);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },

  async 'a process that ends on request writes its buffered decisions'(environment) {
    const url = await environment.database();
    const child = environment.child({ url, settings: { 'audit.write_policy': 'buffered' } });
    await child.hasAcknowledged(2_000);
    await child.kill('SIGTERM');
    assert.equal(await child.ended(), 0);
    await assertRecorded(url, child.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },
};
