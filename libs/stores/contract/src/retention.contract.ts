import assert from 'node:assert/strict';
import { RETENTION_STRATEGIES } from '#contracts/retention/retention.js';
import { changed, command, park, superseding, TWO_APPROVERS, voting } from './approval-helpers.js';
import { approvalEvidence, decision, newApproval, outgoingEvent, unreadableEvent } from './builders.js';
import { entriesOf, idsOf, type Contract } from './backend-fixture.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, namingDecision, retain } from './retention-helpers.js';
import { review } from './reviews.contract.js';

const PERSON = { kind: 'principal', principalId: 'customer-42' } as const;
const LATER = { kind: 'before', before: new Date('2199-01-01T00:00:00.000Z') } as const;

export const retentionContract: Contract = ({ describe, it }, fixture) => {
  const { approvals, audit, firewall, outbox, retention } = fixture;
  const append = (...given: Parameters<typeof namingDecision>) => audit.append(namingDecision(...given));
  const found = (ids: readonly number[]) => Promise.all(ids.map((id) => audit.find(id)));
  const idsLeft = async () => idsOf(await fixture.entries());
  const rejectedPrincipals = async () =>
    (await entriesOf((page) => firewall.list({}, page))).map(({ principal_id }) => principal_id);
  const queued = () => outbox.claim(SIEM, 100, LONG);

  describe('both strategies', () => {
    for (const strategy of RETENTION_STRATEGIES)
      it(`${strategy} as many rows as were counted before, in steps of any size`, async () => {
        for (let hour = -40; hour <= 0; hour += 8)
          await append(`customer-${hour}`, { occurredAt: hours(hour) });
        const scope = { kind: 'before', before: hours(-8) } as const;
        const counts = await retention.count({ strategy, scope });
        assert.equal((await idsLeft()).length, 6);
        const run = await retain(fixture, strategy, scope, 1);
        assert.deepEqual(run.counts, counts);
        const { entries, rejections, events, principals } = counts;
        assert.deepEqual([entries, rejections, events, principals], [4, 4, 4, 4]);
        assert.equal((await idsLeft()).length, strategy === 'purge' ? 2 : 6);
      });
  });

  describe('anonymize', () => {
    it('erases the text and the salt of one entry and keeps its evidence', async () => {
      const [one, other] = [await append('customer-42'), await append('customer-42')];
      const [before] = await found([one]);
      const { counts } = await retain(fixture, 'anonymize', { kind: 'entry', id: one });
      const nothing = { matchedText: null, matchedSpan: null, alteration: null, policy: null, salt: null };
      const [after, untouched] = await found([one, other]);
      assert.deepEqual(after, { ...before, storage: 'erased', prompt: '', ...nothing });
      assert.equal(untouched?.prompt, 'refund for customer-42');
      assert.deepEqual([(await rejectedPrincipals()).length, (await queued()).length], [1, 1]);
      assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [1, 1, 1, 0]);
    });

    for (const name of ['customer-42', UNUSUAL_TEXT, "'; drop table x; --", '%_\\', 'x'.repeat(5_000)]) {
      it(`erases the principal ${JSON.stringify(name.slice(0, 30))} everywhere and no other`, async () => {
        const ids = [await append(name), await append('customer-7'), await append(name)];
        const { counts } = await retain(fixture, 'anonymize', { kind: 'principal', principalId: name });
        assert.deepEqual(
          (await found(ids)).map((entry) => [entry?.principalId, entry?.storage, entry?.salt === null]),
          [
            [null, 'erased', true],
            ['customer-7', 'redact', false],
            [null, 'erased', true],
          ],
        );
        assert.deepEqual(await rejectedPrincipals(), ['customer-7']);
        assert.equal((await queued()).length, 1);
        assert.deepEqual(await fixture.entries({ principal_id: name }), []);
        assert.deepEqual([counts.entries, counts.rejections, counts.events, counts.principals], [2, 2, 2, 1]);
      });
    }

    it('erases the approvals of a principal and the reasons in them, and keeps who decided, voted and edited', async () => {
      const parts = { principalId: 'customer-42', arguments: { to: 'x@y.z' } };
      const decided = await park(fixture, parts);
      await changed(fixture, decided, command({ reason: 'customer asked twice' }));
      const other = await park(fixture, { principalId: 'customer-7' });
      const first = await park(fixture, { ...parts, ...TWO_APPROVERS });
      const { id } = first;
      const vote = (actorId: string, reason: string) => voting({ actorId, reason, afterCount: 0 });
      await changed(fixture, first, vote('ops-1', 'a friend of hers'));
      const call = newApproval({
        ...parts,
        ...TWO_APPROVERS,
        supersedes: id,
        firstId: id,
        editors: ['ops-3'],
        editReason: 'she is in hospital',
      });
      const { proposed } = (await approvals.propose(id, call, approvalEvidence)) ?? {};
      assert.ok(proposed !== undefined);
      await changed(fixture, proposed, vote('ops-2', 'she called twice'));
      const edited = proposed.id;
      const { counts } = await retain(fixture, 'anonymize', PERSON);
      const rows = await Promise.all([decided.id, id, edited].map((each) => approvals.find(each)));
      assert.equal(counts.approvals, 3);
      assert.doesNotMatch(
        JSON.stringify(rows),
        /customer-42|x@y\.z|asked twice|friend|hospital|called twice/,
      );
      assert.deepEqual(
        rows.map((row) => [
          row?.decidedBy,
          row?.argumentsDigest,
          row?.editors,
          row?.votes.map(({ actorId }) => actorId),
        ]),
        [
          ['ops-1', '', [], []],
          [null, '', [], ['ops-1']],
          [null, '', ['ops-3'], ['ops-2']],
        ],
      );
      assert.equal((await approvals.find(other.id))?.principalId, 'customer-7');
    });

    it('erases entries before a time, to the millisecond, and those added meanwhile the second time', async () => {
      const scope = { kind: 'before', before: hours(-2) } as const;
      const at = (occurredAt: Date) => audit.append(decision({ occurredAt, prompt: 'kept' }));
      const just = new Date(hours(-2).getTime() - 1);
      const ids = [await at(hours(-30)), await at(just), await at(hours(-2)), await at(hours(0))];
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 2);
      assert.deepEqual(
        (await found(ids)).map((entry) => entry?.prompt),
        ['', '', 'kept', 'kept'],
      );
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 0);
      await at(hours(-30));
      assert.equal((await retain(fixture, 'anonymize', scope)).counts.entries, 1);
    });

    it('deletes the name of a principal with the last entry', async () => {
      const last = await append('customer-42', { occurredAt: hours(-30) });
      const old = await append('customer-7', { occurredAt: hours(-30) });
      const recent = await append('customer-7', { occurredAt: hours(0) });
      const { counts } = await retain(fixture, 'anonymize', { kind: 'before', before: hours(-1) });
      assert.deepEqual(
        (await found([last, old, recent])).map((entry) => entry?.principalId),
        [null, 'customer-7', 'customer-7'],
      );
      assert.deepEqual([counts.entries, counts.principals, counts.events], [2, 1, 2]);
    });
  });

  describe('purge', () => {
    it('deletes entries before a time and all rows that belong to them', async () => {
      const old = await append('customer-42', { occurredAt: hours(-30) });
      const recent = await append('customer-7', { occurredAt: hours(0) });
      const { counts } = await retain(fixture, 'purge', { kind: 'before', before: hours(-1) });
      assert.deepEqual([await idsLeft(), await found([old])], [[recent], [null]]);
      assert.deepEqual(await rejectedPrincipals(), ['customer-7']);
      assert.deepEqual([counts.entries, counts.events, counts.principals], [1, 1, 1]);
    });

    it('deletes one entry or those of one principal, and no others', async () => {
      const given = [await append('customer-42'), await append('customer-7'), await append('customer-42')];
      const last = await append('customer-9');
      await retain(fixture, 'purge', PERSON);
      assert.deepEqual(await idsLeft(), [last, given[1]]);
      await retain(fixture, 'purge', { kind: 'entry', id: last });
      assert.deepEqual(await idsLeft(), [given[1]]);
    });

    it('counts the reviews and votes that it deletes with their entries and approvals', async () => {
      const id = await append('customer-42', { occurredAt: hours(-30) });
      for (const verdict of ['unsure', 'false_positive'] as const) await review(fixture, id, verdict);
      const parked = await park(fixture, { ...TWO_APPROVERS, principalId: 'customer-42' });
      await changed(fixture, parked, voting({ afterCount: 0 }));
      await changed(fixture, parked, voting({ afterCount: 1, isLast: true, actorId: 'ops-2' }));
      await changed(fixture, parked, superseding());
      const anonymized = await retention.count({ strategy: 'anonymize', scope: PERSON });
      const purged = await retention.count({ strategy: 'purge', scope: PERSON });
      const run = await retain(fixture, 'purge', PERSON, 1);
      assert.deepEqual(
        [anonymized, purged, run.counts].map(({ reviews, votes }) => [reviews, votes]),
        [
          [0, 0],
          [2, 2],
          [2, 2],
        ],
      );
    });

    it('keeps the statistics', async () => {
      const window = { from: hours(-36), to: hours(11.9) };
      for (const outcome of ['blocked', 'observed', 'allowed'] as const)
        await audit.append(decision({ occurredAt: hours(-30), outcome }));
      const before = await audit.trend({}, window);
      assert.equal(before[0]?.total, 3);
      await retain(fixture, 'purge', { kind: 'before', before: hours(-1) });
      assert.deepEqual(await audit.trend({}, window), before);
    });

    it('keeps pending approvals of any age; of a principal it deletes those that have ended and erases the others', async () => {
      const rejected = await park(fixture, { principalId: 'customer-42' });
      const waiting = await park(fixture, { principalId: 'customer-42' });
      await retain(fixture, 'purge', LATER);
      for (const { id } of [rejected, waiting])
        assert.equal((await approvals.find(id))?.principalId, 'customer-42');
      await changed(fixture, rejected, command({ verdict: 'rejected' }));
      await retain(fixture, 'purge', PERSON);
      assert.equal(await approvals.find(rejected.id), null);
      const left = await approvals.find(waiting.id);
      assert.deepEqual([left?.status, left?.principalId], ['pending', null]);
    });
  });
};

export const retentionRunsContract: Contract = ({ describe, it }, fixture) => {
  const { audit, outbox, retention } = fixture;
  const scope = { kind: 'before', before: hours(0) } as const;
  const order = { strategy: 'anonymize', scope, actorId: 'ops-1' } as const;
  const append = () => audit.append(namingDecision('customer-42', { occurredAt: hours(-30) }));

  describe('runs', () => {
    it('are listed newest first, with actor, scope and counts, but without the erased principal', async () => {
      const id = await append();
      const one = await retain(fixture, 'anonymize', { kind: 'entry', id });
      const two = await retain(fixture, 'purge', scope);
      const three = await retain(fixture, 'anonymize', PERSON);
      assert.deepEqual(await retention.runs(10), [three, two, one]);
      assert.deepEqual(await retention.runs(1), [three]);
      assert.deepEqual([one.actorId, one.strategy, one.scope], ['ops-1', 'anonymize', { kind: 'entry', id }]);
      assert.deepEqual(two.scope, scope);
      assert.ok(two.finishedAt !== null && two.finishedAt >= two.startedAt);
      assert.deepEqual(three.scope, { kind: 'principal' });
      assert.doesNotMatch(JSON.stringify(three), /customer-42/);
    });

    it('are started one at a time', async () => {
      const begun = await fixture.concurrently(6, (backend) => backend.retention.begin(order, LONG));
      assert.equal(begun.filter((run) => run !== null).length, 1);
      assert.equal(await retention.takeOver(LONG), null);
    });

    it('continue under exactly one new holder after the lease expired', async () => {
      const store = fixture.retention;
      for (let count = 0; count < 3; count++) await append();
      const killed = await begin(fixture, 'anonymize', scope, 0);
      const step = await store.proceed(killed, 1, 0);
      assert.deepEqual([step?.run.counts.rejections, step?.done], [1, false]);

      const taken = await fixture.concurrently(4, (backend) => backend.retention.takeOver(LONG));
      const [run, ...others] = taken.filter((each) => each !== null);
      assert.ok(run !== undefined && others.length === 0);
      assert.equal(await store.proceed(killed, 1, LONG), null);
      assert.equal(await store.finish(killed), null);

      const finished = await complete(store, run);
      assert.deepEqual([finished.id, finished.counts.rejections, finished.counts.entries], [killed.id, 3, 3]);
      assert.equal(await store.takeOver(LONG), null);
    });

    it('are refused if the same actor started one less than `everyMs` ago', async () => {
      const store = fixture.retention;
      const run = await store.begin(order, LONG, LONG);
      assert.ok(run !== null);
      await complete(store, run);
      assert.equal(await store.begin(order, LONG, LONG), null);
      assert.ok((await store.begin({ ...order, actorId: 'ops-2' }, 0, LONG)) !== null);
    });

    it('are published once after they ended, with their outgoing events', async () => {
      const store = fixture.retention;
      const open = await begin(fixture, 'purge', scope);
      assert.deepEqual(await store.unpublished(10), []);
      assert.equal(await store.markPublished(open.id, [outgoingEvent()]), false);
      const run = await complete(store, open);
      await assert.rejects(store.markPublished(run.id, [unreadableEvent()]));
      assert.deepEqual(await store.unpublished(10), [run]);
      const published = await fixture.concurrently(4, (backend) =>
        backend.retention.markPublished(run.id, [outgoingEvent()]),
      );
      assert.equal(published.filter(Boolean).length, 1);
      assert.deepEqual(await store.unpublished(10), []);
      assert.equal((await outbox.claim(SIEM, 10, LONG)).length, 1);
    });
  });
};
