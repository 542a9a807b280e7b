import assert from 'node:assert/strict';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import { RETENTION_STRATEGIES, type RetentionScope } from '#contracts/retention/retention.js';
import { command, park } from './approval-helpers.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { decision } from './builders.js';
import { newHold } from './holds.contract.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, namingDecision, retain } from './retention-helpers.js';

const AGE = { kind: 'before', before: hours(1) } as const;
const PERSON = { kind: 'principal', principalId: 'customer-42' } as const;

/** An entry that each of these scopes covers, and no other entry of a case. */
const HELD = { principalId: 'customer-42', runId: 'run-1', application: 'support', occurredAt: hours(-10) };

const SCOPES: Readonly<Record<HoldScope['kind'], (id: number) => HoldScope>> = {
  principal: () => PERSON,
  run: () => ({ kind: 'run', runId: 'run-1' }),
  application: () => ({ kind: 'application', application: 'support' }),
  entries: (id) => ({ kind: 'entries', firstId: id, lastId: id }),
  period: () => ({ kind: 'period', from: hours(-10), to: hours(-10) }),
};

export function holdsRetentionContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const hold = (scope: HoldScope): Promise<Hold> => fixture.backend.holds.set(newHold({ scope }), () => []);
  const release = ({ id }: Hold) => fixture.backend.holds.release(id, 'ops-2', () => []);
  const append = (...given: Parameters<typeof namingDecision>): Promise<number> =>
    fixture.backend.audit.append(namingDecision(...given));
  const find = (id: number): Promise<AuditEntry | null> => fixture.backend.audit.find(id);
  const appendBoth = async (): Promise<readonly [held: number, other: number]> => [
    await append('customer-42', {
      ...HELD,
      outgoing: namingDecision('customer-42', HELD).outgoing.map((event) => ({
        ...event,
        payload: { principal_id: 'customer-42', run_id: 'run-1', application: 'support' },
      })),
    }),
    await append('customer-7', { runId: 'run-2', application: 'shop', occurredAt: hours(-9) }),
  ];
  const rejected = async (): Promise<readonly (string | null)[]> =>
    (await entriesOf((page) => fixture.backend.firewall.list({}, page))).map(
      ({ principalId }) => principalId,
    );

  describe('a hold', () => {
    for (const strategy of RETENTION_STRATEGIES) {
      for (const [kind, scopeOf] of Object.entries(SCOPES)) {
        it(`protects an entry and its related rows from ${strategy} by age until it is released, if it is on ${kind}`, async () => {
          const [id, other] = await appendBoth();
          const before = await find(id);
          const set = await hold(scopeOf(id));
          const counts = await fixture.backend.retention.count({ strategy, scope: AGE });
          const run = await retain(fixture, strategy, AGE, 1);
          assert.deepEqual(run.counts, counts);
          assert.deepEqual([run.counts.entries, run.counts.principals, run.heldBy], [1, 1, null]);
          assert.deepEqual(await find(id), before);
          assert.notEqual((await find(other))?.prompt, 'refund for customer-7');
          assert.deepEqual(await rejected(), ['customer-42']);
          const [event, ...more] = await fixture.backend.outbox.claim(SIEM, 100, LONG);
          assert.deepEqual([event?.auditId, more.length], [id, 0]);

          await release(set);
          const { counts: later } = await retain(fixture, strategy, AGE, 1);
          assert.deepEqual([later.entries, later.principals, later.rejections, later.events], [1, 1, 1, 1]);
          assert.notDeepEqual(await find(id), before);
        });

        it(`refuses to erase the person and the entry by ${strategy} and names the hold, if it is on ${kind}`, async () => {
          const [id] = await appendBoth();
          const before = await find(id);
          const set = await hold(scopeOf(id));
          const scopes: readonly RetentionScope[] = [PERSON, { kind: 'entry', id }];
          for (const scope of scopes) {
            const refusal = { name: 'HeldError', holdId: set.id };
            await assert.rejects(begin(fixture, strategy, scope), refusal);
            await assert.rejects(fixture.backend.retention.count({ strategy, scope }), refusal);
          }
          assert.deepEqual(await fixture.backend.retention.runs(1), []);
          await retain(fixture, strategy, { kind: 'principal', principalId: 'customer-7' });
          assert.deepEqual(await find(id), before);
          await release(set);
          await retain(fixture, strategy, PERSON);
          assert.notDeepEqual(await find(id), before);
        });
      }

      it(`stops ${strategy} of a person that is in progress, and is named in the record of the run`, async () => {
        const ids = [await append('customer-42', HELD), await append('customer-42', HELD)];
        const run = await begin(fixture, strategy, PERSON);
        const step = await fixture.backend.retention.proceed(run, 1, LONG);
        assert.equal(step?.run.counts.rejections, 1);
        const set = await hold({ kind: 'run', runId: 'run-1' });
        const ended = await complete(fixture.backend.retention, run, 1);
        assert.deepEqual([ended.heldBy, ended.counts.entries, ended.counts.principals], [set.id, 0, 0]);
        assert.deepEqual(await fixture.backend.retention.runs(1), [ended]);
        for (const id of ids) assert.equal((await find(id))?.principalId, 'customer-42');
      });

      it(`keeps approvals from ${strategy}, with those of the held entries`, async () => {
        const { approvals, audit } = fixture.backend;
        const parked = await Promise.all(
          [{ runId: 'run-1' }, { application: 'support' }, {}, {}].map((parts) =>
            park(fixture, { principalId: 'customer-7', ...parts }),
          ),
        );
        for (const { tokenHash } of parked)
          await approvals.decide(tokenHash, command({ verdict: 'rejected' }));
        const approvalId = parked[2]?.id ?? null;
        const step = await audit.append(decision({ control: 'hitl', approvalId, approvalStep: 'rejected' }));
        const holds = [
          await hold({ kind: 'run', runId: 'run-1' }),
          await hold({ kind: 'application', application: 'support' }),
          await hold({ kind: 'entries', firstId: step, lastId: step }),
        ];
        const later = { kind: 'before', before: new Date('2199-01-01T00:00:00.000Z') } as const;
        await retain(fixture, strategy, later, 1);
        const names = async (): Promise<readonly unknown[]> =>
          Promise.all(parked.map(async ({ id }) => (await approvals.find(id))?.principalId ?? null));
        assert.deepEqual(await names(), ['customer-7', 'customer-7', 'customer-7', null]);
        const person = { kind: 'principal', principalId: 'customer-7' } as const;
        await assert.rejects(begin(fixture, strategy, person), { holdId: holds[0]?.id });
        for (const each of holds) await release(each);
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
      const entries = await entriesOf((page) =>
        fixture.backend.audit.list({ principal_id: PERSON.principalId }, page),
      );
      assert.equal(entries.length, 1);
      await release(second);
      await retain(fixture, 'purge', PERSON);
      const holds = await entriesOf((page) => fixture.backend.holds.list({}, page));
      assert.deepEqual(
        holds.map(({ scope, reason, releasedBy }) => [scope, reason, releasedBy]),
        [second, first].map(() => [{ kind: 'principal', principalId: null }, 'case 118', 'ops-2']),
      );
    });

    it('loses the name of a person without records when it is released and the person is erased', async () => {
      await release(await hold(PERSON));
      await retain(fixture, 'anonymize', PERSON);
      const [released] = await entriesOf((page) => fixture.backend.holds.list({}, page));
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

  describe('the minimum age', () => {
    it('refuses runs by age that are younger, and no erasure of one person', async () => {
      const { retention } = fixture.backend;
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
  });
}
