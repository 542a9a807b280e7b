import { beforeEach, describe, expect, it } from '@jest/globals';
import { RetentionApplied } from '#contracts/events/operation-events.js';
import type { RetentionScope } from '#contracts/retention/retention.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { CurrentSettings } from '../shared/ports.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { decision } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { Retention, RETENTION_ACTOR, RetentionSchedule } from './retention.js';
import { SetClock } from '../../../../test/http/support/set-clock.js';

const DAY = 86_400_000;

class FixedSettings extends CurrentSettings {
  constructor(private readonly values: SettingValues) {
    super();
  }

  override current(): Settings {
    return new Settings(this.values);
  }
}

let clock: SetClock;
let stores: ReturnType<typeof memoryStores>;
let retention: Retention;

beforeEach(async () => {
  clock = new SetClock();
  clock.set('2026-06-01T12:00:00.000Z');
  stores = memoryStores({ clock });
  retention = new Retention(stores.retention, clock);
  for (const age of [40, 20, 0])
    await stores.audit.append(decision({ occurredAt: new Date(clock.now().getTime() - age * DAY) }));
});

const erased = async (): Promise<number> => {
  const entries = await Promise.all([1, 2, 3].map((id) => stores.audit.find(id)));
  return entries.filter((entry) => entry?.storage === 'erased').length;
};

const order = (scope: RetentionScope, actorId = 'ops-1') =>
  ({ strategy: 'anonymize', scope, actorId }) as const;

describe('retention', () => {
  it('applies to data older than the given days, and reports progress', async () => {
    const entryCounts: number[] = [];
    const run = await retention.apply(order(retention.olderThan(30)), {
      listener: ({ counts }) => entryCounts.push(counts.entries),
    });
    expect([run?.counts.entries, await erased()]).toEqual([1, 1]);
    expect(entryCounts.at(-1)).toBe(1);
  });

  it('needs an actor', async () => {
    await expect(retention.apply(order({ kind: 'entry', id: 1 }, ' '))).rejects.toMatchObject({
      code: 'actor_required',
    });
    expect(await erased()).toBe(0);
  });

  it.each([0, 0.001, -1, Number.NaN])('refuses %p days without confirmation', async (days) => {
    await expect(retention.apply(order(retention.olderThan(days)))).rejects.toThrow(/would erase everything/);
    expect(await erased()).toBe(0);
  });

  it('erases everything with confirmation', async () => {
    clock.advance(1);
    await retention.apply(order({ kind: 'before', before: clock.now() }), { everything: true });
    expect(await erased()).toBe(3);
  });

  it('reports the hold that was set while it erased a person', async () => {
    const principalId = 'customer-42';
    await stores.audit.append(decision({ principalId, runId: 'run-1', occurredAt: clock.now() }));
    const scope = { kind: 'run', runId: 'run-1' } as const;
    const listener = (): void =>
      void stores.holds.set({ scope, reason: 'case 118', setBy: 'ops-2' }, () => []);
    await expect(
      retention.apply(order({ kind: 'principal', principalId }), { listener }),
    ).rejects.toMatchObject({ name: 'HeldError', holdId: 1 });
    expect(await stores.audit.find(4)).toMatchObject({ principalId, storage: 'redact' });
    expect(await stores.retention.runs(1)).toMatchObject([{ heldBy: 1 }]);
    await retention.apply(order({ kind: 'entry', id: 1 }));
    expect(await erased()).toBe(1);
  });

  it('does not touch a held run, and finishes it under its actor after the lease expires', async () => {
    const held = await stores.retention.begin(order(retention.olderThan(30), 'ops-2'), 60_000);
    expect(await retention.apply(order({ kind: 'entry', id: 2 }))).toBeNull();
    clock.advance(60_001);
    await retention.apply(order({ kind: 'entry', id: 2 }));
    const runs = await stores.retention.runs(10);
    expect(runs.map(({ actorId, finishedAt }) => [actorId, finishedAt !== null])).toEqual([
      ['ops-1', true],
      ['ops-2', true],
    ]);
    await expect(stores.retention.finish(held!)).resolves.toBeNull();
  });
});

describe('the retention schedule', () => {
  const published: unknown[] = [];
  const warned: string[] = [];

  function schedule(values: Partial<SettingValues>): RetentionSchedule {
    published.length = warned.length = 0;
    return new RetentionSchedule({
      retention,
      store: stores.retention,
      runs: stores.runs,
      settings: new FixedSettings({ ...DEFAULT_SETTINGS, ...values }),
      router: { route: () => [] },
      publisher: { publish: (event) => void published.push(event) },
      diagnostics: { warn: (message) => void warned.push(message) },
    });
  }

  const DAILY = { 'retention.schedule': 'daily', 'retention.days': 30 } as const;

  it('is off by default', async () => {
    await schedule({ 'retention.days': 30 }).tick();
    expect([await erased(), await stores.retention.runs(1)]).toEqual([0, []]);
  });

  it('runs once per period, on one instance, as its own actor, and publishes the run', async () => {
    const [one, other] = [schedule(DAILY), schedule(DAILY)];
    await one.tick();
    await other.tick();
    expect(await erased()).toBe(1);
    expect((await stores.retention.runs(9)).map(({ actorId }) => actorId)).toEqual([RETENTION_ACTOR]);
    expect(published).toHaveLength(1);
    expect(published[0]).toBeInstanceOf(RetentionApplied);
    clock.advance(DAY + 1);
    await other.tick();
    expect(await stores.retention.runs(9)).toHaveLength(2);
  });

  it('does nothing under keep, and logs days: 0 once as a mistake', async () => {
    await schedule({ ...DAILY, 'retention.strategy': 'keep' }).tick();
    const zero = schedule({ ...DAILY, 'retention.days': 0 });
    await zero.tick();
    await zero.tick();
    expect([await erased(), warned.length]).toEqual([0, 1]);
  });

  it('publishes finished runs also when the scheduled run fails', async () => {
    await retention.apply(order({ kind: 'entry', id: 1 }));
    stores.retention.begin = () => Promise.reject(new Error('no connection'));
    await expect(schedule(DAILY).tick()).rejects.toThrow('no connection');
    expect(published).toHaveLength(1);
  });

  it('publishes runs of the command line', async () => {
    await retention.apply(order({ kind: 'entry', id: 1 }));
    const off = schedule({});
    await off.tick();
    await off.tick();
    expect(published).toMatchObject([{ name: 'guardrails.retention.applied', run: { actorId: 'ops-1' } }]);
  });
});
