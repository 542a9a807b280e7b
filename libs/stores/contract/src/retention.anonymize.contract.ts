import assert from 'node:assert/strict';
import { command, park } from './approval-acts.js';
import { decision } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { LONG, SIEM } from './outbox-acts.js';
import { entriesOf } from './reading.js';
import { hours, retain, telling } from './retention-acts.js';

export function retentionAnonymizeContract({ it }: Runner, stage: Stage): void {
  const append = (...given: Parameters<typeof telling>): Promise<number> =>
    stage.backend.audit.append(telling(...given));
  const rejected = () => entriesOf((page) => stage.backend.firewall.list({}, page));
  const queued = () => stage.backend.outbox.claim(SIEM, 100, LONG);

  it('erases the text and the salt of one entry, and keeps its evidence', async () => {
    const [one, other] = [await append('customer-42'), await append('customer-42')];
    const before = await stage.backend.audit.find(one);
    const { counts } = await retain(stage, 'anonymize', { kind: 'entry', id: one });
    assert.deepEqual(await stage.backend.audit.find(one), {
      ...before,
      storage: 'erased',
      prompt: '',
      matchedText: null,
      matchedSpan: null,
      salt: null,
    });
    assert.equal((await stage.backend.audit.find(other))?.prompt, 'refund for customer-42');
    assert.equal((await rejected()).length, 1);
    assert.equal((await queued()).length, 1);
    assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [1, 1, 1, 0]);
  });

  for (const name of ['customer-42', UNUSUAL_TEXT, "'; drop table x; --", '%_\\', 'x'.repeat(5_000)]) {
    it(`erases the principal ${JSON.stringify(name.slice(0, 30))} everywhere, and nobody else`, async () => {
      const ids = [await append(name), await append('customer-7'), await append(name)];
      const { counts } = await retain(stage, 'anonymize', { kind: 'principal', principalId: name });
      const found = await Promise.all(ids.map((id) => stage.backend.audit.find(id)));
      assert.deepEqual(
        found.map((entry) => [entry?.principalId, entry?.storage, entry?.salt === null]),
        [
          [null, 'erased', true],
          ['customer-7', 'redact', false],
          [null, 'erased', true],
        ],
      );
      assert.deepEqual(
        (await rejected()).map(({ principalId }) => principalId),
        ['customer-7'],
      );
      assert.equal((await queued()).length, 1);
      assert.deepEqual(await entriesOf((page) => stage.backend.audit.list({ principalId: name }, page)), []);
      assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [2, 2, 2, 1]);
    });
  }

  it('erases what is parked for a principal, and leaves who decided', async () => {
    const { id, tokenHash } = await park(stage, { principalId: 'customer-42', arguments: { to: 'x@y.z' } });
    await park(stage, { principalId: 'customer-7' });
    await stage.backend.approvals.decide(tokenHash, command({ reason: 'he asked twice' }));
    const { counts } = await retain(stage, 'anonymize', { kind: 'principal', principalId: 'customer-42' });
    const approval = await stage.backend.approvals.find(id);
    assert.equal(counts.approvals, 1);
    assert.doesNotMatch(JSON.stringify(approval), /customer-42|x@y\.z|asked twice/);
    assert.deepEqual(
      [approval?.decision, approval?.decidedBy, approval?.argumentsDigest],
      ['approved', 'ops-1', ''],
    );
  });

  it('erases what is older than a time, to the millisecond', async () => {
    const at = (occurredAt: Date): Promise<number> =>
      stage.backend.audit.append(decision({ occurredAt, prompt: 'kept' }));
    const just = new Date(hours(-2).getTime() - 1);
    const ids = [await at(hours(-30)), await at(just), await at(hours(-2)), await at(hours(0))];
    const { counts } = await retain(stage, 'anonymize', { kind: 'before', before: hours(-2) });
    const found = await Promise.all(ids.map((id) => stage.backend.audit.find(id)));
    assert.deepEqual(
      found.map((entry) => entry?.prompt),
      ['', '', 'kept', 'kept'],
    );
    assert.equal(counts.entries, 2);
  });

  it('forgets a name with the last entry that bears it', async () => {
    await append('customer-42', { occurredAt: hours(-30) });
    const old = await append('customer-7', { occurredAt: hours(-30) });
    const recent = await append('customer-7', { occurredAt: hours(0) });
    const { counts } = await retain(stage, 'anonymize', { kind: 'before', before: hours(-1) });
    const entries = await entriesOf((page) => stage.backend.audit.list({}, page));
    assert.deepEqual(
      entries.map(({ id, principalId }) => [id, principalId]),
      [
        [recent, 'customer-7'],
        [old, 'customer-7'],
        [old - 1, null],
      ],
    );
    assert.deepEqual([counts.entries, counts.principals, counts.events], [2, 1, 2]);
  });

  it('finds nothing left to do the second time, and what came in between', async () => {
    const scope = { kind: 'before', before: hours(-1) } as const;
    await append('customer-42', { occurredAt: hours(-30) });
    assert.equal((await retain(stage, 'anonymize', scope)).counts.entries, 1);
    assert.equal((await retain(stage, 'anonymize', scope)).counts.entries, 0);
    await append('customer-42', { occurredAt: hours(-30) });
    assert.equal((await retain(stage, 'anonymize', scope)).counts.entries, 1);
  });

  it('comes to the same in steps of one', async () => {
    for (let hour = -40; hour <= 0; hour += 8) await append('customer-42', { occurredAt: hours(hour) });
    const scope = { kind: 'before', before: hours(-8) } as const;
    const counts = await stage.backend.retention.count({ strategy: 'anonymize', scope });
    const run = await retain(stage, 'anonymize', scope, 1);
    assert.deepEqual([run.counts.entries, run.counts.rejections, run.counts.events], [4, 4, 4]);
    assert.deepEqual(run.counts, counts);
  });
}
