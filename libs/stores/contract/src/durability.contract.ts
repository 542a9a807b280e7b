// A backend that was closed and opened again has everything that it acknowledged before.
import assert from 'node:assert/strict';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { park } from './approval-helpers.js';
import { COMMAND_CASES } from './approvals.change.contract.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { approvalEvidence, decision, newApproval, outgoingEvent, noonPlus } from './builders.js';
import { admit, budgetOf } from './budgets.contract.js';
import { newHold } from './holds.contract.js';
import { LONG, claim, claimOne, queue, queueFor, settling, SIEM } from './outbox-helpers.js';
import { begin, complete, hours, retain, namingDecision } from './retention-helpers.js';
import { review } from './reviews.contract.js';
import { READING, RUN } from './runs.contract.js';
import { changesOf, shown, write } from './settings-helpers.js';

type Stores = Omit<StoreBackend, 'open' | 'close'>;

/** Performs one act as the last one before a restart. It may return a check for after the restart. */
type DurabilityCase = (fixture: BackendFixture) => Promise<unknown>;

/** One case for every method that writes. A new method of a store contract does not compile until it is listed. */
type DurabilityCases = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: DurabilityCase | 'reads';
  };
};

function reading<Method extends string>(...methods: readonly Method[]): Record<Method, 'reads'> {
  return Object.fromEntries(methods.map((method) => [method, 'reads'])) as Record<Method, 'reads'>;
}

const OLD = { kind: 'before', before: hours(0) } as const;
const { claim: TEN, limit: AT_MOST_TEN } = budgetOf('10', '10');

const admitTen = ({ backend }: BackendFixture, reference?: string): ReturnType<typeof admit> =>
  admit(backend, [TEN], [AT_MOST_TEN], reference);

const CASES: DurabilityCases = {
  audit: {
    ...reading('commits', 'list', 'find', 'neighbors', 'decidedCalls', 'recordedTexts', 'newestId'),
    ...reading('exportSlice', 'trend', 'trendBy', 'facets'),
    async append(fixture) {
      const outputCounts = [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 }] as const;
      const id = await fixture.backend.audit.append(namingDecision('customer-42', { outputCounts }));
      return async () =>
        assert.ok((await fixture.backend.audit.append(decision())) > id, 'ids still grow after a restart');
    },
  },
  firewall: reading('list', 'find'),
  runIndex: reading('list', 'find'),
  reviews: {
    ...reading('ofEntry', 'nextUnreviewed', 'counts', 'labelled'),
    append: async (fixture) =>
      review(fixture, await fixture.backend.audit.append(decision()), 'false_positive'),
  },
  output: reading('stats', 'daily'),
  approvals: {
    ...reading(
      'findSame',
      'findLast',
      'pending',
      'history',
      'find',
      'findByTokenHash',
      'stuck',
      'approvedArguments',
    ),
    ...reading('dueReminders', 'settled', 'dueNotifications', 'encryptedToken'),
    park: (fixture) => park(fixture, { encryptedToken: 'sealed' }),
    async change(fixture) {
      const { approvals } = fixture.backend;
      for (const { from, command } of COMMAND_CASES)
        await approvals.change((await from(fixture)).id, command, approvalEvidence);
    },
    propose: async (fixture) =>
      fixture.backend.approvals.propose((await park(fixture)).id, newApproval(), approvalEvidence),
  },
  budgets: {
    ...reading('states'),
    async admit(fixture) {
      await admitTen(fixture);
      return async () => assert.deepEqual(await admitTen(fixture), [false, '10']);
    },
    async release(fixture) {
      await admitTen(fixture, 'first');
      await fixture.backend.budgets.release('first');
      return async () => assert.deepEqual(await admitTen(fixture), [true, '0']);
    },
  },
  runs: {
    ...reading('find'),
    read: ({ backend }) => backend.runs.read(RUN, { ...READING, label: 'suspect', entryId: 3 }),
    vouch: async ({ backend }) =>
      backend.runs.vouch(RUN, await backend.runs.read(RUN, READING), '0123456789abcdef'),
    async end({ backend }) {
      await backend.runs.read(RUN, READING);
      await backend.runs.end(RUN);
    },
    async deleteOld({ backend }) {
      await backend.runs.read(RUN, { ...READING, hours: -1 });
      await backend.runs.deleteOld(10);
    },
  },
  settings: {
    ...reading('read', 'revision', 'changes'),
    apply: (fixture) => write(fixture, { 'modes.hitl': 'off' }),
  },
  overview: reading('activity', 'ruleHits'),
  outbox: {
    ...reading('backlog', 'deadLetters', 'after', 'newest'),
    async claim(fixture) {
      await queue(fixture, 'a');
      await claimOne(fixture);
      return async () => assert.deepEqual(await claim(fixture), [], 'the event is still leased');
    },
    async delivered(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).delivered(await claimOne(fixture));
    },
    async retry(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).retry(await claimOne(fixture), LONG);
      return async () => assert.deepEqual(await claim(fixture), [], 'the event still waits for its retry');
    },
    async markDead(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).markDead(await claimOne(fixture));
    },
    async release(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).release(await claimOne(fixture));
      return async () => assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
    },
    async retryDead(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).markDead(await claimOne(fixture));
      await fixture.backend.outbox.retryDead(SIEM, 10);
    },
    add: (fixture) => fixture.backend.outbox.add([outgoingEvent()]),
    async retryNow(fixture) {
      await queue(fixture, 'a');
      await settling(fixture).retry(await claimOne(fixture), LONG);
      await fixture.backend.outbox.retryNow(SIEM);
      return async () => assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
    },
    async markOldDead(fixture) {
      await queue(fixture, 'a');
      assert.equal(await fixture.backend.outbox.markOldDead(SIEM, 0, 10, 'too old'), 1);
    },
    async requeue(fixture) {
      await queue(fixture, 'a');
      const event = await claimOne(fixture);
      await settling(fixture).delivered(event);
      await fixture.backend.outbox.requeue(SIEM, [event.position]);
    },
    async prune(fixture) {
      await queueFor(fixture, [], 'a');
      assert.equal(await fixture.backend.outbox.prune(noonPlus(LONG), 10, []), 1);
    },
  },
  retention: {
    ...reading('count', 'runs', 'unpublished'),
    async setMinimumDays(fixture) {
      await fixture.backend.retention.setMinimumDays(1_000_000);
      return () => assert.rejects(begin(fixture, 'anonymize', OLD), /minimum_days is 1000000/);
    },
    async begin(fixture) {
      await begin(fixture, 'anonymize', OLD);
      return async () =>
        assert.equal(await fixture.backend.retention.takeOver(LONG), null, 'the run is still leased');
    },
    async takeOver(fixture) {
      await begin(fixture, 'anonymize', OLD, 0);
      const run = await fixture.backend.retention.takeOver(LONG);
      assert.ok(run !== null);
      return async () =>
        assert.notEqual(await fixture.backend.retention.finish(run), null, 'its lease still holds');
    },
    async proceed(fixture) {
      for (let count = 0; count < 3; count++) {
        await fixture.backend.audit.append(namingDecision('customer-42', { occurredAt: hours(-30) }));
      }
      const step = await fixture.backend.retention.proceed(await begin(fixture, 'purge', OLD), 1, LONG);
      assert.ok(step !== null);
      return () => complete(fixture.backend.retention, step.run);
    },
    finish: (fixture) => retain(fixture, 'purge', OLD),
    async markPublished(fixture) {
      const { id } = await retain(fixture, 'purge', OLD);
      assert.equal(await fixture.backend.retention.markPublished(id, [outgoingEvent()]), true);
    },
  },
  log: {
    // A store may keep no digest.
    ...reading('seal', 'sealRows', 'leaves', 'checkpoints', 'newest'),
    async extend(fixture) {
      await fixture.backend.audit.append(decision());
      await fixture.backend.log.extend(100);
      return async () => {
        await fixture.backend.log.extend(100);
        assert.equal((await fixture.backend.log.leaves(0, 10)).length, 1, 'no leaf is appended twice');
      };
    },
    async checkpoint(fixture) {
      await fixture.backend.audit.append(decision());
      await fixture.backend.log.extend(100);
      await fixture.backend.log.checkpoint(0, () => ({ note: 'signed', outgoing: [outgoingEvent()] }));
    },
  },
  holds: {
    ...reading('list'),
    set: (fixture) => fixture.backend.holds.set(newHold(), () => [outgoingEvent()]),
    async release(fixture) {
      const { id } = await fixture.backend.holds.set(newHold(), () => []);
      await fixture.backend.holds.release(id, 'ops-2', () => [outgoingEvent()]);
    },
  },
};

export function durabilityContract({ it }: Runner, fixture: BackendFixture): void {
  for (const [store, methods] of Object.entries(CASES)) {
    for (const [method, act] of Object.entries(methods)) {
      if (typeof act !== 'function') continue;
      it(`keeps ${store}.${method} over a restart`, async () => {
        const check = await act(fixture);
        const before = await readEverything(fixture);
        await fixture.reopen();
        const after = await readEverything(fixture);
        assert.deepEqual(after, before, 'the stores have the same content after a restart');
        if (typeof check === 'function') await check();
      });
    }
  }
}

/** The content of all stores as far as reads show it. Nothing here depends on how much time has passed. */
async function readEverything(fixture: BackendFixture): Promise<unknown> {
  const {
    approvals,
    audit,
    firewall,
    holds,
    log,
    outbox,
    output,
    overview,
    retention,
    reviews,
    runs,
    settings,
  } = fixture.backend;
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
    activity: await overview.activity(window),
    approvals: await Promise.all(
      calls.map(async ({ id }) => [await approvals.find(id), await approvals.encryptedToken(id)]),
    ),
    reminders: [
      await approvals.dueReminders('reminded', 0, 100),
      await approvals.dueReminders('escalated', 0, 100),
    ],
    unnotified: await approvals.dueNotifications(0, 100),
    settings: shown(await settings.read()),
    settingChanges: await changesOf(fixture),
    events: await outbox.after(0, 100),
    backlog: await outbox.backlog(),
    runs: await retention.runs(100),
    holds: await entriesOf((page) => holds.list({}, page)),
    memory: await runs.find(RUN),
    leaves: await log.leaves(0, 100),
    checkpoint: await log.newest(),
    unpublishedRuns: await retention.unpublished(100),
  };
}
