import assert from 'node:assert/strict';
import type { StoredOverrides } from '../../../contracts/src/settings/settings.store.js';
import { settingsPlan, unreadableEvent } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { changesOf, shown, write } from './settings-acts.js';

const daysOf = ({ values }: StoredOverrides): number => Number(values.get('retention.days') ?? 0);

export function settingsApplyContract({ describe, it }: Runner, stage: Stage): void {
  describe('apply and read', () => {
    it('begin empty, at revision 0, without a change', async () => {
      const { settings } = stage.backend;
      assert.deepEqual(shown(await settings.read()), { values: {}, revision: 0 });
      assert.equal(await settings.revision(), 0);
      assert.deepEqual(await changesOf(stage), []);
    });

    it('answer and read what was applied, one revision later', async () => {
      const applied = await write(stage, { 'modes.hitl': 'monitor', 'retention.days': 30 });
      const expected = { values: { 'modes.hitl': 'monitor', 'retention.days': 30 }, revision: 1 };
      assert.deepEqual(shown(applied), expected);
      assert.deepEqual(shown(await stage.backend.settings.read()), expected);
    });

    it('hand the plan what is stored', async () => {
      await write(stage, { 'modes.hitl': 'off' });
      let seen: unknown;
      await stage.backend.settings.apply((stored) => {
        seen = shown(stored);
        return null;
      });
      assert.deepEqual(seen, { values: { 'modes.hitl': 'off' }, revision: 1 });
    });

    it('leave overrides alone that a plan does not name', async () => {
      await write(stage, { 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write(stage, { 'retention.days': 60 })), {
        values: { 'modes.hitl': 'off', 'retention.days': 60 },
        revision: 2,
      });
    });

    it('remove an override by null', async () => {
      await write(stage, { 'modes.hitl': 'off', 'retention.days': 30 });
      assert.deepEqual(shown(await write(stage, { 'modes.hitl': null })), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
      assert.deepEqual(shown(await stage.backend.settings.read()), {
        values: { 'retention.days': 30 },
        revision: 2,
      });
    });

    it('take null for an override that was never there', async () => {
      assert.deepEqual(shown(await write(stage, { 'modes.hitl': null })), { values: {}, revision: 1 });
    });

    it('remove an override without a change record, one revision later', async () => {
      await write(stage, { 'modes.hitl': 'off', 'retention.days': 30 });
      const recorded = (await changesOf(stage)).length;
      const applied = await stage.backend.settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': null }, changes: [] }),
      );
      assert.deepEqual(shown(applied), { values: { 'retention.days': 30 }, revision: 2 });
      assert.equal(await stage.backend.settings.revision(), 2);
      assert.equal((await changesOf(stage)).length, recorded);
    });

    it('write nothing for a plan of null, and keep the revision', async () => {
      await write(stage, { 'modes.hitl': 'off' });
      const answer = await stage.backend.settings.apply(() => null);
      assert.deepEqual(shown(answer), { values: { 'modes.hitl': 'off' }, revision: 1 });
      assert.equal(await stage.backend.settings.revision(), 1);
      assert.equal((await changesOf(stage)).length, 1);
    });

    it('pass on the very error of a plan that throws, and write nothing', async () => {
      await write(stage, { 'modes.hitl': 'off' });
      const refusal = new Error('not like this');
      const thrown: unknown = await stage.backend.settings
        .apply(() => {
          throw refusal;
        })
        .catch((error: unknown) => error);
      assert.equal(thrown, refusal);
      assert.deepEqual(shown(await stage.backend.settings.read()), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('still take a plan after one that threw', async () => {
      await assert.rejects(
        stage.backend.settings.apply(() => {
          throw new Error('not like this');
        }),
      );
      assert.deepEqual(shown(await write(stage, { 'modes.hitl': 'off' })), {
        values: { 'modes.hitl': 'off' },
        revision: 1,
      });
    });

    it('write nothing at all when the last part of a plan cannot be stored', async () => {
      await assert.rejects(
        stage.backend.settings.apply(() =>
          settingsPlan({ overrides: { 'modes.hitl': 'off' }, outgoing: [unreadableEvent()] }),
        ),
      );
      assert.deepEqual(shown(await stage.backend.settings.read()), { values: {}, revision: 0 });
      assert.deepEqual(await changesOf(stage), []);
    });

    it('answer the same revision alone and with the values', async () => {
      for (let round = 0; round < 3; round++) {
        const { revision } = await write(stage, { 'retention.days': round });
        assert.equal(revision, round + 1);
        assert.equal(await stage.backend.settings.revision(), revision);
        assert.equal((await stage.backend.settings.read()).revision, revision);
      }
    });

    it('are the same for another instance, at once', async () => {
      const other = await stage.another();
      await write(stage, { 'modes.hitl': 'off' });
      assert.equal(await other.settings.revision(), 1);
      assert.deepEqual(shown(await other.settings.read()), { values: { 'modes.hitl': 'off' }, revision: 1 });
    });
  });

  describe('applied by many at once', () => {
    it('stand in line: each sees what the one before wrote, and the log replays to the end', async () => {
      const revisions = await stage.together(30, async ({ settings }, index) => {
        const applied = await settings.apply((stored) =>
          settingsPlan({
            overrides: { 'retention.days': daysOf(stored) + 1 },
            changes: [{ key: 'retention.days', before: daysOf(stored), after: daysOf(stored) + 1 }],
            actorId: `ops-${index}`,
          }),
        );
        assert.equal(daysOf(applied), applied.revision, 'each is answered with its own result');
        return applied.revision;
      });
      const upTo30 = Array.from({ length: 30 }, (_, index) => index + 1);
      assert.deepEqual(
        revisions.toSorted((a, b) => a - b),
        upTo30,
      );
      assert.deepEqual(shown(await stage.backend.settings.read()), {
        values: { 'retention.days': 30 },
        revision: 30,
      });

      const log = (await changesOf(stage)).toReversed();
      assert.deepEqual(
        log.map((change) => [change.before, change.after]),
        upTo30.map((after) => [after - 1, after]),
      );
      assert.deepEqual(
        log.map((change) => change.actorId),
        actorsInOrder(revisions),
      );
    });

    it('write nothing for those that find nothing to do', async () => {
      await stage.together(10, ({ settings }) =>
        settings.apply((stored) =>
          stored.values.has('modes.hitl') ? null : settingsPlan({ overrides: { 'modes.hitl': 'off' } }),
        ),
      );
      assert.equal(await stage.backend.settings.revision(), 1);
      assert.equal((await changesOf(stage)).length, 1);
    });
  });
}

/** Who wrote revision 1, 2, 3 …, given which revision each of `ops-0`, `ops-1` … was answered with. */
function actorsInOrder(revisions: readonly number[]): string[] {
  return revisions
    .map((revision, index) => ({ revision, actor: `ops-${index}` }))
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ actor }) => actor);
}
