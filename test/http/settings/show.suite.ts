import { describe, expect } from '@jest/globals';
import { TOKEN_SECRET } from '../support/host.js';
import { LOCKED, VIEWS } from './material.js';
import { settingsOf, type SettingsBench } from './settings-bench.js';

export function describeShowing({ bench, show, change }: SettingsBench): void {
  const { it } = bench;

  describe('contract 6.1: GET /settings', () => {
    it('shows the effective settings, nested, with the master switch, and a strong ETag', async () => {
      const answer = await bench.api.get('/settings', { as: 'reader' });
      const data = settingsOf(answer);
      expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      expect(data.settings['enabled']).toBe(true);
      expect(data.overridden).toEqual([]);
      expect(data).not.toHaveProperty('changed');
      expect(data.settings).toMatchObject({
        modes: {
          tool_firewall: 'enforce',
          input_screen: 'enforce',
          output_handler: 'enforce',
          hitl: 'enforce',
        },
        tool_firewall: {
          enabled: true,
          reject_unknown_arguments: true,
          owner_keys: ['user_id', 'owner_id', 'account_id', 'customer_id'],
        },
        input_screen: { enabled: true, refusal_message: 'Not here.', patterns: {}, rule_modes: {} },
        output_handler: { enabled: true, html_mode: 'allowlist', redact_pii: true, redact_secrets: true },
        hitl: { enabled: false, destructive_tools: ['refund', 'delete', 'send_email'], fallback: 'declared' },
        normalization: { enabled: true, decode_views: VIEWS.slice(0, 9), max_prompt_length: 50_000 },
        pattern_safety: { on_match_error: 'closed' },
        tool_authorization: { enabled: true, owner_key_depth: 'recursive', destructive_match: 'exact' },
        audit_hygiene: { prompt_storage: 'redact' },
        retention: { days: 90, strategy: 'anonymize' },
      });
    });

    it('describes exactly the settings that it shows, with their configured values', async () => {
      const { settings, schema } = await change({ 'retention.days': 12, 'modes.hitl': 'off' });
      const leaves = Object.entries(settings).flatMap(([group, fields]) =>
        typeof fields === 'object' ? Object.keys(fields).map((name) => `${group}.${name}`) : [group],
      );
      expect(schema.map(({ key }) => key).toSorted()).toEqual(leaves.toSorted());
      expect(schema.filter(({ locked }) => locked).map(({ key }) => key)).toEqual(['enabled']);
      const described = Object.fromEntries(schema.map(({ key, ...facts }) => [key, facts]));
      expect(described['retention.days']).toEqual({
        kind: 'integer of at least 0',
        value_schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        help: expect.stringContaining('Age in days'),
        default: 365,
        configured: 90,
        environment: 'GUARDRAILS_RETENTION_DAYS',
        locked: false,
        weakens: { values: [], entries: null },
      });
      expect(described['modes.hitl']).toMatchObject({
        kind: 'choice',
        value_schema: { enum: ['enforce', 'monitor', 'off'] },
        configured: 'enforce',
        weakens: { values: ['monitor', 'off'], entries: null },
      });
      expect(described['input_screen.exceptions']?.weakens).toEqual({ values: [], entries: 'added' });
      expect(described['tool_firewall.owner_keys']?.weakens).toEqual({ values: [], entries: 'removed' });
    });

    it('shows no secret, and only the master switch of the configuration', async () => {
      const answer = await bench.api.get('/settings');
      expect(answer.text).not.toContain(TOKEN_SECRET);
      const data = settingsOf(answer);
      for (const key of LOCKED.slice(1)) {
        const [group = '', name = ''] = key.split('.');
        expect(data.settings[group] ?? {}).not.toHaveProperty(name);
      }
    });

    it('warns about exactly the controls that are off or in monitor mode', async () => {
      const { warnings } = await change({
        'modes.input_screen': 'monitor',
        'output_handler.enabled': false,
        'hitl.enabled': true,
      });
      expect(warnings).toEqual([
        expect.stringMatching(/^input_screen\b.*in monitor mode/),
        expect.stringMatching(/^output_handler\b.*off/),
      ]);
      expect((await show()).warnings).toEqual(warnings);
      const all = await change({ 'modes.input_screen': null, 'output_handler.enabled': null });
      expect(all.warnings).toEqual([]);
    });

    it.each([
      ['declared', /^hitl is off: .* declares itself .* are refused; .* only its default names run/],
      ['deny', /^hitl is off: destructive calls are refused\.$/],
      ['pass', /^hitl is off: destructive calls run, and are not recorded\.$/],
    ])(
      'tells what happens to destructive calls while HITL is off, with the fallback %s',
      async (fallback, words) => {
        const { warnings } = await change({ 'hitl.fallback': fallback });
        expect(warnings).toEqual([expect.stringMatching(words)]);
      },
    );

    it('contract 6.1: warns about rule modes and exceptions of ids that nothing has', async () => {
      const ends_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
      const exception = { phrase: 'a phrase of a game', reason: 'A game.', ends_at };
      const { warnings } = await change({
        'hitl.enabled': true,
        'input_screen.patterns': { 'shop.own': 'own pattern' },
        'input_screen.rule_modes': {
          classifer: 'off',
          classifier: 'off',
          'shop.own': 'off',
          'instruction_override.ignore_previous': 'off',
          'instruction_override.ignore_previous.ignore': 'off',
          zz: 'off',
        },
        'input_screen.exceptions': [
          { ...exception, rule_id: 'shop.own' },
          { ...exception, rule_id: 'shop.owm' },
        ],
      });
      expect(warnings).toEqual([
        'input_screen.exceptions: 2 in force; matches in their phrases do not count.',
        'input_screen.rule_modes has entries without effect, because no rule, group or screener has the id "classifer" (did you mean "classifier"?), "zz".',
        'input_screen.exceptions has entries without effect, because no rule, group or screener has the id "shop.owm" (did you mean "shop.own"?).',
      ]);
      expect((await show()).warnings).toEqual(warnings);
      const restored = await change({
        'input_screen.patterns': null,
        'input_screen.rule_modes': null,
        'input_screen.exceptions': null,
      });
      expect(restored.warnings).toEqual([]);
    });
  });
}
