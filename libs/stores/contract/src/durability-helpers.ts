import assert from 'node:assert/strict';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { entriesOf, type BackendFixture } from './backend-fixture.js';
import { NOON, noonPlus } from './builders.js';
import { LONG } from './outbox-helpers.js';
import { changesOf, shown } from './settings-helpers.js';

type Stores = Omit<StoreBackend, 'open' | 'close'>;

/** Performs one act as the last one before a restart, and checks that its effect survived. */
type DurabilityCase = (fixture: BackendFixture) => Promise<void>;

/** One case for every method that writes. A new method of a store contract does not compile until it is listed. */
export type DurabilityCases = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: DurabilityCase | 'reads';
  };
};

/** Closes the backend, opens it again, and compares what can be read. */
export async function restart(fixture: BackendFixture): Promise<void> {
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
