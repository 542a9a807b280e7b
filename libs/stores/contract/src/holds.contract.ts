import assert from 'node:assert/strict';
import type { Hold, HoldScope, NewHold } from '#contracts/retention/holds.js';
import { RETENTION_STRATEGIES } from '#contracts/retention/retention.js';
import { changed, command, park } from './approval-helpers.js';
import { entriesOf, type Contract } from './backend-fixture.js';
import { decision, outgoingEvent, unreadableEvent } from './builders.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, namingDecision, retain } from './retention-helpers.js';

const AGE = { kind: 'before', before: hours(1) } as const;
const LATER = { kind: 'before', before: new Date('2199-01-01T00:00:00.000Z') } as const;
const PERSON = { kind: 'principal', principalId: 'customer-42' } as const;

/** An entry that each of these scopes covers, and no other entry of a case. */
const COVERED = {
  principalId: 'customer-42',
  runId: 'run-1',
  application: 'support',
  occurredAt: hours(-10),
};

const SCOPES: Readonly<Record<HoldScope['kind'], (id: number) => HoldScope>> = {
  principal: () => PERSON,
  run: () => ({ kind: 'run', runId: 'run-1' }),
  application: () => ({ kind: 'application', application: 'support' }),
  entries: (id) => ({ kind: 'entries', firstId: id, lastId: id }),
  period: () => ({ kind: 'period', from: hours(-10), to: hours(-10) }),
};

export function newHold(parts: Partial<NewHold> = {}): NewHold {
  return { scope: PERSON, reason: 'case 118', setBy: 'ops-1', ...parts };
}

/** Holds as records. */
export const holdsContract: Contract = ({ describe, it }, fixture) => {
  const { holds, outbox } = fixture;
  describe('holds', () => {
    const stored = (filter: { readonly active?: boolean } = {}) =>
      entriesOf((page) => holds.list(filter, page));
    const queued = () => outbox.claim(SIEM, 100, LONG);

    it('are listed newest first, with scope, reason and actor', async () => {
      const scopes: readonly HoldScope[] = [
        { kind: 'principal', principalId: UNUSUAL_TEXT },
        ...Object.values(SCOPES).map((scopeOf) => scopeOf(Number.MAX_SAFE_INTEGER)),
      ];
      for (const scope of scopes) {
        const hold = await holds.set(newHold({ scope, reason: UNUSUAL_TEXT }), () => []);
        assert.deepEqual(
          [hold.scope, hold.reason, hold.setBy, hold.releasedBy, hold.releasedAt],
          [scope, UNUSUAL_TEXT, 'ops-1', null, null],
        );
      }
      assert.deepEqual(
        (await stored()).map(({ scope }) => scope),
        scopes.toReversed(),
      );
    });

    it('are released once, and keep who released them', async () => {
      const [first, second] = [await holds.set(newHold(), () => []), await holds.set(newHold(), () => [])];
      const results = await fixture.concurrently(6, (backend, index) =>
        backend.holds.release(first.id, `ops-${index}`, () => [outgoingEvent()]),
      );
      const released = results.filter((result) => result?.kind === 'released');
      assert.equal(released.length, 1);
      const [{ hold } = { hold: first }] = released;
      assert.ok(hold.releasedAt !== null && hold.releasedAt >= hold.setAt);
      for (const result of results) assert.deepEqual(result?.hold, hold);
      assert.equal((await queued()).length, 1);
      assert.deepEqual(await stored(), [second, hold]);
      assert.deepEqual(await stored({ active: true }), [second]);
      assert.deepEqual(await stored({ active: false }), [hold]);
      assert.equal(await holds.release(second.id + 1, 'ops-1', () => []), null);
    });

    it('commit with their events or not at all', async () => {
      const { id } = await holds.set(newHold(), ({ setBy }) => [outgoingEvent({ subject: setBy })]);
      assert.deepEqual(
        (await queued()).map(({ subject }) => subject),
        ['ops-1'],
      );
      await assert.rejects(holds.set(newHold(), () => [unreadableEvent()]));
      await assert.rejects(holds.release(id, 'ops-2', () => [unreadableEvent()]));
      assert.deepEqual(
        (await stored()).map(({ releasedAt }) => releasedAt),
        [null],
      );
    });
  });
};

/** What holds do in retention runs. */
export const coverContract: Contract = ({ describe, it }, fixture) => {
  const { approvals, audit, firewall, holds, outbox, retention } = fixture;
  const hold = (scope: HoldScope) => holds.set(newHold({ scope }), () => []);
  const release = ({ id }: Hold) => holds.release(id, 'ops-2', () => []);
  const append = (...given: Parameters<typeof namingDecision>) => audit.append(namingDecision(...given));
  const find = (id: number) => audit.find(id);

  async function appendBoth(): Promise<readonly [covered: number, other: number]> {
    const payload = { principal_id: 'customer-42', run_id: 'run-1', application: 'support' };
    const outgoing = [outgoingEvent({ payload, occurredAt: COVERED.occurredAt })];
    return [
      await append('customer-42', { ...COVERED, outgoing }),
      await append('customer-7', { runId: 'run-2', application: 'shop', occurredAt: hours(-9) }),
    ];
  }

  describe('a hold', () => {
    for (const strategy of RETENTION_STRATEGIES) {
      for (const [kind, scopeOf] of Object.entries(SCOPES)) {
        it(`protects an entry and its related rows from ${strategy} by age until it is released, if it is on ${kind}`, async () => {
          const [id, other] = await appendBoth();
          const before = await find(id);
          const set = await hold(scopeOf(id));
          const counts = await retention.count({ strategy, scope: AGE });
          const run = await retain(fixture, strategy, AGE, 1);
          assert.deepEqual(run.counts, counts);
          assert.deepEqual([run.counts.entries, run.counts.principals, run.heldBy], [1, 1, null]);
          assert.deepEqual(await find(id), before);
          assert.notEqual((await find(other))?.prompt, 'refund for customer-7');
          const rejected = await entriesOf((page) => firewall.list({}, page));
          const events = await outbox.claim(SIEM, 100, LONG);
          assert.deepEqual(
            [rejected.map((row) => row.id), events.map(({ auditId }) => auditId)],
            [[id], [id]],
          );
          await release(set);
          const { counts: later } = await retain(fixture, strategy, AGE, 1);
          assert.deepEqual([later.entries, later.principals, later.rejections, later.events], [1, 1, 1, 1]);
          assert.notDeepEqual(await find(id), before);
        });

        it(`refuses to erase the person and the entry by ${strategy} and names the hold, if it is on ${kind}`, async () => {
          const [id] = await appendBoth();
          const before = await find(id);
          const set = await hold(scopeOf(id));
          const refusal = { name: 'HeldError', holdId: set.id };
          for (const scope of [PERSON, { kind: 'entry', id }] as const) {
            await assert.rejects(begin(fixture, strategy, scope), refusal);
            await assert.rejects(retention.count({ strategy, scope }), refusal);
          }
          assert.deepEqual(await retention.runs(1), []);
          await retain(fixture, strategy, { kind: 'principal', principalId: 'customer-7' });
          assert.deepEqual(await find(id), before);
          await release(set);
          await retain(fixture, strategy, PERSON);
          assert.notDeepEqual(await find(id), before);
        });
      }

      it(`stops ${strategy} of a person that is in progress, and is named in the record of the run`, async () => {
        const ids = [await append('customer-42', COVERED), await append('customer-42', COVERED)];
        const run = await begin(fixture, strategy, PERSON);
        const step = await retention.proceed(run, 1, LONG);
        assert.equal(step?.run.counts.rejections, 1);
        const set = await hold({ kind: 'run', runId: 'run-1' });
        const ended = await complete(retention, run, 1);
        assert.deepEqual([ended.heldBy, ended.counts.entries, ended.counts.principals], [set.id, 0, 0]);
        assert.deepEqual(await retention.runs(1), [ended]);
        for (const id of ids) assert.equal((await find(id))?.principalId, 'customer-42');
      });

      it(`keeps approvals from ${strategy}, with those of the covered entries`, async () => {
        const person = { kind: 'principal', principalId: 'customer-7' } as const;
        const parked = await Promise.all(
          [{ runId: 'run-1' }, { application: 'support' }, {}, {}].map((parts) =>
            park(fixture, { principalId: 'customer-7', ...parts }),
          ),
        );
        for (const call of parked) await changed(fixture, call, command({ verdict: 'rejected' }));
        const approvalId = parked[2]?.id ?? null;
        const step = await audit.append(decision({ control: 'hitl', approvalId, approvalStep: 'rejected' }));
        const own = [
          await hold({ kind: 'run', runId: 'run-1' }),
          await hold({ kind: 'application', application: 'support' }),
          await hold({ kind: 'entries', firstId: step, lastId: step }),
        ];
        const names = (): Promise<readonly unknown[]> =>
          Promise.all(parked.map(async ({ id }) => (await approvals.find(id))?.principalId ?? null));
        await retain(fixture, strategy, LATER, 1);
        assert.deepEqual(await names(), ['customer-7', 'customer-7', 'customer-7', null]);
        await assert.rejects(begin(fixture, strategy, person), { holdId: own[0]?.id });
        for (const each of own) await release(each);
        await retain(fixture, strategy, person);
        assert.deepEqual(await names(), [null, null, null, null]);
      });
    }

    it('keeps the name of a principal after the last entry, until it is released and the person is erased', async () => {
      await append('customer-42', { occurredAt: hours(-30) });
      const first = await hold(PERSON);
      await release(first);
      const second = await hold(PERSON);
      await retain(fixture, 'purge', AGE);
      const entries = await fixture.entries({ principal_id: PERSON.principalId });
      assert.equal(entries.length, 1);
      await release(second);
      await retain(fixture, 'purge', PERSON);
      assert.deepEqual(
        (await entriesOf((page) => holds.list({}, page))).map(({ scope, reason, releasedBy }) => [
          scope,
          reason,
          releasedBy,
        ]),
        [second, first].map(() => [{ kind: 'principal', principalId: null }, 'case 118', 'ops-2']),
      );
    });

    it('loses the name of a person without records when it is released and the person is erased', async () => {
      await release(await hold(PERSON));
      await retain(fixture, 'anonymize', PERSON);
      const [released] = await entriesOf((page) => holds.list({}, page));
      assert.deepEqual(released?.scope, { kind: 'principal', principalId: null });
    });

    it('does not protect other persons, runs, applications, ranges and periods', async () => {
      const [id] = await appendBoth();
      await hold({ kind: 'principal', principalId: 'customer-9' });
      await hold({ kind: 'run', runId: 'run-9' });
      await hold({ kind: 'application', application: 'suppor_' });
      await hold({ kind: 'entries', firstId: id + 2, lastId: id + 9 });
      await hold({ kind: 'period', from: hours(-8), to: hours(9) });
      const { counts } = await retain(fixture, 'purge', AGE);
      assert.deepEqual([counts.entries, counts.principals], [2, 2]);
    });
  });

  it('the minimum age refuses runs by age that are younger, and no erasure of one person', async () => {
    const daysAgo = (days: number) =>
      ({ kind: 'before', before: new Date(Date.now() - days * 24 * 3_600_000) }) as const;
    await retention.setMinimumDays(183);
    await assert.rejects(begin(fixture, 'anonymize', daysAgo(182)), /retention\.minimum_days is 183/);
    assert.deepEqual(await retention.runs(1), []);
    await retain(fixture, 'anonymize', daysAgo(183));
    await append('customer-42', { occurredAt: new Date() });
    assert.equal((await retain(fixture, 'purge', PERSON)).counts.entries, 1);
    await retention.setMinimumDays(0);
    await retain(fixture, 'anonymize', daysAgo(1));
  });
};
