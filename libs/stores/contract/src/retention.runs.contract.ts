import assert from 'node:assert/strict';
import { outgoingEvent, unreadableEvent } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, retain, namingDecision } from './retention-helpers.js';

const SCOPE = { kind: 'before', before: hours(0) } as const;
const NOTHING = { strategy: 'anonymize', scope: SCOPE, actorId: 'ops-1' } as const;

export function retentionRunsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('runs', () => {
    const append = (occurredAt = hours(-30)): Promise<number> =>
      fixture.backend.audit.append(namingDecision('customer-42', { occurredAt }));

    it('are listed newest first, with actor, scope and counts', async () => {
      const id = await append();
      const one = await retain(fixture, 'anonymize', { kind: 'entry', id });
      const two = await retain(fixture, 'purge', SCOPE);
      assert.deepEqual(await fixture.backend.retention.runs(10), [two, one]);
      assert.deepEqual(await fixture.backend.retention.runs(1), [two]);
      assert.deepEqual([one.actorId, one.strategy, one.scope], ['ops-1', 'anonymize', { kind: 'entry', id }]);
      assert.deepEqual(two.scope, SCOPE);
      assert.ok(two.finishedAt !== null && two.finishedAt >= two.startedAt);
    });

    it('do not contain the erased principal', async () => {
      await append();
      await retain(fixture, 'anonymize', { kind: 'principal', principalId: 'customer-42' });
      const [run] = await fixture.backend.retention.runs(1);
      assert.deepEqual(run?.scope, { kind: 'principal' });
      assert.doesNotMatch(JSON.stringify(run), /customer-42/);
    });

    it('are started one at a time', async () => {
      const begun = await fixture.concurrently(6, ({ retention }) => retention.begin(NOTHING, LONG));
      assert.equal(begun.filter((run) => run !== null).length, 1);
      assert.equal(await fixture.backend.retention.takeOver(LONG), null);
    });

    it('continue under exactly one new holder after the lease expired', async () => {
      const store = fixture.backend.retention;
      for (let count = 0; count < 3; count++) await append();
      const killed = await begin(fixture, 'anonymize', SCOPE, 0);
      const step = await store.proceed(killed, 1, 0);
      assert.deepEqual([step?.run.counts.rejections, step?.done], [1, false]);

      const taken = await fixture.concurrently(4, ({ retention }) => retention.takeOver(LONG));
      const [run] = taken.filter((each) => each !== null);
      assert.ok(run !== undefined && taken.filter((each) => each !== null).length === 1);
      assert.equal(await store.proceed(killed, 1, LONG), null);
      assert.equal(await store.finish(killed), null);

      const finished = await complete(store, run);
      assert.deepEqual([finished.id, finished.counts.rejections, finished.counts.entries], [killed.id, 3, 3]);
      assert.equal(await store.takeOver(LONG), null);
    });

    it('are refused if the same actor started one less than `everyMs` ago', async () => {
      const store = fixture.backend.retention;
      const run = await store.begin(NOTHING, LONG, LONG);
      assert.ok(run !== null);
      await complete(store, run);
      assert.equal(await store.begin(NOTHING, LONG, LONG), null);
      assert.ok((await store.begin({ ...NOTHING, actorId: 'ops-2' }, 0, LONG)) !== null);
    });

    it('are published once after they ended, with their outgoing events', async () => {
      const store = fixture.backend.retention;
      const open = await begin(fixture, 'purge', SCOPE);
      assert.deepEqual(await store.unpublished(10), []);
      assert.equal(await store.markPublished(open.id, [outgoingEvent()]), false);
      const run = await complete(store, open);
      assert.deepEqual(await store.unpublished(10), [run]);

      await assert.rejects(store.markPublished(run.id, [unreadableEvent()]));
      assert.equal((await store.unpublished(10)).length, 1);

      const published = await fixture.concurrently(4, ({ retention }) =>
        retention.markPublished(run.id, [outgoingEvent()]),
      );
      assert.equal(published.filter(Boolean).length, 1);
      assert.deepEqual(await store.unpublished(10), []);
      assert.equal((await fixture.backend.outbox.claim(SIEM, 10, LONG)).length, 1);
    });
  });
}
