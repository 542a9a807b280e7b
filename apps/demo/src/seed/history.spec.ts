import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/index.js';
import { demoSettings } from '../storage/demo-data.js';
import { History, HISTORY_DAYS, SEED_APPLICATION } from './history.js';

const today = new Date();
const daysAgo = (days: number): Date => new Date(today.getTime() - days * 86_400_000);
const secret = 'a secret that is long enough for a key';
const settings = demoSettings({ tokenSecret: secret, hashKey: secret });

describe('the seeded history', () => {
  const stores: StoreBackend = memoryStores();
  const everything = { from: daysAgo(HISTORY_DAYS + 1), to: today };

  beforeAll(async () => {
    await stores.open();
    await new History(stores, settings, today).write(null, () => {});
  });

  it('contains decisions of every control and outcome, all in the past', async () => {
    const points = await stores.audit.trend({}, everything);
    expect(points.length).toBeGreaterThanOrEqual(HISTORY_DAYS);
    expect(points.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(1500);
    for (const control of ['tool_firewall', 'input_screen', 'output_handler', 'hitl'] as const) {
      const outcomes = await stores.audit.trend({ control }, everything);
      expect(outcomes.some(({ blocked }) => blocked > 0)).toBe(true);
    }
    const { entries } = await stores.audit.list({}, { limit: 1 });
    expect((entries[0]?.occurred_at ?? '') < today.toISOString()).toBe(true);
  });

  it('gives every decision the seed application name', async () => {
    const all = await stores.audit.trend({}, everything);
    expect(await stores.audit.trend({ application: SEED_APPLICATION }, everything)).toEqual(all);
  });

  it('contains rejections, statistics and setting changes', async () => {
    expect((await stores.firewall.list({}, { limit: 50 })).entries.length).toBeGreaterThan(5);
    const kinds = (await stores.output.stats(everything)).map(({ kind }) => kind);
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(4);
    const { entries } = await stores.settings.changes({}, { limit: 50 });
    expect(new Set(entries.map(({ actorId }) => actorId))).toEqual(new Set(['ops-1', 'ops-2']));
  });

  it('contains two pending approvals and decided ones', async () => {
    const { entries } = await stores.approvals.pending({ limit: 50 });
    expect(entries.map(({ tool }) => tool)).toEqual(['send_email', 'refund']);
    const statuses = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((id) => stores.approvals.find(id)));
    expect(new Set(statuses.map((approval) => approval?.decision))).toEqual(
      new Set(['approved', 'rejected']),
    );
  });

  it('continues an interrupted seeding without duplicates', async () => {
    const halved = memoryStores();
    await halved.open();
    await new History(halved, settings, today).write(daysAgo(15), () => {});
    const points = await halved.audit.trend({}, everything);
    expect(points.length).toBeLessThanOrEqual(16);
  });
});
