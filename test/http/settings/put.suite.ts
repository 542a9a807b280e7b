import { describe, expect } from '@jest/globals';
import { LOCKED } from './material.js';
import { settingsOf, valueOf, type SettingsBench } from './settings-bench.js';

export function describePutting({
  bench,
  published,
  show,
  put,
  change,
  log,
  conditional,
  refused,
}: SettingsBench): void {
  const { it, itOnEachStore } = bench;

  describe('contract 6.1: PUT /settings', () => {
    it('refuses a key in both forms', async () => {
      await refused(
        { 'modes.hitl': 'off', modes: { hitl: 'off', input_screen: 'off' } },
        'invalid_settings',
        ['modes.hitl'],
      );
      await refused({ modes: { hitl: null }, 'modes.hitl': null }, 'invalid_settings', ['modes.hitl']);
    });

    it.each([
      ...LOCKED,
      'nonsense',
      'modes.nonsense',
      'constructor',
      'retention.schedule',
      'panel.enabled',
      '',
    ])('refuses %p as not overridable, and writes nothing else', async (key) => {
      await refused({ 'modes.hitl': 'off', [key]: true }, 'not_overridable', [key]);
    });

    it('refuses __proto__ at any depth, and changes no prototype', async () => {
      for (const [raw, field] of [
        ['{"settings":{"__proto__":{"polluted":true},"modes.hitl":"off"}}', '__proto__'],
        ['{"settings":{"modes":{"__proto__":"off"}}}', 'modes.__proto__'],
        ['{"settings":{"input_screen.patterns":{"__proto__":"x"}}}', 'input_screen.patterns'],
      ] as const) {
        const answer = await bench.api.put('/settings', raw);
        expect(answer.status).toBe(422);
        expect(Object.keys(answer.body.data.error.fields)).toEqual([field]);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('names each key that is not overridable, and each invalid value', async () => {
      await refused({ enabled: false, 'api.prefix': 'x/api', 'retention.days': 1 }, 'not_overridable', [
        'enabled',
        'api.prefix',
      ]);
      await refused(
        { modes: { hitl: 'maybe', input_screen: 'off' }, 'retention.days': -1, 'hitl.enabled': 'x' },
        'invalid_settings',
        ['modes.hitl', 'retention.days', 'hitl.enabled'],
      );
    });

    it('refuses a group that is not an object', async () => {
      for (const raw of ['off', 1, true, [], null])
        await refused({ modes: raw }, 'invalid_settings', ['modes']);
    });

    it.each([[undefined], [null], [[]], ['x'], [1], [true]])(
      'contract 6.1, 2.3: refuses settings that are %p',
      async (settings) => {
        const answer = await bench.api.put('/settings', { settings });
        expect(answer.status).toBe(422);
        expect(answer.body.data.error).toMatchObject({
          code: 'invalid_body',
          fields: { settings: [expect.any(String)] },
        });
      },
    );

    it('answers like GET, with `changed` and the new ETag', async () => {
      const first = await bench.api.get('/settings');
      const updated = await put({
        'retention.days': '7',
        'modes.hitl': 'enforce',
        retention: { strategy: 'keep' },
      });
      const { changed, ...shown } = settingsOf(updated);
      expect(changed).toEqual(['retention.days', 'retention.strategy']);
      expect(updated.headers.etag).not.toBe(first.headers.etag);
      const second = await bench.api.get('/settings');
      expect(second.headers.etag).toBe(updated.headers.etag);
      expect(second.body.data).toEqual(shown);
      expect(updated.body.schema).toBe('guardrails.api.v1.settings');
    });

    itOnEachStore('contract 6.2: writes and emits nothing without an effective change', async () => {
      await change({ 'retention.days': 5 });
      published.length = 0;
      const before = await bench.api.get('/settings');
      const [last] = await log('?limit=1');
      for (const settings of [
        {},
        { 'retention.days': '5' },
        { 'modes.hitl': 'enforce' },
        { 'modes.hitl': null, input_screen: { patterns: {} } },
        { modes: {} },
      ]) {
        const answer = await put(settings);
        expect(settingsOf(answer)).toEqual({ ...settingsOf(before), changed: [] });
        expect(answer.headers.etag).toBe(before.headers.etag);
      }
      expect((await log('?limit=1'))[0]).toEqual(last);
      expect(published).toEqual([]);
    });
  });

  describe('contract 6.1: If-Match', () => {
    itOnEachStore('is honoured when sent', async () => {
      const etag = String((await bench.api.get('/settings')).headers.etag);
      expect((await conditional(etag, 11)).status).toBe(200);
      const stale = await conditional(etag, 12);
      expect(stale.status).toBe(412);
      expect(stale.body.data.error.code).toBe('stale_settings');
      expect(stale.body.schema).toBe('guardrails.api.v1.settings');
      expect(valueOf(await show(), 'retention.days')).toBe(11);
      expect(published).toHaveLength(1);
      expect((await conditional('*', 13)).status).toBe(200);
      const fresh = String((await bench.api.get('/settings')).headers.etag);
      expect((await conditional(`"other", ${fresh} ,"another"`, 14)).status).toBe(200);
      expect((await conditional('"other", "another"', 15)).status).toBe(412);
      const latest = String((await bench.api.get('/settings')).headers.etag);
      expect((await conditional(`W/${latest}`, 15)).status).toBe(412);
      expect((await conditional(latest.slice(1, -1), 15)).status).toBe(412);
      expect(valueOf(await show(), 'retention.days')).toBe(14);
    });

    itOnEachStore(
      'also applies to a PUT without changes; settings that were changed back have a new revision',
      async () => {
        const etag = String((await bench.api.get('/settings')).headers.etag);
        await change({ 'retention.days': 3 });
        await change({ 'retention.days': null });
        expect((await put({}, { headers: { 'if-match': etag } })).status).toBe(412);
      },
    );

    it('contract 2.4: is checked after the fields', async () => {
      await refused({ 'retention.days': -1 }, 'invalid_settings', ['retention.days'], {
        headers: { 'if-match': '"stale"' },
      });
    });
  });
}
