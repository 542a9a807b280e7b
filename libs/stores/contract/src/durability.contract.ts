import assert from 'node:assert/strict';
import type { BackendFixture, Runner } from './backend-fixture.js';
import { decision, outgoingEvent, noonPlus } from './builders.js';
import { admit, budgetOf } from './budgets.contract.js';
import { DURABLE_APPROVALS } from './durability-approvals.js';
import { type DurabilityCases, restart } from './durability-helpers.js';
import { newHold } from './holds.contract.js';
import { LONG, claim, claimOne, queue, queueFor, settling, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, retain, namingDecision } from './retention-helpers.js';
import { review } from './reviews.contract.js';
import { write } from './settings-helpers.js';

const DURABLE_OUTBOX: DurabilityCases['outbox'] = {
  backlog: 'reads',
  deadLetters: 'reads',
  after: 'reads',
  newest: 'reads',
  async claim(fixture) {
    await queue(fixture, 'a');
    await claimOne(fixture);
    await restart(fixture);
    assert.deepEqual(await claim(fixture), [], 'the event is still leased');
  },
  async delivered(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).delivered(await claimOne(fixture));
    await restart(fixture);
  },
  async retry(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).retry(await claimOne(fixture), LONG);
    await restart(fixture);
    assert.deepEqual(await claim(fixture), [], 'the event still waits for its retry');
  },
  async markDead(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).markDead(await claimOne(fixture));
    await restart(fixture);
  },
  async release(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).release(await claimOne(fixture));
    await restart(fixture);
    assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
  },
  async retryDead(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).markDead(await claimOne(fixture));
    await fixture.backend.outbox.retryDead(SIEM, 10);
    await restart(fixture);
  },
  async add(fixture) {
    await fixture.backend.outbox.add([outgoingEvent()]);
    await restart(fixture);
  },
  async retryNow(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).retry(await claimOne(fixture), LONG);
    await fixture.backend.outbox.retryNow(SIEM);
    await restart(fixture);
    assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
  },
  async markOldDead(fixture) {
    await queue(fixture, 'a');
    assert.equal(await fixture.backend.outbox.markOldDead(SIEM, 0, 10, 'too old'), 1);
    await restart(fixture);
  },
  async requeue(fixture) {
    await queue(fixture, 'a');
    const event = await claimOne(fixture);
    await settling(fixture).delivered(event);
    await fixture.backend.outbox.requeue(SIEM, [event.position]);
    await restart(fixture);
  },
  async prune(fixture) {
    await queueFor(fixture, [], 'a');
    assert.equal(await fixture.backend.outbox.prune(noonPlus(LONG), 10, []), 1);
    await restart(fixture);
  },
};

const CASES: DurabilityCases = {
  audit: {
    commits: 'reads',
    list: 'reads',
    find: 'reads',
    neighbors: 'reads',
    decidedCalls: 'reads',
    recordedTexts: 'reads',
    newestId: 'reads',
    exportSlice: 'reads',
    trend: 'reads',
    trendBy: 'reads',
    facets: 'reads',
    async append(fixture) {
      const outputCounts = [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 }] as const;
      const id = await fixture.backend.audit.append(namingDecision('customer-42', { outputCounts }));
      await restart(fixture);
      assert.ok((await fixture.backend.audit.append(decision())) > id, 'ids still grow after a restart');
    },
  },
  firewall: { list: 'reads', find: 'reads' },
  reviews: {
    ofEntry: 'reads',
    nextUnreviewed: 'reads',
    counts: 'reads',
    labelled: 'reads',
    async append(fixture) {
      await review(fixture, await fixture.backend.audit.append(decision()), 'false_positive');
      await restart(fixture);
    },
  },
  output: { stats: 'reads', daily: 'reads' },
  approvals: DURABLE_APPROVALS,
  budgets: {
    states: 'reads',
    async admit(fixture) {
      const { claim: claimed, limit } = budgetOf('10', '10');
      await admit(fixture.backend, [claimed], [limit]);
      await restart(fixture);
      assert.deepEqual(await admit(fixture.backend, [claimed], [limit]), [false, '10']);
    },
    async release(fixture) {
      const { claim: claimed, limit } = budgetOf('10', '10');
      await admit(fixture.backend, [claimed], [limit], 'first');
      await fixture.backend.budgets.release('first');
      await restart(fixture);
      assert.deepEqual(await admit(fixture.backend, [claimed], [limit]), [true, '0']);
    },
  },
  settings: {
    read: 'reads',
    revision: 'reads',
    changes: 'reads',
    async apply(fixture) {
      await write(fixture, { 'modes.hitl': 'off' });
      await restart(fixture);
    },
  },
  overview: { activity: 'reads', ruleHits: 'reads' },
  outbox: DURABLE_OUTBOX,
  retention: {
    count: 'reads',
    runs: 'reads',
    unpublished: 'reads',
    async setMinimumDays(fixture) {
      await fixture.backend.retention.setMinimumDays(1_000_000);
      await restart(fixture);
      await assert.rejects(begin(fixture, 'anonymize', OLD), /minimum_days is 1000000/);
    },
    async begin(fixture) {
      await begin(fixture, 'anonymize', OLD);
      await restart(fixture);
      assert.equal(await fixture.backend.retention.takeOver(LONG), null, 'the run is still leased');
    },
    async takeOver(fixture) {
      await begin(fixture, 'anonymize', OLD, 0);
      const run = await fixture.backend.retention.takeOver(LONG);
      await restart(fixture);
      assert.ok(
        run !== null && (await fixture.backend.retention.finish(run)) !== null,
        'its lease still holds',
      );
    },
    async proceed(fixture) {
      for (let count = 0; count < 3; count++) {
        await fixture.backend.audit.append(namingDecision('customer-42', { occurredAt: hours(-30) }));
      }
      const run = await begin(fixture, 'purge', OLD);
      const step = await fixture.backend.retention.proceed(run, 1, LONG);
      await restart(fixture);
      assert.ok(step !== null);
      await complete(fixture.backend.retention, step.run);
    },
    async finish(fixture) {
      await retain(fixture, 'purge', OLD);
      await restart(fixture);
    },
    async markPublished(fixture) {
      const { id } = await retain(fixture, 'purge', OLD);
      assert.equal(await fixture.backend.retention.markPublished(id, [outgoingEvent()]), true);
      await restart(fixture);
    },
  },
  log: {
    // A store may keep no digest.
    seal: 'reads',
    sealRows: 'reads',
    leaves: 'reads',
    checkpoints: 'reads',
    newest: 'reads',
    async extend(fixture) {
      await fixture.backend.audit.append(decision());
      await fixture.backend.log.extend(100);
      await restart(fixture);
      await fixture.backend.log.extend(100);
      assert.equal((await fixture.backend.log.leaves(0, 10)).length, 1, 'no leaf is appended twice');
    },
    async checkpoint(fixture) {
      await fixture.backend.audit.append(decision());
      await fixture.backend.log.extend(100);
      await fixture.backend.log.checkpoint(0, () => ({ note: 'signed', outgoing: [outgoingEvent()] }));
      await restart(fixture);
    },
  },
  holds: {
    list: 'reads',
    async set(fixture) {
      await fixture.backend.holds.set(newHold(), () => [outgoingEvent()]);
      await restart(fixture);
    },
    async release(fixture) {
      const { id } = await fixture.backend.holds.set(newHold(), () => []);
      await fixture.backend.holds.release(id, 'ops-2', () => [outgoingEvent()]);
      await restart(fixture);
    },
  },
};

const OLD = { kind: 'before', before: hours(0) } as const;

/** A backend that was closed and opened again has everything that it acknowledged before. */
export function durabilityContract({ it }: Runner, fixture: BackendFixture): void {
  for (const [store, methods] of Object.entries(CASES)) {
    for (const [method, run] of Object.entries(methods)) {
      if (typeof run === 'function') it(`keeps ${store}.${method} over a restart`, () => run(fixture));
    }
  }
}
