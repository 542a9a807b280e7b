import assert from 'node:assert/strict';
import type { SettingChangeFilter, StoredOverrides } from '#contracts/stores/settings.store.js';
import { settingsPlan, unreadableEvent } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';
import { changesOf, shown, write } from './settings-helpers.js';

const daysOf = ({ values }: StoredOverrides): number => Number(values.get('retention.days') ?? 0);

export function settingsApplyContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('apply and read', () => {
    it('start empty, at revision 0, without a change', async () => {
      const { settings } = fixture.backend;
      assert.deepEqual(shown(await settings.read()), { values: {}, revision: 0 });
      assert.equal(await settings.revision(), 0);
      assert.deepEqual(await changesOf(fixture), []);
    });

    it('return the applied values, with the next revision', async () => {
      const applied = await write(fixture, { 'modes.hitl': 'monitor', 'retention.days': 30 });
      const expected = { values: { 'modes.hitl': 'monitor', 'retention.days': 30 }, revision: 1 };
      assert.deepEqual(shown(applied), expected);
      assert.deepEqual(shown(await fixture.backend.settings.read()), expected);
    });

    it('pass the stored overrides to the plan', async () => {
      await write(fixture, { 'modes.hitl': 'off' });
      let seen: unknown;
      await fixture.backend.settings.apply((stored) => {
        seen = shown(stored);
        return null;
      });
      assert.deepEqual(seen, { values: { 'modes.hitl': 'off' }, revision: 1 });
    });

    it('keep overrides that are not part of the plan', async () => {
      await write(fixture, { 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write(fixture, { 'retention.days': 60 })), {
        values: { 'modes.hitl': 'off', 'retention.days': 60 },
        revision: 2,
      });
    });

    it('remove an override that is set to null', async () => {
      await write(fixture, { 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write(fixture, { 'modes.hitl': null })), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
      assert.deepEqual(shown(await fixture.backend.settings.read()), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
    });

    it('accept null for an override that does not exist', async () => {
      assert.deepEqual(shown(await write(fixture, { 'modes.hitl': null })), { values: {}, revision: 1 });
    });

    it('remove an override without a change record, one revision later', async () => {
      await write(fixture, { 'modes.hitl': 'off', 'retention.days': 30 });
      const recorded = (await changesOf(fixture)).length;
      const applied = await fixture.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': null }, changes: [] }),
      );
      assert.deepEqual(shown(applied), { values: { 'retention.days': 30 }, revision: 2 });
      assert.equal(await fixture.backend.settings.revision(), 2);
      assert.equal((await changesOf(fixture)).length, recorded);
    });

    it('write nothing and keep the revision if the plan is null', async () => {
      await write(fixture, { 'modes.hitl': 'off' });
      const answer = await fixture.backend.settings.apply(() => null);
      assert.deepEqual(shown(answer), { values: { 'modes.hitl': 'off' }, revision: 1 });
      assert.equal(await fixture.backend.settings.revision(), 1);
      assert.equal((await changesOf(fixture)).length, 1);
    });

    it('rethrow the error of a plan and write nothing', async () => {
      await write(fixture, { 'modes.hitl': 'off' });
      const refusal = new Error('plan failed');
      const thrown: unknown = await fixture.backend.settings
        .apply(() => {
          throw refusal;
        })
        .catch((error: unknown) => error);
      assert.equal(thrown, refusal);
      assert.deepEqual(shown(await fixture.backend.settings.read()), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('accept a plan after one that threw', async () => {
      await assert.rejects(
        fixture.backend.settings.apply(() => {
          throw new Error('plan failed');
        }),
      );
      assert.deepEqual(shown(await write(fixture, { 'modes.hitl': 'off' })), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('write nothing if the last part of a plan cannot be stored', async () => {
      await assert.rejects(
        fixture.backend.settings.apply(() =>
          settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [unreadableEvent()] }),
        ),
      );
      assert.deepEqual(shown(await fixture.backend.settings.read()), { values: {}, revision: 0 });
      assert.deepEqual(await changesOf(fixture), []);
    });

    it('return the same revision with and without the values', async () => {
      for (let round = 0; round < 3; round++) {
        const { revision } = await write(fixture, { 'retention.days': round });
        assert.equal(revision, round + 1);
        assert.equal(await fixture.backend.settings.revision(), revision);
        assert.equal((await fixture.backend.settings.read()).revision, revision);
      }
    });

    it('return the newest change record with the overrides, or null', async () => {
      const { settings } = fixture.backend;
      assert.equal((await settings.read()).latestChange, null);
      const occurredAt = new Date('2026-03-01T09:00:00.123Z');
      const change = { key: 'modes.hitl', before: 'enforce', after: 'off' };
      for (const actorId of ['ops-1', 'ops-2'])
        await settings.apply(() =>
          settingsPlan({ overrides: { 'modes.hitl': 'off' }, changes: [change], actorId, occurredAt }),
        );
      const [newest] = await changesOf(fixture);
      assert.deepEqual((await settings.read()).latestChange, {
        id: newest?.id,
        actorId: 'ops-2',
        occurredAt,
      });
      const unrecorded = await settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': null }, changes: [] }),
      );
      assert.equal(unrecorded.latestChange?.id, newest?.id);
    });

    it('return the same on another instance, at once', async () => {
      const other = await fixture.another();
      await write(fixture, { 'modes.hitl': 'off' });
      assert.equal(await other.settings.revision(), 1);
      assert.deepEqual(shown(await other.settings.read()), { values: { 'modes.hitl': 'off' }, revision: 1 });
    });
  });

  describe('changes', () => {
    it('are filtered by actor and time, also for actors longer than an index entry', async () => {
      const { settings } = fixture.backend;
      const long = 'a\u00e9'.repeat(3000);
      const actors = ['ops-1', long, 'ops-1'];
      for (const [day, actorId] of actors.entries()) {
        const occurredAt = new Date(Date.UTC(2026, 2, day + 1));
        await settings.apply(() =>
          settingsPlan({ overrides: { 'retention.days': day + 1 }, actorId, occurredAt }),
        );
      }
      const daysOfChanges = async (filter: SettingChangeFilter): Promise<number[]> =>
        (await settings.changes(filter, { limit: 10 })).entries.map(({ occurredAt }) =>
          occurredAt.getUTCDate(),
        );
      const day = (number: number): Date => new Date(Date.UTC(2026, 2, number));
      assert.deepEqual(await daysOfChanges({ actor: 'ops-1' }), [3, 1]);
      assert.deepEqual(await daysOfChanges({ actor: long }), [2]);
      assert.deepEqual(await daysOfChanges({ from: day(2) }), [3, 2]);
      assert.deepEqual(await daysOfChanges({ to: day(2), actor: 'ops-1' }), [1]);
      assert.deepEqual(await daysOfChanges({ from: day(2), to: day(2) }), [2]);
    });
  });

  describe('concurrent plans', () => {
    it('are serialized: each gets the result of the one before, and the change log is consistent', async () => {
      const revisions = await fixture.concurrently(30, async ({ settings }, index) => {
        const applied = await settings.apply((stored) =>
          settingsPlan({
            overrides: { 'retention.days': daysOf(stored) + 1 },
            changes: [{ key: 'retention.days', before: daysOf(stored), after: daysOf(stored) + 1 }],
            actorId: `ops-${index}`,
          }),
        );
        assert.equal(daysOf(applied), applied.revision, 'each caller gets its own result');
        return applied.revision;
      });
      const upTo30 = Array.from({ length: 30 }, (_, index) => index + 1);
      assert.deepEqual(
        revisions.toSorted((a, b) => a - b),
        upTo30,
      );
      assert.deepEqual(shown(await fixture.backend.settings.read()), {
        values: { 'retention.days': 30 },
        revision: 30,
      });

      const log = (await changesOf(fixture)).toReversed();
      assert.deepEqual(
        log.map((change) => [change.before, change.after]),
        upTo30.map((after) => [after - 1, after]),
      );
      assert.deepEqual(
        log.map((change) => change.actorId),
        actorsInOrder(revisions),
      );
    });

    it('write nothing if they return null', async () => {
      await fixture.concurrently(10, ({ settings }) =>
        settings.apply((stored) =>
          stored.values.has('modes.hitl') ? null : settingsPlan({ overrides: { 'modes.hitl': 'off' } }),
        ),
      );
      assert.equal(await fixture.backend.settings.revision(), 1);
      assert.equal((await changesOf(fixture)).length, 1);
    });
  });
}

/** The actors of revision 1, 2, 3 …, from the revisions returned to `ops-0`, `ops-1` … */
function actorsInOrder(revisions: readonly number[]): string[] {
  return revisions
    .map((revision, index) => ({ revision, actor: `ops-${index}` }))
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ actor }) => actor);
}
