import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import {
  approvalEvidence,
  decision,
  newApproval,
  NOON,
  noonPlus,
  refusal,
  settingsPlan,
} from '#stores/contract/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { caughtUp, Door, replicated, standingStill } from './replica.js';

let database: FreshDatabase;
let door: Door;
let opened: StoreBackend[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  await caughtUp(database.url);
  door = new Door(replicated(database.url));
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  opened = [];
  await door.shut();
  await database.drop();
});

async function open(...replicas: string[]): Promise<StoreBackend> {
  const stores = typeormStores({ url: database.url, replicas });
  opened.push(stores);
  await stores.open();
  return stores;
}

const PAGE = { limit: 10 };
const WINDOW = { from: noonPlus(-1), to: noonPlus(1) };

/** How many decisions each read from a replica returns. */
async function knownDecisions({ audit, firewall, output, overview }: StoreBackend): Promise<number[]> {
  const { controls } = await overview.activity(NOON);
  const [trend] = await audit.trend({}, WINDOW);
  return [
    (await audit.list({}, PAGE)).entries.length,
    (await audit.list({ q: 'hello' }, PAGE)).entries.length,
    trend?.total ?? 0,
    (await firewall.list({}, PAGE)).entries.length,
    (await output.stats(WINDOW)).reduce((sum, { count }) => sum + count, 0),
    controls.tool_firewall.total,
  ];
}

const counted = () => ({
  ...refusal(),
  outputCounts: [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 1 }] as const,
});

describe('stores with a streaming replica', () => {
  it('read lists, trends and statistics from the replica', async () => {
    const stores = await open(replicated(database.url));
    await stores.audit.append({ ...counted(), content: decision().content });
    await standingStill(database.url, async () => {
      await stores.audit.append({ ...counted(), content: decision().content });
      expect(await knownDecisions(stores)).toEqual([1, 1, 1, 1, 1, 1]);
    });
    await caughtUp(database.url);
    expect(await knownDecisions(stores)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('read single entries and settings from the primary', async () => {
    const stores = await open(replicated(database.url));
    await standingStill(database.url, async () => {
      const id = await stores.audit.append(decision({ prompt: 'just now' }));
      expect(await stores.audit.find(id)).toMatchObject({ prompt: 'just now' });

      await stores.settings.apply(() => settingsPlan({ overrides: { a: 1 } }));
      expect(await stores.settings.revision()).toBe(1);
      expect((await stores.settings.read()).values.get('a')).toBe(1);
      expect((await stores.settings.changes({}, PAGE)).entries).toHaveLength(1);
    });
  });

  it('decide approvals correctly while the replica does not advance', async () => {
    const stores = await open(replicated(database.url));
    const other = await open(replicated(database.url));
    await standingStill(database.url, async () => {
      const call = newApproval({ principalId: 'customer-42' });
      const parked = await stores.approvals.park(call, approvalEvidence, 1);
      expect(parked).toMatchObject({ created: true });
      expect(
        await other.approvals.park(newApproval({ principalId: 'customer-42' }), approvalEvidence, 1),
      ).toBeNull();
      expect((await other.approvals.pending(PAGE)).entries).toHaveLength(1);
      expect((await other.overview.activity(new Date())).approvals.pending).toBe(1);

      const decide = (backend: StoreBackend, id: string) =>
        backend.approvals.decide(call.tokenHash, {
          verdict: 'approved',
          actorId: id,
          reason: null,
          decisionMac: 'sealed',
          evidence: approvalEvidence,
        });
      expect(await decide(stores, 'ops-1')).toMatchObject({ kind: 'decided' });
      expect(await decide(other, 'ops-2')).toMatchObject({ kind: 'already_decided' });
      expect(await other.approvals.findByTokenHash(call.tokenHash)).toMatchObject({ decidedBy: 'ops-1' });
      expect((await other.approvals.pending(PAGE)).entries).toEqual([]);
    });
  });
});

describe('an unavailable replica', () => {
  const warnings = () => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is replaced by the primary, with one warning', async () => {
    const warned = warnings();
    const stores = await open(await door.open());
    await stores.audit.append(decision());
    await caughtUp(database.url);
    expect((await stores.audit.list({}, PAGE)).entries).toHaveLength(1);

    await door.shut();
    await stores.audit.append(decision());
    for (let time = 1; time <= 3; time++) expect((await stores.audit.list({}, PAGE)).entries).toHaveLength(2);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(String(warned.mock.calls[0]?.[0])).toMatch(/The replica 127\.0\.0\.1:\d+ does not answer/);
  });

  it('is replaced by another replica first', async () => {
    warnings();
    const stores = await open(await door.open(), replicated(database.url));
    await stores.audit.append(decision());
    await door.shut();
    await standingStill(database.url, async () => {
      await stores.audit.append(decision());
      expect((await stores.audit.list({}, PAGE)).entries).toHaveLength(1);
    });
  });

  it('does not prevent the stores from opening', async () => {
    const warned = warnings();
    const through = await door.open();
    await door.shut();
    const stores = await open(through);
    await stores.audit.append(decision());
    expect((await stores.audit.list({}, PAGE)).entries).toHaveLength(1);
    expect(warned).toHaveBeenCalledTimes(1);
  });
});
