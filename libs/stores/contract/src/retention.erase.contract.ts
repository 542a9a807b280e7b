import assert from 'node:assert/strict';
import { changed, command, park, superseding, TWO_APPROVERS, voting } from './approval-helpers.js';
import { approvalEvidence, decision, newApproval } from './builders.js';
import { type Runner, type BackendFixture, entriesOf } from './backend-fixture.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { hours, retain, namingDecision } from './retention-helpers.js';
import { review } from './reviews.contract.js';

const LATER = new Date('2199-01-01T00:00:00.000Z');

export function retentionEraseContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const append = (...given: Parameters<typeof namingDecision>): Promise<number> =>
    fixture.backend.audit.append(namingDecision(...given));

  describe('anonymize', () => {
    const rejected = () => entriesOf((page) => fixture.backend.firewall.list({}, page));
    const queued = () => fixture.backend.outbox.claim(SIEM, 100, LONG);

    it('erases the text and the salt of one entry and keeps its evidence', async () => {
      const [one, other] = [await append('customer-42'), await append('customer-42')];
      const before = await fixture.backend.audit.find(one);
      const { counts } = await retain(fixture, 'anonymize', { kind: 'entry', id: one });
      assert.deepEqual(await fixture.backend.audit.find(one), {
        ...before,
        storage: 'erased',
        prompt: '',
        matchedText: null,
        matchedSpan: null,
        alteration: null,
        policy: null,
        salt: null,
      });
      assert.equal((await fixture.backend.audit.find(other))?.prompt, 'refund for customer-42');
      assert.equal((await rejected()).length, 1);
      assert.equal((await queued()).length, 1);
      assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [1, 1, 1, 0]);
    });

    for (const name of ['customer-42', UNUSUAL_TEXT, "'; drop table x; --", '%_\\', 'x'.repeat(5_000)]) {
      it(`erases the principal ${JSON.stringify(name.slice(0, 30))} everywhere and no other`, async () => {
        const ids = [await append(name), await append('customer-7'), await append(name)];
        const { counts } = await retain(fixture, 'anonymize', { kind: 'principal', principalId: name });
        const found = await Promise.all(ids.map((id) => fixture.backend.audit.find(id)));
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
        assert.deepEqual(
          await entriesOf((page) => fixture.backend.audit.list({ principal_id: name }, page)),
          [],
        );
        assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [2, 2, 2, 1]);
      });
    }

    it('erases the approvals of a principal and keeps the decider', async () => {
      const call = await park(fixture, { principalId: 'customer-42', arguments: { to: 'x@y.z' } });
      await park(fixture, { principalId: 'customer-7' });
      await changed(fixture, call, command({ reason: 'customer asked twice' }));
      const { counts } = await retain(fixture, 'anonymize', {
        kind: 'principal',
        principalId: 'customer-42',
      });
      const approval = await fixture.backend.approvals.find(call.id);
      assert.equal(counts.approvals, 1);
      assert.doesNotMatch(JSON.stringify(approval), /customer-42|x@y\.z|asked twice/);
      assert.deepEqual(
        [approval?.decision, approval?.decidedBy, approval?.argumentsDigest],
        ['approved', 'ops-1', ''],
      );
    });

    it('erases the reasons of votes and edits, and keeps who voted and edited', async () => {
      const { approvals } = fixture.backend;
      const parts = { principalId: 'customer-42', ...TWO_APPROVERS };
      const call = await park(fixture, parts);
      const { id } = call;
      await changed(fixture, call, voting({ actorId: 'ops-1', reason: 'a friend of hers', afterCount: 0 }));
      const edited = newApproval({
        ...parts,
        supersedes: id,
        firstId: id,
        editors: ['ops-3'],
        editReason: 'she is in hospital',
      });
      const { proposed } = (await approvals.propose(id, edited, approvalEvidence)) ?? {};
      assert.ok(proposed !== undefined);
      await changed(
        fixture,
        proposed,
        voting({ actorId: 'ops-2', reason: 'she called twice', afterCount: 0 }),
      );
      const { counts } = await retain(fixture, 'anonymize', {
        kind: 'principal',
        principalId: 'customer-42',
      });
      const found = await Promise.all([id, proposed.id].map((each) => approvals.find(each)));
      assert.equal(counts.approvals, 2);
      assert.doesNotMatch(JSON.stringify(found), /customer-42|friend|hospital|called twice/);
      assert.deepEqual(
        found.map((approval) => [approval?.editors, approval?.votes.map(({ actorId }) => actorId)]),
        [
          [[], ['ops-1']],
          [['ops-3'], ['ops-2']],
        ],
      );
    });

    it('erases entries before a time, to the millisecond', async () => {
      const at = (occurredAt: Date): Promise<number> =>
        fixture.backend.audit.append(decision({ occurredAt, prompt: 'kept' }));
      const just = new Date(hours(-2).getTime() - 1);
      const ids = [await at(hours(-30)), await at(just), await at(hours(-2)), await at(hours(0))];
      const { counts } = await retain(fixture, 'anonymize', { kind: 'before', before: hours(-2) });
      const found = await Promise.all(ids.map((id) => fixture.backend.audit.find(id)));
      assert.deepEqual(
        found.map((entry) => entry?.prompt),
        ['', '', 'kept', 'kept'],
      );
      assert.equal(counts.entries, 2);
    });

    it('deletes a principal name with its last entry', async () => {
      await append('customer-42', { occurredAt: hours(-30) });
      const old = await append('customer-7', { occurredAt: hours(-30) });
      const recent = await append('customer-7', { occurredAt: hours(0) });
      const { counts } = await retain(fixture, 'anonymize', { kind: 'before', before: hours(-1) });
      const entries = await entriesOf((page) => fixture.backend.audit.list({}, page));
      assert.deepEqual(
        entries.map(({ id, principal_id: principalId }) => [id, principalId]),
        [
          [recent, 'customer-7'],
          [old, 'customer-7'],
          [old - 1, null],
        ],
      );
      assert.deepEqual([counts.entries, counts.principals, counts.events], [2, 1, 2]);
    });

    it('changes nothing the second time, except for entries added meanwhile', async () => {
      const scope = { kind: 'before', before: hours(-1) } as const;
      await append('customer-42', { occurredAt: hours(-30) });
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 1);
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 0);
      await append('customer-42', { occurredAt: hours(-30) });
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 1);
    });

    it('has the same result in steps of one row', async () => {
      for (let hour = -40; hour <= 0; hour += 8) await append('customer-42', { occurredAt: hours(hour) });
      const scope = { kind: 'before', before: hours(-8) } as const;
      const counts = await fixture.backend.retention.count({ strategy: 'anonymize', scope });
      const run = await retain(fixture, 'anonymize', scope, 1);
      assert.deepEqual([run.counts.entries, run.counts.rejections, run.counts.events], [4, 4, 4]);
      assert.deepEqual(run.counts, counts);
    });
  });

  describe('purge', () => {
    it('counts the reviews and votes that it deletes with their entries and approvals', async () => {
      const { retention } = fixture.backend;
      const id = await append('customer-42', { occurredAt: hours(-30) });
      for (const verdict of ['unsure', 'false_positive'] as const) await review(fixture, id, verdict);
      const parked = await park(fixture, { ...TWO_APPROVERS, principalId: 'customer-42' });
      await changed(fixture, parked, voting({ afterCount: 0 }));
      await changed(fixture, parked, voting({ afterCount: 1, isLast: true, actorId: 'ops-2' }));
      await changed(fixture, parked, superseding());
      const scope = { kind: 'principal', principalId: 'customer-42' } as const;
      const counts = await retention.count({ strategy: 'purge', scope });
      assert.deepEqual([counts.reviews, counts.votes], [2, 2]);
      const anonymized = await retention.count({ strategy: 'anonymize', scope });
      assert.deepEqual([anonymized.reviews, anonymized.votes], [0, 0]);
      const run = await retain(fixture, 'purge', scope, 1);
      assert.deepEqual([run.counts.reviews, run.counts.votes], [2, 2]);
    });

    const ids = async (): Promise<number[]> =>
      (await entriesOf((page) => fixture.backend.audit.list({}, page))).map(({ id }) => id);

    it('deletes entries before a time and all rows that belong to them', async () => {
      const old = await append('customer-42', { occurredAt: hours(-30) });
      const recent = await append('customer-7', { occurredAt: hours(0) });
      const { counts } = await retain(fixture, 'purge', { kind: 'before', before: hours(-1) });
      assert.deepEqual(await ids(), [recent]);
      assert.equal(await fixture.backend.audit.find(old), null);
      const rejections = await entriesOf((page) => fixture.backend.firewall.list({}, page));
      assert.deepEqual(
        rejections.map(({ principalId }) => principalId),
        ['customer-7'],
      );
      assert.deepEqual([counts.entries, counts.events, counts.principals], [1, 1, 1]);
    });

    it('keeps the statistics', async () => {
      const window = { from: hours(-36), to: hours(11.9) };
      for (const outcome of ['blocked', 'observed', 'allowed'] as const)
        await fixture.backend.audit.append(decision({ occurredAt: hours(-30), outcome }));
      const before = await fixture.backend.audit.trend({}, window);
      assert.equal(before[0]?.total, 3);
      await retain(fixture, 'purge', { kind: 'before', before: hours(-1) });
      assert.deepEqual(await fixture.backend.audit.trend({}, window), before);
    });

    it('deletes one entry or those of one principal, and no others', async () => {
      const given = [await append('customer-42'), await append('customer-7'), await append('customer-42')];
      const last = await append('customer-9');
      await retain(fixture, 'purge', { kind: 'principal', principalId: 'customer-42' });
      assert.deepEqual(await ids(), [last, given[1]]);
      await retain(fixture, 'purge', { kind: 'entry', id: last });
      assert.deepEqual(await ids(), [given[1]]);
    });

    it('deletes approvals that have ended and erases the texts of open ones', async () => {
      const rejected = await park(fixture, { principalId: 'customer-42' });
      const waiting = await park(fixture, { principalId: 'customer-42' });
      await changed(fixture, rejected, command({ verdict: 'rejected' }));
      await retain(fixture, 'purge', { kind: 'principal', principalId: 'customer-42' });
      assert.equal(await fixture.backend.approvals.find(rejected.id), null);
      const left = await fixture.backend.approvals.find(waiting.id);
      assert.deepEqual([left?.status, left?.principalId], ['pending', null]);
    });

    it('keeps pending approvals of any age', async () => {
      const { id } = await park(fixture, { principalId: 'customer-42' });
      await retain(fixture, 'purge', { kind: 'before', before: LATER });
      const left = await fixture.backend.approvals.find(id);
      assert.deepEqual([left?.status, left?.principalId], ['pending', 'customer-42']);
    });

    it('deletes as many rows as counted before, and counting changes nothing', async () => {
      for (let hour = -40; hour <= 0; hour += 8)
        await append(`customer-${hour}`, { occurredAt: hours(hour) });
      const order = { strategy: 'purge', scope: { kind: 'before', before: hours(-8) } } as const;
      const counts = await fixture.backend.retention.count(order);
      assert.equal((await ids()).length, 6);
      assert.deepEqual([counts.entries, counts.principals], [4, 4]);
      const run = await retain(fixture, 'purge', order.scope, 1);
      assert.deepEqual([run.counts.entries, run.counts.principals], [4, 4]);
      assert.equal((await ids()).length, 2);
    });
  });
}
