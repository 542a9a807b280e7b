import assert from 'node:assert/strict';
import type { SettingChangeFilter, StoredOverrides } from '#contracts/stores/settings.store.js';
import type { Contract } from './backend-fixture.js';
import { NOON, settingsPlan, unreadableEvent } from './builders.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';
import { sinkOf } from './outbox-helpers.js';
import { changesOf, shown, write } from './settings-helpers.js';

const PATTERNS = 'input_screen.patterns';

const daysOf = ({ values }: StoredOverrides) => Number(values.get('retention.days') ?? 0);

/** A value that contains the text as a key, in a list and nested. */
const holding = (text: string): unknown => ({ [text]: [text, { deep: text }] });

export const settingsContract: Contract = ({ describe, it }, fixture) => {
  const { settings } = fixture;
  const read = async (): Promise<unknown> => shown(await settings.read());
  const valueOf = async (key: string): Promise<unknown> => (await settings.read()).values.get(key);

  describe('apply', () => {
    it('writes and removes overrides, keeps the others, and raises the revision', async () => {
      assert.deepEqual(await read(), { values: {}, revision: 0 });
      const steps: readonly (readonly [Record<string, unknown>, after: Record<string, unknown>])[] = [
        [
          { 'modes.hitl': 'off', 'retention.days': 30 },
          { 'modes.hitl': 'off', 'retention.days': 30 },
        ],
        [{ 'retention.days': 60 }, { 'modes.hitl': 'off', 'retention.days': 60 }],
        [{ 'modes.hitl': null }, { 'retention.days': 60 }],
        [{ 'modes.hitl': null }, { 'retention.days': 60 }],
        // A key that no setting has, as a freeze.
        [{ 'freeze.5': { id: 5, name: null } }, { 'retention.days': 60, 'freeze.5': { id: 5, name: null } }],
      ];
      const other = await fixture.another();
      for (const [index, [overrides, values]] of steps.entries()) {
        const expected = { values, revision: index + 1 };
        assert.deepEqual(shown(await write(fixture, overrides)), expected);
        assert.deepEqual(await read(), expected);
        assert.equal(await settings.revision(), index + 1);
        assert.deepEqual(shown(await other.settings.read()), expected, 'on another instance, at once');
      }
    });

    it('passes the stored overrides to the plan, and writes nothing if that returns null or fails', async () => {
      await write(fixture, { 'modes.hitl': 'off' });
      const refusal = new Error('plan failed');
      const stored = { values: { 'modes.hitl': 'off' }, revision: 1 };
      const answer = await settings.apply((seen) => {
        assert.deepEqual(shown(seen), stored);
        return null;
      });
      assert.deepEqual(shown(answer), stored);
      const failed: unknown = await settings
        .apply(() => {
          throw refusal;
        })
        .catch((error: unknown) => error);
      assert.equal(failed, refusal);
      await assert.rejects(
        settings.apply(() =>
          settingsPlan({ overrides: { 'modes.hitl': 'monitor' }, outgoing: [unreadableEvent()] }),
        ),
      );
      assert.deepEqual(await read(), stored);
      assert.equal((await changesOf(fixture)).length, 1);
      assert.deepEqual(await sinkOf(fixture).claim(), []);
      assert.equal((await write(fixture, { 'modes.hitl': 'monitor' })).revision, 2);
    });

    it('returns the newest change record with the overrides, or null', async () => {
      assert.equal((await settings.read()).latestChange, null);
      const occurredAt = new Date('2026-03-01T09:00:00.123Z');
      const by = (actorId: string) =>
        settings.apply(() => settingsPlan({ overrides: { 'modes.hitl': 'off' }, actorId, occurredAt }));
      const [, applied] = [await by('ops-1'), await by('ops-2')];
      const [newest] = await changesOf(fixture);
      const latestChange = { id: newest?.id, actorId: 'ops-2', occurredAt };
      assert.deepEqual(applied.latestChange, latestChange);
      assert.deepEqual((await settings.read()).latestChange, latestChange);
      const unrecorded = await settings.apply(() =>
        settingsPlan({ overrides: { 'modes.hitl': null }, changes: [] }),
      );
      assert.deepEqual([unrecorded.revision, unrecorded.latestChange], [3, latestChange]);
      assert.equal((await changesOf(fixture)).length, 2);
    });

    it('serializes concurrent plans: each gets the result of the one before', async () => {
      const revisions = await fixture.concurrently(30, async (backend, index) => {
        const applied = await backend.settings.apply((stored) =>
          settingsPlan({
            overrides: { 'retention.days': daysOf(stored) + 1 },
            changes: [{ key: 'retention.days', before: daysOf(stored), after: daysOf(stored) + 1 }],
            actorId: `ops-${index}`,
          }),
        );
        assert.equal(daysOf(applied), applied.revision, 'each caller gets its own result');
        return applied.revision;
      });
      assert.deepEqual(await read(), { values: { 'retention.days': 30 }, revision: 30 });
      assert.deepEqual(
        (await changesOf(fixture)).toReversed().map(({ before, after, actorId }) => [before, after, actorId]),
        Array.from({ length: 30 }, (_, days) => [days, days + 1, `ops-${revisions.indexOf(days + 1)}`]),
      );
    });
  });

  describe('values', () => {
    for (const [name, value] of [
      ['booleans', false],
      ['numbers', 50_000],
      ['texts', UNUSUAL_TEXT],
      ['empty lists', []],
      ['lists in their order', ['z', 'a', 'm']],
      ['empty objects', {}],
      ['deep values', { a: [{ b: null }, 1.5, -0.1, 1e21, 'c'], d: { e: { f: true } } }],
      ['a key called __proto__', JSON.parse('{"__proto__":{"polluted":true},"constructor":"x"}')],
    ] as const) {
      it(`keep ${name}`, async () => {
        await write(fixture, { 'some.key': value });
        const stored = await valueOf('some.key');
        assert.deepEqual(stored, value);
        assert.equal(JSON.stringify(stored), JSON.stringify(value));
        assert.equal(Object.hasOwn({}, 'polluted'), false);
      });
    }

    it('keep changed, added, removed and unchanged entries of patterns, in their order', async () => {
      const other = await fixture.another();
      for (const patterns of [
        { zeta: '/z/i', alpha: '/a/i', 'mid.dle': '/m/i', Alpha: '/A/' },
        { b: '/b/', alpha: '/a/i', c: '/c/' },
        { c: '/c/', d: '/d/', b: '/b/i' },
        { b: '/b/i', c: '/c/', d: '/d/' },
        {},
        { a: '/a/' },
      ]) {
        const applied = await write(fixture, { [PATTERNS]: patterns });
        const [change] = await changesOf(fixture);
        const seen = await other.settings.apply(() => null);
        const stored = [applied.values.get(PATTERNS), await valueOf(PATTERNS), seen.values.get(PATTERNS)];
        for (const found of [...stored, change?.after])
          assert.equal(JSON.stringify(found), JSON.stringify(patterns));
      }
      await other.settings.apply(() => settingsPlan({ overrides: { [PATTERNS]: { z: '/z/' } } }));
      assert.deepEqual((await write(fixture, { 'modes.hitl': 'off' })).values.get(PATTERNS), { z: '/z/' });
      assert.equal((await write(fixture, { [PATTERNS]: null })).values.has(PATTERNS), false);
      assert.equal(await valueOf(PATTERNS), undefined);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`have ${name} replaced in values, keys and change records`, async () => {
        await settings.apply(() =>
          settingsPlan({
            overrides: { 'some.key': holding(given) },
            changes: [{ key: `some.${given}`, before: given, after: holding(given) }],
            actorId: given,
            requestId: given,
          }),
        );
        assert.deepEqual(await valueOf('some.key'), holding(kept));
        const [{ id, ...record } = { id: 0 }] = await changesOf(fixture);
        assert.ok(Number.isSafeInteger(id) && id > 0);
        assert.deepEqual(record, {
          key: `some.${kept}`,
          before: kept,
          after: holding(kept),
          actorId: kept,
          requestId: kept,
          occurredAt: NOON,
        });
      });
    }

    it('share no object with the caller', async () => {
      const list = ['first'];
      const applied = await write(fixture, { 'some.key': list });
      list.push('second');
      (applied.values.get('some.key') as string[]).push('third');
      ((await valueOf('some.key')) as string[]).push('fourth');
      assert.deepEqual(await valueOf('some.key'), ['first']);
    });
  });

  describe('changes', () => {
    const keysOf = (changes: readonly { readonly key: string }[]) => changes.map(({ key }) => key);

    it('are returned newest first; null is the value of a key that does not exist', async () => {
      const added = { key: 'a.1', before: null, after: '/x/' };
      const removed = { key: 'a.2', before: '/y/', after: null };
      await settings.apply(() => settingsPlan({ overrides: {}, changes: [added, removed] }));
      await write(fixture, { 'a.3': 3, 'a.4': 4 });
      const changes = await changesOf(fixture);
      assert.deepEqual(keysOf(changes), ['a.4', 'a.3', 'a.2', 'a.1']);
      assert.deepEqual(
        changes.slice(2).map(({ key, before, after }) => ({ key, before, after })),
        [removed, added],
      );
    });

    it('are filtered by key and the keys below it', async () => {
      await write(fixture, {
        [PATTERNS]: 1,
        [`${PATTERNS}.one`]: 2,
        [`${PATTERNS}_other`]: 3,
        input_screenXpatterns: 4,
      });
      for (const [key, found] of [
        [PATTERNS, [`${PATTERNS}.one`, PATTERNS]],
        [`${PATTERNS}.one`, [`${PATTERNS}.one`]],
        ['input_screen', [`${PATTERNS}_other`, `${PATTERNS}.one`, PATTERNS]],
        ['input_screen.pattern_', []],
        ['input_screen.%', []],
        ['INPUT_SCREEN.PATTERNS', []],
        ['', []],
        ['x\u0000\uD83D', []],
      ] as const)
        assert.deepEqual(keysOf(await changesOf(fixture, key)), found, key);
    });

    it('are filtered by actor and time, also for actors longer than an index entry', async () => {
      const long = 'a\u00e9'.repeat(3000);
      const day = (number: number) => new Date(Date.UTC(2026, 2, number));
      for (const [index, actorId] of ['ops-1', long, 'ops-1'].entries())
        await settings.apply(() =>
          settingsPlan({ overrides: { 'retention.days': index }, actorId, occurredAt: day(index + 1) }),
        );
      const filters: readonly (readonly [SettingChangeFilter, days: readonly number[]])[] = [
        [{ actor: 'ops-1' }, [3, 1]],
        [{ actor: long }, [2]],
        [{ from: day(2) }, [3, 2]],
        [{ to: day(2), actor: 'ops-1' }, [1]],
        [{ from: day(2), to: day(2) }, [2]],
      ];
      for (const [filter, days] of filters) {
        const { entries } = await settings.changes(filter, { limit: 10 });
        assert.deepEqual(
          entries.map(({ occurredAt }) => occurredAt.getUTCDate()),
          days,
        );
      }
    });
  });
};
