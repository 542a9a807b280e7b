import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import { SetClock } from '../http/support/set-clock.js';
import { settingsPlan } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { recordWarnings } from '../support/approvals.js';
import { bench, type Bench } from '../support/engine.js';

const by = (
  actorId: string,
  ifMatch: string | null = null,
): { actorId: string; requestId: string; ifMatch: string | null } => ({
  actorId,
  requestId: 'request-1',
  ifMatch,
});

const changesOf = async ({
  stores,
}: Bench): Promise<readonly { key: string; before: unknown; after: unknown }[]> =>
  (await stores.settings.changes({}, { limit: 100 })).entries.map(({ key, before, after }) => ({
    key,
    before,
    after,
  }));

describe('live settings (contract 6)', () => {
  it('take effect at once, with one change record and one event', async () => {
    const setup = await bench();
    const { settings, changed } = await setup.engine.settings.update(
      { 'modes.input_screen': 'monitor' },
      by('ops-1'),
    );
    expect(changed).toEqual(['modes.input_screen']);
    expect(settings.mode('input_screen').observes()).toBe(true);
    expect(setup.engine.settings.etag()).toBe(setup.engine.settings.etag(settings));
    expect(await changesOf(setup)).toEqual([
      { key: 'modes.input_screen', before: 'enforce', after: 'monitor' },
    ]);
    expect(setup.log.events).toEqual([expect.any(SettingsChanged)]);
    expect(setup.log.events[0]).toMatchObject({
      name: 'guardrails.settings.changed',
      actorId: 'ops-1',
      revision: 1,
      requestId: 'request-1',
      changes: [{ key: 'modes.input_screen', before: 'enforce', after: 'monitor' }],
    });
  });

  it('are logged on every instance where they open or close a control, in one line for each control', async () => {
    const stores = memoryStores();
    await stores.open();
    const logs = [recordWarnings(), recordWarnings()];
    const authorizer = { version: '1', authorize: () => true };
    const [here, there] = await Promise.all(
      logs.map(({ diagnostics }) =>
        bench({ 'tool_authorization.enabled': true }, { stores, authorizer, diagnostics }),
      ),
    );
    const changed = async (values: object): Promise<readonly string[]> => {
      await here?.engine.settings.update({ ...values }, by('ops-1'));
      await there?.engine.refresh();
      const [lines, others] = logs.map(({ warnings }) => warnings.splice(0));
      expect(others).toEqual(lines);
      return lines ?? [];
    };
    expect(await changed({ 'tool_authorization.enabled': false, 'modes.input_screen': 'monitor' })).toEqual([
      'Settings changed: tool_firewall enforces: it refuses calls with invalid arguments; the tool authorizer is not called, because tool_authorization.enabled is overridden with false. undefined',
      'Settings changed: input_screen is in monitor mode: it records findings and blocks nothing. undefined',
    ]);
    expect(await changed({ 'input_screen.refusal_message': 'No.' })).toEqual([]);
    expect(await changed({ 'input_screen.screen_tool_results': false })).toEqual([
      'Settings changed: input_screen is in monitor mode: it records findings and blocks nothing. input_screen.screen_tool_results is off. undefined',
    ]);
    // The log of the boot has its own lines.
    const third = recordWarnings();
    await bench(
      { 'tool_authorization.enabled': true },
      { stores, authorizer, diagnostics: third.diagnostics },
    );
    expect(third.warnings).toEqual([expect.stringMatching(/^tool_firewall enforces: .* is not called/)]);
  });

  it('are not replaced by an older revision that was read before a change', async () => {
    const stores = memoryStores();
    const setup = await bench({}, { stores });
    const other = await bench({}, { stores });
    const { settings } = setup.engine;
    for (let round = 1; round <= 10; round++) {
      const patterns = { own: `/round ${round}/i` };
      await other.engine.settings.update({ 'input_screen.patterns': patterns }, by('ops-2'));
      await Promise.all([
        settings.refresh(),
        settings.update({ 'retention.days': round }, by('ops-1')),
        settings.refresh(),
      ]);
      const now = settings.current();
      expect([now.revision, now.get('retention.days'), now.get('input_screen.patterns')]).toEqual([
        2 * round,
        round,
        patterns,
      ]);
    }
  });

  it('are in force when the change resolves, also if changes overlap', async () => {
    const { engine } = await bench();
    const changes = ['one', 'two', 'three'].map(async (name) => {
      const patterns = { own: `/${name}/i` };
      const { settings } = await engine.settings.update({ 'input_screen.patterns': patterns }, by('ops-1'));
      return engine.settings.current().revision >= settings.revision;
    });
    expect(await Promise.all(changes)).toEqual([true, true, true]);
    expect(engine.settings.current().revision).toBe(3);
    const { own } = engine.settings.current().get('input_screen.patterns') as { readonly own: string };
    expect((await engine.guardrails.screen(own.slice(1, -2))).ruleId).toBe('own');
  });

  it('accept nested and dotted keys, and refuse one key in both forms', async () => {
    const setup = await bench();
    const { changed } = await setup.engine.settings.update(
      { modes: { hitl: 'monitor' }, 'hitl.enabled': 'true', retention: { days: '30' } },
      by('ops-1'),
    );
    expect(changed).toEqual(['modes.hitl', 'hitl.enabled', 'retention.days']);
    const twice = { modes: { hitl: 'off' }, 'modes.hitl': 'enforce' };
    await expect(setup.engine.settings.update(twice, by('ops-1'))).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: { 'modes.hitl': [expect.stringContaining('twice')] },
    });
  });

  it('write and publish nothing without an effective change', async () => {
    const setup = await bench();
    const { changed, settings } = await setup.engine.settings.update(
      { 'modes.hitl': 'enforce' },
      by('ops-1'),
    );
    expect(changed).toEqual([]);
    expect(settings.overridden).toEqual([]);
    expect(settings.revision).toBe(0);
    expect(await changesOf(setup)).toEqual([]);
    expect(setup.log.events).toEqual([]);
  });

  it.each([
    [{ 'input_screen.refusal_message': 'a\u0000b\uD800' }],
    [{ 'tool_firewall.owner_keys': ['a\u0000b'] }],
    [{ 'input_screen.patterns': { mine: 'a\uD800b' } }],
    [{ 'retention.days': -0 }],
  ])('change nothing when the same value is set again: %j', async (value) => {
    const setup = await bench();
    expect((await setup.engine.settings.update(value, by('ops-1'))).changed).toHaveLength(1);
    const again = { ...value, ...('retention.days' in value && { 'retention.days': 0 }) };
    expect((await setup.engine.settings.update(again, by('ops-1'))).changed).toEqual([]);
    expect(setup.log.events).toHaveLength(1);
    expect(JSON.stringify(setup.log.events)).not.toMatch(/\\u0000|\\ud800/);
  });

  it('apply all values or none, and name every invalid field', async () => {
    const setup = await bench();
    const wrong = setup.engine.settings.update(
      { 'modes.hitl': 'off', 'retention.days': -1, 'hitl.fallback': 'maybe' },
      by('ops-1'),
    );
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: {
        'retention.days': [expect.any(String)],
        'hitl.fallback': [expect.stringContaining('declared, deny, pass')],
      },
    });
    expect(setup.engine.settings.current().mode('hitl').isOff()).toBe(true);
    expect(await changesOf(setup)).toEqual([]);
  });

  it.each([
    'enabled',
    'api.prefix',
    'hitl.token_secret',
    'audit.write_policy',
    'nonsense',
    'modes.nonsense',
    '__proto__',
  ])('refuse %s as not overridable', async (key) => {
    const setup = await bench();
    const input = JSON.parse(`{ ${JSON.stringify(key)}: true, "modes.hitl": "off" }`) as Record<
      string,
      unknown
    >;
    await expect(setup.engine.settings.update(input, by('ops-1'))).rejects.toMatchObject({
      code: 'not_overridable',
      fields: { [key]: [expect.any(String)] },
    });
    expect(setup.engine.settings.current().revision).toBe(0);
  });

  it('record patterns by rule, and name a rule that does not compile', async () => {
    const setup = await bench();
    await setup.engine.settings.update(
      { 'input_screen.patterns': { one: 'alpha', two: '/beta/' } },
      by('ops-1'),
    );
    await setup.engine.settings.update(
      { 'input_screen.patterns': { two: '/gamma/', three: 'delta' } },
      by('ops-2'),
    );
    expect((await changesOf(setup)).slice(0, 3)).toEqual([
      { key: 'input_screen.patterns.two', before: '/beta/', after: '/gamma/' },
      { key: 'input_screen.patterns.three', before: null, after: '/delta/i' },
      { key: 'input_screen.patterns.one', before: '/alpha/i', after: null },
    ]);
    const lookahead = setup.engine.settings.update(
      { 'input_screen.patterns': { bad: 'a(?=b)' } },
      by('ops-1'),
    );
    await expect(lookahead).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: { 'input_screen.patterns': [expect.stringContaining('rule bad')] },
    });
  });

  it('return to the configured value with null', async () => {
    const setup = await bench({ 'modes.hitl': 'monitor' });
    await setup.engine.settings.update({ 'modes.hitl': 'off' }, by('ops-1'));
    const { settings } = await setup.engine.settings.update({ 'modes.hitl': null }, by('ops-1'));
    expect(settings.get('modes.hitl')).toBe('monitor');
    expect(settings.overridden).toEqual([]);
  });

  it('remove an override by null where its value equals the configured one, without a record or event', async () => {
    const setup = await bench({ 'modes.hitl': 'off' });
    await setup.engine.settings.update({ 'modes.hitl': 'monitor' }, by('ops-1'));
    const other = await bench({ 'modes.hitl': 'monitor' }, { stores: setup.stores });
    const { changed, settings } = await other.engine.settings.update({ 'modes.hitl': null }, by('ops-2'));
    expect(changed).toEqual([]);
    expect([settings.overridden, settings.get('modes.hitl'), settings.revision]).toEqual([[], 'monitor', 2]);
    expect((await setup.stores.settings.read()).values.size).toBe(0);
    expect([(await changesOf(setup)).length, other.log.events]).toEqual([1, []]);
    await setup.engine.settings.refresh();
    expect(setup.engine.settings.current().get('modes.hitl')).toBe('off');
  });

  it('remove such an override together with other changes, and record only those', async () => {
    const setup = await bench();
    await setup.engine.settings.update({ 'retention.days': 30, 'modes.hitl': 'off' }, by('ops-1'));
    const other = await bench({ 'retention.days': 30 }, { stores: setup.stores });
    const input = { 'retention.days': null, 'modes.hitl': 'monitor' };
    const { changed, settings } = await other.engine.settings.update(input, by('ops-2'));
    expect([changed, settings.overridden]).toEqual([['modes.hitl'], ['modes.hitl']]);
    expect((await changesOf(setup))[0]).toEqual({ key: 'modes.hitl', before: 'off', after: 'monitor' });
    expect(other.log.events).toHaveLength(1);
  });

  it('write nothing by null where there is no override', async () => {
    const setup = await bench();
    const { changed, settings } = await setup.engine.settings.update({ 'modes.hitl': null }, by('ops-1'));
    expect([changed, settings.revision, await changesOf(setup)]).toEqual([[], 0, []]);
  });

  it('refuse to hash prompts without a key, and accept it with one', async () => {
    const keyless = await bench();
    const hash = { 'audit_hygiene.prompt_storage': 'hash' };
    await expect(keyless.engine.settings.update(hash, by('ops-1'))).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: { 'audit_hygiene.prompt_storage': [expect.stringContaining('hash_key')] },
    });
    const keyed = await bench({ 'audit_hygiene.hash_key': 'a hash key of at least thirty-two bytes' });
    await keyed.engine.settings.update(hash, by('ops-1'));
    const { auditId } = await keyed.engine.guardrails.screen('hello');
    expect((await keyed.stores.audit.find(auditId!))?.prompt).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });

  it('refuse retention.days below the minimum of the deployer, and ignore a stored one', async () => {
    const setup = await bench();
    await setup.engine.settings.update({ 'retention.days': 30 }, by('ops-1'));
    const strict = await bench({ 'retention.minimum_days': 183 }, { stores: setup.stores });
    expect(strict.engine.settings.current().get('retention.days')).toBe(365);
    await expect(strict.engine.settings.update({ 'retention.days': 182 }, by('ops-1'))).rejects.toMatchObject(
      {
        code: 'invalid_settings',
        fields: { 'retention.days': ['must be at least retention.minimum_days, which is 183'] },
      },
    );
    await strict.engine.settings.update({ 'retention.days': 183 }, by('ops-1'));
    await expect(
      strict.engine.settings.update({ 'retention.minimum_days': 0 }, by('ops-1')),
    ).rejects.toMatchObject({ code: 'not_overridable' });
    await expect(bench({ 'retention.minimum_days': 366 })).rejects.toThrow(
      /retention\.days is 365, and must be at least retention\.minimum_days, which is 366/,
    );
  });

  it('honour If-Match', async () => {
    const setup = await bench();
    const etag = setup.engine.settings.etag();
    await setup.engine.settings.update({ 'modes.hitl': 'off' }, by('ops-1', etag));
    const stale = setup.engine.settings.update({ 'modes.hitl': 'enforce' }, by('ops-2', etag));
    await expect(stale).rejects.toMatchObject({ code: 'stale_settings' });
    expect(setup.engine.settings.current().get('modes.hitl')).toBe('off');
    await setup.engine.settings.update(
      { 'modes.hitl': 'enforce' },
      by('ops-2', `"other", ${setup.engine.settings.etag()}`),
    );
    await setup.engine.settings.update({ 'modes.hitl': 'monitor' }, by('ops-2', '*'));
    const weak = setup.engine.settings.update(
      { 'modes.hitl': 'off' },
      by('ops-2', `W/${setup.engine.settings.etag()}`),
    );
    await expect(weak).rejects.toMatchObject({ code: 'stale_settings' });
  });

  it('change the ruleset version at once, and return it when reverted', async () => {
    const setup = await bench();
    const version = async (): Promise<string> => (await setup.engine.overview.read()).rulesetVersion;
    const before = await version();
    expect(before).toMatch(/^[\w.-]+-[0-9a-f]{12}$/);
    await setup.engine.settings.update({ 'input_screen.patterns': { mine: 'pineapple' } }, by('ops-1'));
    expect(await version()).not.toBe(before);
    expect(await setup.engine.guardrails.screen('a pineapple')).toMatchObject({
      blocked: true,
      ruleId: 'mine',
    });
    await setup.engine.settings.update({ 'input_screen.patterns': null }, by('ops-1'));
    expect(await version()).toBe(before);
    expect(await setup.engine.guardrails.screen('a pineapple')).toMatchObject({ blocked: false });
  });

  it('read the former name of a threshold of the classifier, and keep its stored mode', async () => {
    const { stores } = await bench();
    const read = async (overrides: Record<string, unknown>) => {
      await stores.settings.apply(() => settingsPlan({ overrides }));
      return (await bench({}, { stores })).engine.settings.current();
    };
    const threshold = 'input_screen.classifier_threshold';
    const line = async (overrides: Record<string, unknown>) => (await read(overrides)).line('input_screen');
    for (const [former, name] of Object.entries({ '0.1%': 'high', '0.5%': 'medium', '1%': 'low' }))
      expect((await read({ [threshold]: former })).get(threshold)).toBe(name);
    expect(await line({})).toContain('The classifier blocks prompts by default');
    expect(await line({ 'input_screen.rule_modes': { classifier: 'monitor' } })).not.toContain('classifier');
  });

  it('ignore a stored override that no longer passes the schema, and log it', async () => {
    const setup = await bench();
    await setup.stores.settings.apply(() => ({
      overrides: new Map<string, unknown>([
        ['modes.hitl', 'sideways'],
        ['modes.input_screen', 'monitor'],
        ['api.enabled', true],
      ]),
      changes: [],
      actorId: 'ops-1',
      requestId: null,
      occurredAt: new Date(0),
      outgoing: [],
    }));
    const warnings: unknown[] = [];
    const second = await bench(
      {},
      { stores: setup.stores, diagnostics: { warn: (_message, facts) => void warnings.push(facts) } },
    );
    expect(second.engine.settings.current().overridden).toEqual(['modes.input_screen']);
    expect(second.engine.settings.current().get('modes.hitl')).toBe('enforce');
    expect(warnings).toEqual([{ keys: ['modes.hitl', 'api.enabled'] }]);
  });

  it('reach another instance when it refreshes; the change records replay to them', async () => {
    const setup = await bench();
    const other = await bench({}, { stores: setup.stores });
    const change = fc.record({
      first: fc.boolean(),
      value: fc.oneof(
        fc.record({ 'modes.hitl': fc.constantFrom('enforce', 'monitor', 'off', null) }),
        fc.record({ 'retention.days': fc.constantFrom(1, 2, 3, null) }),
        fc.record({
          'input_screen.patterns': fc.dictionary(
            fc.constantFrom('one', 'two'),
            fc.constantFrom('alpha', 'beta'),
          ),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
        await Promise.all(
          changes.map(({ first, value }) =>
            (first ? setup : other).engine.settings.update(value, by(first ? 'ops-1' : 'ops-2')),
          ),
        );
        await setup.engine.settings.refresh();
        await other.engine.settings.refresh();
        expect(other.engine.settings.etag()).toBe(setup.engine.settings.etag());
      }),
      { numRuns: 15 },
    );
    const log = [...(await setup.stores.settings.changes({}, { limit: 10_000 })).entries].toReversed();
    const replayed = new Map<string, unknown>();
    for (const { key, before, after } of log) {
      if (replayed.has(key)) expect(replayed.get(key)).toEqual(before);
      replayed.set(key, after);
    }
    const final = setup.engine.settings.current();
    expect(replayed.get('modes.hitl') ?? 'enforce').toBe(final.get('modes.hitl'));
    expect(replayed.get('retention.days') ?? 365).toBe(final.get('retention.days'));
  });
});

describe('exceptions', () => {
  const excepting = (ends_at: string, phrase = 'quoted in our manual') => ({
    rule_id: 'tool_abuse.shell_command',
    phrase,
    reason: 'The manual quotes it.',
    ends_at,
  });

  it('end in the future, at most 90 days ahead, and hold no secret and no personal data', async () => {
    const clock = new SetClock();
    clock.set('2026-03-31T12:00:00.000Z');
    const { engine } = await bench({}, { clock });
    const put = (...exceptions: readonly object[]) =>
      engine.settings.update({ 'input_screen.exceptions': exceptions }, by('ops-1'));
    await expect(
      put(
        excepting('2026-03-31T12:00:00.001Z'),
        excepting('2026-03-31T12:00:00.000Z'),
        excepting('2026-06-29T12:00:00.000Z'),
        excepting('2026-06-29T12:00:00.001Z'),
        excepting('2026-04-01T00:00:00.000Z', 'write to ada@example.com'),
        excepting('2026-04-01T00:00:00.000Z', 'the key AKIAIOSFODNN7EXAMPLE'),
      ),
    ).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: {
        'input_screen.exceptions': [
          'entry 1: ends_at must be in the future',
          'entry 3: ends_at must be at most 90 days ahead',
          expect.stringMatching(/^entry 4: phrase contains a secret or personal data/),
          expect.stringMatching(/^entry 5: phrase contains a secret or personal data/),
        ],
      },
    });
    const [short, long] = [excepting('2026-04-01T00:00:00.000Z'), excepting('2026-06-01T00:00:00.000Z')];
    await put(short, long);
    clock.set('2026-04-02T00:00:00.000Z');
    // An entry that has ended may stay, but not change.
    const { changed } = await put(long, short);
    expect(changed).toEqual(['input_screen.exceptions']);
    await expect(put(long, { ...short, reason: 'Another reason.' })).rejects.toMatchObject({
      fields: { 'input_screen.exceptions': ['entry 1: ends_at must be in the future'] },
    });
    await put(long);
    await expect(put(long, short)).rejects.toMatchObject({ code: 'invalid_settings' });
  });

  it('refuse boot where configured ones end too late, and not where they have ended', async () => {
    const clock = new SetClock();
    clock.set('2026-03-31T12:00:00.000Z');
    const start = (ends_at: string) => bench({ 'input_screen.exceptions': [excepting(ends_at)] }, { clock });
    await start('2026-01-01T00:00:00.000Z');
    await expect(start('2027-01-01T00:00:00.000Z')).rejects.toThrow(
      /input_screen.exceptions entry 0: ends_at must be at most 90 days ahead/,
    );
  });
});
