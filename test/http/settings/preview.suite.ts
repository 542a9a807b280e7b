import { describe, expect } from '@jest/globals';
import type { SettingsPreviewData } from '#contracts/settings/settings.api.js';
import type { Call } from '../support/client.js';
import { dataOf, type SettingsBench } from './settings-bench.js';

export function describePreviewing({
  bench,
  change,
  show,
  log,
  published,
  conditional,
}: SettingsBench): void {
  const { it } = bench;

  const preview = async (settings: object, call?: Call): Promise<SettingsPreviewData> =>
    dataOf(await bench.api.post('/settings/preview', { settings }, call)) as SettingsPreviewData;

  describe('contract 6.8: POST /settings/preview', () => {
    it('answers what a PUT would record, to readers too, and stores nothing', async () => {
      const before = await show();
      const [last] = await log('?limit=1');
      const previewed = await preview(
        {
          'retention.days': '7',
          modes: { hitl: 'enforce' },
          'input_screen.patterns': { own: 'secret word' },
        },
        { as: 'reader' },
      );
      expect(previewed).toEqual({
        changes: [
          { key: 'retention.days', old_value: 90, new_value: 7, weakens: false },
          { key: 'input_screen.patterns.own', old_value: null, new_value: '/secret word/i', weakens: false },
        ],
        warnings: [],
        superseded: { count: 0, approvals: [] },
      });
      expect(await show()).toEqual(before);
      expect((await log('?limit=1'))[0]).toEqual(last);
      expect(published).toEqual([]);
    });

    it('compares `null` with the override in force', async () => {
      await change({ 'retention.days': 5 });
      expect((await preview({ 'retention.days': null })).changes).toEqual([
        { key: 'retention.days', old_value: 5, new_value: 90, weakens: false },
      ]);
      expect((await preview({ 'retention.days': 5 })).changes).toEqual([]);
    });

    it.each<readonly [string, object, string]>([
      ['a weaker mode', { 'modes.input_screen': 'monitor' }, 'modes.input_screen protects less as monitor.'],
      [
        'a detector switched off',
        { 'output_handler.redact_pii': false },
        'output_handler.redact_pii protects less as false.',
      ],
      [
        'a silenced rule',
        { 'input_screen.rule_modes': { own: 'off' } },
        'input_screen.rule_modes.own protects less as off.',
      ],
      ['a removed pattern', { 'input_screen.patterns': {} }, 'input_screen.patterns.own no longer protects.'],
      [
        'a removed entry of a list',
        { 'tool_firewall.owner_keys': ['customer_id'] },
        'tool_firewall.owner_keys protects less: 1 entry is removed.',
      ],
    ])('warns about %s', async (_, settings, warning) => {
      await change({
        'input_screen.patterns': { own: 'secret word' },
        'tool_firewall.owner_keys': ['customer_id', 'account_id'],
      });
      const { changes, warnings } = await preview(settings);
      expect(changes.map(({ weakens }) => weakens)).toEqual([true]);
      expect(warnings[0]).toBe(warning);
    });

    it('adds the warnings of GET /settings that would be new, and no other', async () => {
      await change({ 'modes.output_handler': 'off' });
      expect((await preview({ 'modes.input_screen': 'off' })).warnings).toEqual([
        'modes.input_screen protects less as off.',
        'input_screen is off: it neither protects nor records.',
      ]);
      expect((await preview({ 'modes.output_handler': 'enforce' })).warnings).toEqual([]);
    });

    it.each([
      [{ 'retention.days': -1 }, 'invalid_settings', 'retention.days'],
      [{ 'input_screen.patterns': { own: '/a(?=b)/' } }, 'invalid_settings', 'input_screen.patterns'],
      [{ enabled: false }, 'not_overridable', 'enabled'],
    ])('refuses what PUT refuses: %j', async (settings, code, field) => {
      const refused = await bench.api.post('/settings/preview', { settings });
      const put = await bench.api.put('/settings', { settings });
      expect(refused.status).toBe(422);
      expect(refused.body.data.error.code).toBe(code);
      expect(Object.keys(refused.body.data.error.fields)).toEqual([field]);
      expect(refused.body.data.error.fields).toEqual(put.body.data.error.fields);
    });
  });

  describe('contract 6.1: changes since they were read', () => {
    it('are listed by a 412, newest first', async () => {
      const etag = String((await bench.api.get('/settings')).headers.etag);
      await change({ 'retention.days': 3, 'modes.hitl': 'monitor' }, { as: 'second-operator' });
      await change({ 'retention.days': 4 });
      const { body } = await conditional(etag, 5);
      expect(body.data.error).toMatchObject({
        code: 'stale_settings',
        details: { changes: await log('?limit=3') },
      });
      const other = await conditional('"other"', 5);
      expect(other.body.data.error).toMatchObject({ details: { changes: [] } });
    });

    it('show who changed a setting last, and when', async () => {
      bench.clock.set('2042-06-01T10:00:00.000Z');
      await change({ 'retention.days': 3 }, { as: 'second-operator' });
      const { updated_at: at, updated_by: by } = await show();
      expect([at, by]).toEqual(['2042-06-01T10:00:00.000Z', 'ops-2']);
    });
  });
}
