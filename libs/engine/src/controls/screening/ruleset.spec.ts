import { describe, expect, it } from '@jest/globals';
import type { ModeName } from '#contracts/common/control-mode.js';
import { Screener } from '#contracts/screening/screening.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import { BUILT_IN_RULES, ruleIdsOf } from './rules/built-in-rules.js';
import { patternErrors } from './compiled-patterns.js';
import { Ruleset } from './ruleset.js';

const NOW = new Date('2026-03-31T12:00:00.000Z');
const settings = (values: Partial<SettingValues> = {}) => new Settings({ ...DEFAULT_SETTINGS, ...values });
const ownCopyOf = (rule = BUILT_IN_RULES[0]) =>
  rule === undefined ? {} : { [rule.id]: canonicalPattern(rule.pattern) };
const version = (values: Partial<SettingValues> = {}) => Ruleset.from(settings(values), [], NOW).version;

class Quiet extends Screener {
  readonly id = 'host.quiet';

  screen() {
    return [];
  }
}

describe('Ruleset', () => {
  it('orders the built-in rules first, then the custom rules by id', () => {
    const { rules } = Ruleset.from(
      settings({ 'input_screen.patterns': { zebra: '/z/i', apple: '/a/i' } }),
      [],
      NOW,
    );
    expect(rules.map(({ id }) => id)).toEqual([...BUILT_IN_RULES.map(({ id }) => id), 'apple', 'zebra']);
  });

  it('keeps the position of a built-in rule that is replaced', () => {
    const second = BUILT_IN_RULES[1]?.id ?? '';
    const { rules } = Ruleset.from(settings({ 'input_screen.patterns': { [second]: '/mine/i' } }), [], NOW);
    expect(rules).toHaveLength(BUILT_IN_RULES.length);
    expect(rules[1]).toMatchObject({ id: second, pattern: '/mine/i', source: 'settings' });
  });

  it('has a version of twelve hex digits', () => {
    expect(version()).toMatch(/^builtin-[0-9a-f]{12}$/);
  });

  it('covers the exceptions that are in force', () => {
    const exception = { rule_id: 'mine', phrase: 'a harmless phrase', reason: 'quoted in the manual' };
    const at = (now: string, ...ends: readonly string[]) => {
      const exceptions = ends.map((end) => ({ ...exception, ends_at: `2026-04-${end}T00:00:00.000Z` }));
      return Ruleset.from(settings({ 'input_screen.exceptions': exceptions }), [], new Date(now)).version;
    };
    const before = at('2026-04-01T00:00:00Z', '02');
    expect(before).not.toBe(version());
    expect(at('2026-04-01T23:59:59.999Z', '02')).toBe(before);
    expect(at('2026-04-02T00:00:00.000Z', '02')).toBe(version());
    expect(at('2026-04-02T00:00:00.000Z', '02', '03')).toBe(before);
  });

  it.each<[string, Partial<SettingValues>]>([
    ['a pattern added', { 'input_screen.patterns': { mine: '/x/i' } }],
    ['a rule silenced', { 'input_screen.rule_modes': { 'tool_abuse.shell_command.run': 'off' } }],
    ['a rule observing', { 'input_screen.rule_modes': { 'tool_abuse.shell_command': 'monitor' } }],
    ['a normalization step disabled', { 'normalization.casefold': false }],
    ['a view disabled', { 'normalization.decode_views': [] }],
    ['another limit', { 'normalization.max_prompt_length': 10 }],
    ['another error policy', { 'pattern_safety.on_match_error': 'open' }],
    [
      'an explicit mode that equals the default',
      { 'input_screen.rule_modes': { 'instruction_override.ignore_previous.ignore': 'enforce' } },
    ],
    ['a pattern that equals the built-in one', { 'input_screen.patterns': ownCopyOf(BUILT_IN_RULES[0]) }],
  ])('changes its version with %s and restores it when the change is undone', (_, values) => {
    expect(version(values)).not.toBe(version());
    expect(version(values)).toBe(version(values));
    expect(version()).toBe(Ruleset.from(settings(), [], NOW).version);
  });

  it('keeps its version if no setting of the rules changes', () => {
    expect(version({ 'input_screen.refusal_message': 'No.' })).toBe(version());
    expect(version({ 'retention.days': 1 })).toBe(version());
  });

  it('changes its version with a screener of the host', () => {
    expect(Ruleset.from(settings(), [new Quiet()], NOW).version).not.toBe(version());
  });
});

describe('a group of rules', () => {
  const GROUP = 'instruction_override.ignore_previous';
  const ids = ruleIdsOf(GROUP).slice(1);
  const [first = '', second = ''] = ids;
  const rulesUnder = (values: Partial<SettingValues>) =>
    Ruleset.from(settings(values), [], NOW).describeRules();
  const ofGroup = (values: Partial<SettingValues>) =>
    rulesUnder(values).filter(({ group }) => group === GROUP);

  it('passes its mode to its rules, of which one may have its own', () => {
    const modes: Record<string, ModeName> = { [GROUP]: 'off', [second]: 'monitor' };
    const shown = ofGroup({ 'input_screen.rule_modes': modes });
    expect(shown.map(({ id }) => id)).toEqual(ids);
    expect(shown.map(({ id, mode }) => [id, mode.name])).toEqual(
      ids.map((id) => [id, id === second ? 'monitor' : 'off']),
    );
  });

  it('is replaced by one rule with its id, at the place of its first rule', () => {
    const shown = rulesUnder({ 'input_screen.patterns': { [GROUP]: '/mine/i' } });
    expect(shown[0]).toMatchObject({
      id: GROUP,
      group: GROUP,
      pattern: '/mine/i',
      source: 'settings',
      examples: [],
    });
    expect(shown).toHaveLength(BUILT_IN_RULES.length - ids.length + 1);
    expect(shown.filter(({ id }) => id === GROUP || ids.includes(id))).toHaveLength(1);
  });

  it('keeps a rule that has a replacement when its group is replaced', () => {
    const patterns = { [GROUP]: '/mine/i', [second]: '/other/i' };
    expect(ofGroup({ 'input_screen.patterns': patterns }).map(({ id, pattern }) => [id, pattern])).toEqual([
      [GROUP, '/mine/i'],
      [second, '/other/i'],
    ]);
  });

  it('passes its mode to the rule that replaces it', () => {
    const replaced = { 'input_screen.patterns': { [GROUP]: '/mine/i' } };
    const [rule] = ofGroup({ ...replaced, 'input_screen.rule_modes': { [GROUP]: 'monitor' } });
    expect(rule?.mode.name).toBe('monitor');
  });

  it('lists its rules, and a custom rule as a group with one rule', () => {
    const groups = Ruleset.from(
      settings({ 'input_screen.patterns': { mine: '/x/i' } }),
      [],
      NOW,
    ).describeGroups();
    expect(groups.find(({ id }) => id === GROUP)).toEqual({
      id: GROUP,
      description: 'Asks to ignore the previous instructions.',
      ruleIds: ids,
      recordedIds: [GROUP, ...ids],
    });
    expect(groups.at(-1)).toEqual({
      id: 'mine',
      description: 'Custom rule.',
      ruleIds: ['mine'],
      recordedIds: ['mine'],
    });
    expect(ruleIdsOf(first)).toEqual([first]);
    expect(ruleIdsOf('mine')).toEqual(['mine']);
  });
});

describe('the effective mode of a rule', () => {
  const rule = { id: 'r', pattern: '/x/', description: '', severity: 'low', tags: [] } as const;
  it.each([
    ['enforce', undefined, 'enforce'],
    ['enforce', 'monitor', 'monitor'],
    ['monitor', 'enforce', 'monitor'],
    ['monitor', undefined, 'monitor'],
    ['enforce', 'off', 'off'],
    ['off', 'enforce', 'off'],
  ] as const)('combines the control mode %s and the rule mode %s to %s', (control, own, expected) => {
    const modes: Record<string, ModeName> = own === undefined ? {} : { r: own };
    const ruleset = Ruleset.from(
      settings({ 'modes.input_screen': control, 'input_screen.rule_modes': modes }),
      [],
      NOW,
    );
    expect(ruleset.modeOf(rule, 'prompt').name).toBe(expected);
  });

  it.each([
    ['prompt', 'enforce'],
    ['document', 'monitor'],
    ['tool_result', 'off'],
  ] as const)('becomes, for the origin %s in origin_modes, %s', (origin, expected) => {
    const modes = { document: 'monitor', tool_result: 'off' } as const;
    const weakened = Ruleset.from(settings({ 'input_screen.origin_modes': modes }), [], NOW);
    expect(weakened.modeOf(rule, origin).name).toBe(expected);
  });

  it('is not strengthened by origin_modes', () => {
    const ruleset = Ruleset.from(
      settings({ 'modes.input_screen': 'monitor', 'input_screen.origin_modes': { prompt: 'enforce' } }),
      [],
      NOW,
    );
    expect(ruleset.modeOf(rule, 'prompt').name).toBe('monitor');
  });

  it.each([
    ['lenient', 'high', 'enforce'],
    ['lenient', 'medium', 'monitor'],
    ['balanced', 'medium', 'enforce'],
    ['balanced', 'low', 'monitor'],
    ['strict', 'low', 'enforce'],
  ] as const)('combines the profile %s and %s confidence to %s', (profile, confidence, expected) => {
    const ruleset = Ruleset.from(settings({ 'input_screen.profile': profile }), [], NOW);
    expect(ruleset.modeOf({ ...rule, confidence }, 'prompt').name).toBe(expected);
  });

  it('can be set by the rule and overridden by the settings', () => {
    const observing = { ...rule, mode: 'monitor' } as const;
    expect(Ruleset.from(settings(), [], NOW).modeOf(observing, 'prompt').name).toBe('monitor');
    const ruleset = Ruleset.from(settings({ 'input_screen.rule_modes': { r: 'enforce' } }), [], NOW);
    expect(ruleset.modeOf(observing, 'prompt').name).toBe('enforce');
  });
});

describe('compiling a ruleset', () => {
  it('pauses after every rule, so that a large set does not block the process', () => {
    const patterns = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`own.${index}`, `/word${index} (?:and|or) more/i`]),
    );
    const pauses = { compiling: 0, preparing: 0 };
    const compiling = Ruleset.compile(settings({ 'input_screen.patterns': patterns }), [], NOW);
    let step = compiling.next();
    for (; step.done !== true; step = compiling.next()) pauses.compiling += 1;
    for (const _ of step.value.prepare()) pauses.preparing += 1;
    const { length } = step.value.rules;
    expect(pauses.compiling).toBeGreaterThanOrEqual(length);
    expect(pauses.preparing).toBeGreaterThanOrEqual(length);
  });
});

describe('compiled patterns', () => {
  it('are kept for a full set of long patterns', () => {
    const long = (index: number): string => `/word${index}[${'abcdefghij'.repeat(190)}]/i`;
    const patterns = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`own.${index}`, long(index)]),
    );
    expect(patternErrors(patterns)).toEqual({});
    const chosen = settings({ 'input_screen.patterns': patterns });
    const [first, second] = [Ruleset.from(chosen, [], NOW), Ruleset.from(chosen, [], NOW)];
    const compiledAgain = second.rules.filter(({ regex }, index) => regex !== first.rules[index]?.regex);
    expect(compiledAgain.map(({ id }) => id)).toEqual([]);
  });
});

describe('patternErrors', () => {
  it('returns the reason for each rule that cannot run', () => {
    expect(
      patternErrors({ fine: '/a/i', bare: 'b', ahead: '/a(?=b)/', empty: '/a*/', broken: '/(/' }),
    ).toEqual({
      ahead: 'uses a look-ahead, which the linear engine does not support',
      empty: 'matches the empty text',
      broken: 'does not parse: unterminated group',
    });
  });
});

const many = (pattern: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`rule${index}`, pattern(index)]));

describe('custom patterns', () => {
  it('can be a thousand ordinary ones', () => {
    expect(
      patternErrors(
        many((index) => String.raw`\b(?:project|plan) ${index}\b[^.]{0,40}(?:secret|confidential)`),
      ),
    ).toEqual({});
  });

  it('are rejected beyond a total size, which limits the time of a settings change', () => {
    const errors = patternErrors(many((index) => String.raw`(?:a${index}[b-d]{1,400}){2}`));
    expect(errors['rule0']).toBeUndefined();
    expect(errors['rule999']).toBe('makes the custom patterns exceed their total size limit');
  });
});
