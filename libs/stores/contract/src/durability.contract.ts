// A backend that was closed and opened again has everything that it acknowledged before.
import assert from 'node:assert/strict';
import { entriesOf, type BackendFixture, type Runner, type Stores } from './backend-fixture.js';
import { park } from './approval-helpers.js';
import { COMMAND_CASES } from './approvals.change.contract.js';
import { approvalEvidence, decision, newApproval, outgoingEvent, noonPlus } from './builders.js';
import { admit, budgetOf } from './budgets.contract.js';
import { newHold } from './holds.contract.js';
import { LONG, SIEM, sinkOf } from './outbox-helpers.js';
import { begin, complete, hours, retain, namingDecision } from './retention-helpers.js';
import { review } from './reviews.contract.js';
import { READING, RUN } from './runs.contract.js';
import { changesOf, shown, write } from './settings-helpers.js';

/** Performs one act as the last one before a restart. It may return a check for after the restart. */
type DurabilityCase = (fixture: BackendFixture, sink: ReturnType<typeof sinkOf>) => Promise<unknown>;

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

const admitTen = (fixture: BackendFixture, reference?: string) =>
  admit(fixture, [TEN], [AT_MOST_TEN], reference);

const CASES: DurabilityCases = {
  audit: {
    ...reading('commits', 'list', 'find', 'neighbors', 'decidedCalls', 'recordedTexts', 'newestId'),
    ...reading('exportSlice', 'trend', 'trendBy', 'facets'),
    async append({ audit }) {
      const outputCounts = [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 }] as const;
      const id = await audit.append(namingDecision('customer-42', { outputCounts }));
      return async () => assert.ok((await audit.append(decision())) > id, 'ids still grow after a restart');
    },
  },
  firewall: reading('list', 'find'),
  runIndex: reading('list', 'find'),
  reviews: {
    ...reading('ofEntry', 'nextUnreviewed', 'counts', 'labelled'),
    append: async (fixture) => review(fixture, await fixture.audit.append(decision()), 'false_positive'),
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
      const { approvals } = fixture;
      for (const { from, command } of COMMAND_CASES)
        await approvals.change((await from(fixture)).id, command, approvalEvidence);
    },
    propose: async (fixture) =>
      fixture.approvals.propose((await park(fixture)).id, newApproval(), approvalEvidence),
  },
  budgets: {
    ...reading('states'),
    async admit(fixture) {
      await admitTen(fixture);
      return async () => assert.deepEqual(await admitTen(fixture), [false, '10']);
    },
    async release(fixture) {
      await admitTen(fixture, 'first');
      await fixture.budgets.release('first');
      return async () => assert.deepEqual(await admitTen(fixture), [true, '0']);
    },
  },
  runs: {
    ...reading('find'),
    read: ({ runs }) => runs.read(RUN, { ...READING, label: 'suspect', entryId: 3 }),
    vouch: async ({ runs }) => runs.vouch(RUN, await runs.read(RUN, READING), '0123456789abcdef'),
    async end({ runs }) {
      await runs.read(RUN, READING);
      await runs.end(RUN);
    },
    async deleteOld({ runs }) {
      await runs.read(RUN, { ...READING, hours: -1 });
      await runs.deleteOld(10);
    },
  },
  settings: {
    ...reading('read', 'revision', 'changes'),
    apply: (fixture) => write(fixture, { 'modes.hitl': 'off' }),
  },
  overview: reading('activity', 'ruleHits'),
  outbox: {
    ...reading('backlog', 'deadLetters', 'after', 'newest'),
    async claim(_, { claim, queueAndClaim }) {
      await queueAndClaim('a');
      return async () => assert.deepEqual(await claim(), [], 'the event is still leased');
    },
    async delivered(_, { delivered, queueAndClaim }) {
      await delivered(...(await queueAndClaim('a')));
    },
    async retry(_, { claim, queueAndClaim, retry }) {
      const [event] = await queueAndClaim('a');
      await retry(event, LONG);
      return async () => assert.deepEqual(await claim(), [], 'the event still waits for its retry');
    },
    async markDead(_, { markDead, queueAndClaim }) {
      const [event] = await queueAndClaim('a');
      await markDead(event);
    },
    async release(_, { claim, queueAndClaim, release }) {
      await release(...(await queueAndClaim('a')));
      return async () => assert.equal((await claim()).length, 1, 'the event can be claimed');
    },
    async retryDead({ outbox }, { markDead, queueAndClaim }) {
      const [event] = await queueAndClaim('a');
      await markDead(event);
      await outbox.retryDead(SIEM, 10);
    },
    add: ({ outbox }) => outbox.add([outgoingEvent()]),
    async retryNow({ outbox }, { claim, queueAndClaim, retry }) {
      const [event] = await queueAndClaim('a');
      await retry(event, LONG);
      await outbox.retryNow(SIEM);
      return async () => assert.equal((await claim()).length, 1, 'the event can be claimed');
    },
    async markOldDead({ outbox }, { queue }) {
      await queue('a');
      assert.equal(await outbox.markOldDead(SIEM, 0, 10, 'too old'), 1);
    },
    async requeue({ outbox }, { delivered, queueAndClaim }) {
      const [event] = await queueAndClaim('a');
      await delivered(event);
      await outbox.requeue(SIEM, [event.position]);
    },
    async prune({ outbox }, { queueFor }) {
      await queueFor([], 'a');
      assert.equal(await outbox.prune(noonPlus(LONG), 10, []), 1);
    },
  },
  retention: {
    ...reading('count', 'runs', 'unpublished'),
    async setMinimumDays(fixture) {
      await fixture.retention.setMinimumDays(1_000_000);
      return () => assert.rejects(begin(fixture, 'anonymize', OLD), /minimum_days is 1000000/);
    },
    async begin(fixture) {
      await begin(fixture, 'anonymize', OLD);
      return async () =>
        assert.equal(await fixture.retention.takeOver(LONG), null, 'the run is still leased');
    },
    async takeOver(fixture) {
      await begin(fixture, 'anonymize', OLD, 0);
      const run = await fixture.retention.takeOver(LONG);
      assert.ok(run !== null);
      return async () => assert.notEqual(await fixture.retention.finish(run), null, 'its lease still holds');
    },
    async proceed(fixture) {
      for (let count = 0; count < 3; count++) {
        await fixture.audit.append(namingDecision('customer-42', { occurredAt: hours(-30) }));
      }
      const step = await fixture.retention.proceed(await begin(fixture, 'purge', OLD), 1, LONG);
      assert.ok(step !== null);
      return () => complete(fixture.retention, step.run);
    },
    finish: (fixture) => retain(fixture, 'purge', OLD),
    async markPublished(fixture) {
      const { id } = await retain(fixture, 'purge', OLD);
      assert.equal(await fixture.retention.markPublished(id, [outgoingEvent()]), true);
    },
  },
  log: {
    // A store may keep no digest.
    ...reading('seal', 'sealRows', 'leaves', 'checkpoints', 'newest'),
    async extend({ audit, log }) {
      await audit.append(decision());
      await log.extend(100);
      return async () => {
        await log.extend(100);
        assert.equal((await log.leaves(0, 10)).length, 1, 'no leaf is appended twice');
      };
    },
    async checkpoint({ audit, log }) {
      await audit.append(decision());
      await log.extend(100);
      await log.checkpoint(0, () => ({ note: 'signed', outgoing: [outgoingEvent()] }));
    },
  },
  holds: {
    ...reading('list'),
    set: ({ holds }) => holds.set(newHold(), () => [outgoingEvent()]),
    async release({ holds }) {
      const { id } = await holds.set(newHold(), () => []);
      await holds.release(id, 'ops-2', () => [outgoingEvent()]);
    },
  },
};

export function durabilityContract({ it }: Runner, fixture: BackendFixture): void {
  for (const [store, methods] of Object.entries(CASES)) {
    for (const [method, act] of Object.entries(methods)) {
      if (typeof act !== 'function') continue;
      it(`keeps ${store}.${method} over a restart`, async () => {
        const check = await act(fixture, sinkOf(fixture));
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
  } = fixture;
  const window = { from: noonPlus(-LONG), to: noonPlus(LONG) };
  const entries = await fixture.entries();
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
