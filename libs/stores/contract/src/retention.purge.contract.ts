import assert from 'node:assert/strict';
import { command, park } from './approval-acts.js';
import { decision } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { entriesOf } from './reading.js';
import { hours, retain, telling } from './retention-acts.js';

const LATER = new Date('2199-01-01T00:00:00.000Z');

export function retentionPurgeContract({ it }: Runner, stage: Stage): void {
  const append = (...given: Parameters<typeof telling>): Promise<number> =>
    stage.backend.audit.append(telling(...given));
  const ids = async (): Promise<number[]> =>
    (await entriesOf((page) => stage.backend.audit.list({}, page))).map(({ id }) => id);

  it('deletes what is older than a time, and all that hangs on it', async () => {
    const old = await append('customer-42', { occurredAt: hours(-30) });
    const recent = await append('customer-7', { occurredAt: hours(0) });
    const { counts } = await retain(stage, 'purge', { kind: 'before', before: hours(-1) });
    assert.deepEqual(await ids(), [recent]);
    assert.equal(await stage.backend.audit.find(old), null);
    const rejections = await entriesOf((page) => stage.backend.firewall.list({}, page));
    assert.deepEqual(
      rejections.map(({ principalId }) => principalId),
      ['customer-7'],
    );
    assert.deepEqual([counts.entries, counts.events, counts.principals], [1, 1, 1]);
  });

  it('keeps the counts', async () => {
    const window = { from: hours(-36), to: hours(11.9) };
    for (const outcome of ['blocked', 'observed', 'allowed'] as const)
      await stage.backend.audit.append(decision({ occurredAt: hours(-30), outcome }));
    const before = await stage.backend.audit.trend({}, window);
    assert.equal(before[0]?.total, 3);
    await retain(stage, 'purge', { kind: 'before', before: hours(-1) });
    assert.deepEqual(await stage.backend.audit.trend({}, window), before);
  });

  it('deletes one entry, or those of one principal, from among all others', async () => {
    const given = [await append('customer-42'), await append('customer-7'), await append('customer-42')];
    const last = await append('customer-9');
    await retain(stage, 'purge', { kind: 'principal', principalId: 'customer-42' });
    assert.deepEqual(await ids(), [last, given[1]]);
    await retain(stage, 'purge', { kind: 'entry', id: last });
    assert.deepEqual(await ids(), [given[1]]);
  });

  it('deletes approvals that have ended, and only erases one that has not', async () => {
    const rejected = await park(stage, { principalId: 'customer-42' });
    const waiting = await park(stage, { principalId: 'customer-42' });
    await stage.backend.approvals.decide(rejected.tokenHash, command({ verdict: 'rejected' }));
    await retain(stage, 'purge', { kind: 'principal', principalId: 'customer-42' });
    assert.equal(await stage.backend.approvals.find(rejected.id), null);
    const left = await stage.backend.approvals.find(waiting.id);
    assert.deepEqual([left?.status, left?.principalId], ['pending', null]);
  });

  it('never takes by age what still waits', async () => {
    const { id } = await park(stage, { principalId: 'customer-42' });
    await retain(stage, 'purge', { kind: 'before', before: LATER });
    const left = await stage.backend.approvals.find(id);
    assert.deepEqual([left?.status, left?.principalId], ['pending', 'customer-42']);
  });

  it('comes to what was counted before, and counting changes nothing', async () => {
    for (let hour = -40; hour <= 0; hour += 8) await append(`customer-${hour}`, { occurredAt: hours(hour) });
    const order = { strategy: 'purge', scope: { kind: 'before', before: hours(-8) } } as const;
    const counts = await stage.backend.retention.count(order);
    assert.equal((await ids()).length, 6);
    assert.deepEqual([counts.entries, counts.principals], [4, 4]);
    const run = await retain(stage, 'purge', order.scope, 1);
    assert.deepEqual([run.counts.entries, run.counts.principals], [4, 4]);
    assert.equal((await ids()).length, 2);
  });
}
