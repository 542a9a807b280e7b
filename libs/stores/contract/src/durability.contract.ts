import assert from 'node:assert/strict';
import type { StoreBackend } from '#contracts/store-backend.js';
import {
  LEASE_MS,
  NOTHING,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
} from './approval-helpers.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { approvalEvidence, decision, newApproval, NOON, noonPlus, outgoingEvent } from './builders.js';
import { admit, budgetOf } from './budgets.contract.js';
import { newHold } from './holds.contract.js';
import { claim, claimOne, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, retain, namingDecision } from './retention-helpers.js';
import { review } from './reviews.contract.js';
import { changesOf, shown, write } from './settings-helpers.js';

type Stores = Omit<StoreBackend, 'open' | 'close'>;

/** Performs one act as the last one before a restart, and checks that its effect survived. */
type DurabilityCase = (fixture: BackendFixture) => Promise<void>;

/** One case for every method that writes. A new method of a store contract does not compile until it is listed. */
const CASES: {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: DurabilityCase | 'reads';
  };
} = {
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
  output: { stats: 'reads' },
  approvals: {
    findSame: 'reads',
    pending: 'reads',
    history: 'reads',
    find: 'reads',
    findByTokenHash: 'reads',
    stuck: 'reads',
    dueReminders: 'reads',
    async remind(fixture) {
      const { id } = await park(fixture);
      await fixture.backend.approvals.remind(id, 'reminded', 0, approvalEvidence);
      await restart(fixture);
      assert.deepEqual(await fixture.backend.approvals.dueReminders('reminded', 0, 10), []);
    },
    settled: 'reads',
    dueNotifications: 'reads',
    encryptedToken: 'reads',
    async park(fixture) {
      await park(fixture, { encryptedToken: 'sealed' });
      await restart(fixture);
    },
    async decide(fixture) {
      await parkApproved(fixture);
      await restart(fixture);
    },
    async claim(fixture) {
      await parkClaimed(fixture);
      await restart(fixture);
    },
    async claimAgain(fixture) {
      const { id, fence } = await parkClaimed(fixture, 0);
      await fixture.backend.approvals.claimAgain(id, fence, LEASE_MS);
      await restart(fixture);
    },
    async renew(fixture) {
      const { id, fence } = await parkClaimed(fixture, 0);
      await fixture.backend.approvals.renew(id, fence, LEASE_MS);
      await restart(fixture);
    },
    async finish(fixture) {
      await parkFinished(fixture, 'executed');
      await restart(fixture);
    },
    async markUnknown(fixture) {
      const { id, fence } = await parkClaimed(fixture, 0);
      await fixture.backend.approvals.markUnknown(id, fence, NOTHING, approvalEvidence);
      await restart(fixture);
    },
    async supersede(fixture) {
      await parkFinished(fixture, 'superseded');
      await restart(fixture);
    },
    async expire(fixture) {
      const { id } = await park(fixture, { ttlMs: 0 });
      await fixture.backend.approvals.expire(id, approvalEvidence);
      await restart(fixture);
    },
    async propose(fixture) {
      const { id } = await park(fixture);
      const command = { call: newApproval(), evidence: approvalEvidence, supersession: approvalEvidence };
      await fixture.backend.approvals.propose(id, command);
      await restart(fixture);
    },
    async resolve(fixture) {
      const { id } = await parkFinished(fixture, 'outcome_unknown');
      await fixture.backend.approvals.resolve(id, resolution());
      await restart(fixture);
    },
    async claimNotification(fixture) {
      const { id } = await parkFinished(fixture, 'executed');
      await fixture.backend.approvals.claimNotification(id, LONG);
      await restart(fixture);
    },
    async retryNotification(fixture) {
      const { id, status } = await parkFinished(fixture, 'executed');
      await fixture.backend.approvals.claimNotification(id, LONG);
      await fixture.backend.approvals.retryNotification(id, status, 0);
      await restart(fixture);
    },
    async markNotified(fixture) {
      const { id, status } = await parkFinished(fixture, 'executed');
      await fixture.backend.approvals.markNotified(id, status);
      await restart(fixture);
    },
  },
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
  outbox: {
    backlog: 'reads',
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
  },
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

async function restart(fixture: BackendFixture): Promise<void> {
  const before = await readEverything(fixture);
  await fixture.reopen();
  assert.deepEqual(await readEverything(fixture), before, 'the stores have the same content after a restart');
}

/** The content of all stores as far as reads show it. Nothing here depends on how much time has passed. */
async function readEverything(fixture: BackendFixture): Promise<unknown> {
  const { approvals, audit, firewall, holds, log, outbox, output, overview, retention, reviews, settings } =
    fixture.backend;
  const window = { from: noonPlus(-LONG), to: noonPlus(LONG) };
  const entries = await entriesOf((page) => audit.list({}, page));
  const calls = [
    ...(await entriesOf((page) => approvals.pending(page))),
    ...(await entriesOf((page) => approvals.history({}, page))),
  ];
  return {
    entries: await Promise.all(entries.map(({ id }) => audit.find(id))),
    reviews: await Promise.all(entries.map(({ id }) => reviews.ofEntry(id))),
    trend: await audit.trend({}, window),
    rejections: await entriesOf((page) => firewall.list({}, page)),
    outputCounts: await output.stats(window),
    activity: await overview.activity(NOON),
    approvals: await Promise.all(
      calls.map(async ({ id }) => [await approvals.find(id), await approvals.encryptedToken(id)]),
    ),
    unnotified: await approvals.dueNotifications(0, 100),
    settings: shown(await settings.read()),
    settingChanges: await changesOf(fixture),
    events: await outbox.after(0, 100),
    backlog: await outbox.backlog(),
    runs: await retention.runs(100),
    holds: await entriesOf((page) => holds.list({}, page)),
    leaves: await log.leaves(0, 100),
    checkpoint: await log.newest(),
    unpublishedRuns: await retention.unpublished(100),
  };
}
