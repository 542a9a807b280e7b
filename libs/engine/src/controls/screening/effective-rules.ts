import type { ModeName } from '#contracts/common/control-mode.js';
import {
  CONFIDENCES,
  PROFILES,
  type RetiredRule,
  type RuleSource,
  type ScreeningRule,
} from '#contracts/screening/screening.js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import type { Settings } from '#contracts/settings/settings.js';
import { closestName } from '#contracts/common/text.js';
import { BUILT_IN_RULES } from './rules/built-in-rules.js';
import { RETIRED_RULES } from './rules/retired-rules.data.js';

/** A rule of a settings snapshot: built-in, or from `input_screen.patterns`. */
export interface EffectiveRule extends ScreeningRule {
  readonly source: RuleSource;
}

/** A rule or a screener. */
type Control = Partial<ScreeningRule> & { readonly id: string };

const BUILT_IN: readonly EffectiveRule[] = BUILT_IN_RULES.map((rule) => ({
  ...rule,
  pattern: canonicalPattern(rule.pattern),
  source: 'built_in',
}));

/**
 * The built-in rules in their order, then the rules that settings add, by id. A pattern with the id of a group replaces
 * its rules, except those with a pattern of their own, and takes the place of the first.
 */
export function effectiveRules(settings: Settings): readonly EffectiveRule[] {
  const own = new Map(Object.entries(settings.get('input_screen.patterns')));
  if (own.size === 0) return BUILT_IN;
  const isAdded = new Set(own.keys());
  const builtIn = BUILT_IN.flatMap((rule) => {
    const { id, group = id } = rule;
    const [replacement, ofGroup] = [own.get(id), own.get(group)];
    const replacements: EffectiveRule[] = [];
    if (ofGroup !== undefined && group !== id && isAdded.delete(group))
      replacements.push(replaced(rule, group, ofGroup));
    if (replacement !== undefined) {
      isAdded.delete(id);
      replacements.push(replaced(rule, id, replacement));
    } else if (ofGroup === undefined) replacements.push(rule);
    return replacements;
  });
  const added = [...isAdded].toSorted().map((id) => ({
    id,
    pattern: canonicalPattern(own.get(id) ?? ''),
    description: 'Custom rule.',
    severity: 'high' as const,
    tags: [],
    source: 'settings' as const,
  }));
  return [...builtIn, ...added];
}

/** The explanation of a pattern does not apply to its replacement. */
function replaced(rule: EffectiveRule, id: string, pattern: string): EffectiveRule {
  const { rationale: _rationale, examples: _examples, nearMisses: _nearMisses, ...facts } = rule;
  return { ...facts, id, pattern: canonicalPattern(pattern), source: 'settings' };
}

/** `rule_modes` takes precedence over the profile, and the mode of a rule over that of its group. */
export function ownModeName(rule: Control, settings: Settings): ModeName {
  const explicit = explicitMode(rule, settings);
  if (explicit !== undefined) return explicit;
  if (rule.mode !== undefined) return rule.mode;
  const { confidence = 'high' } = rule;
  const mayBlock = CONFIDENCES.indexOf(confidence) <= PROFILES.indexOf(settings.get('input_screen.profile'));
  return mayBlock ? 'enforce' : 'monitor';
}

const RETIRED: readonly string[] = RETIRED_RULES.trim().split('\n');

/** The ids of removed rules and groups, and what a snapshot still says about them. */
export function retiredRules(settings: Settings): readonly RetiredRule[] {
  const modes = settings.get('input_screen.rule_modes');
  const excepted = settings.get('input_screen.exceptions');
  const ownPatterns = settings.get('input_screen.patterns');
  return RETIRED.filter((id) => !Object.hasOwn(ownPatterns, id)).map((id) => ({
    id,
    mode: (Object.hasOwn(modes, id) && modes[id]) || null,
    exceptions: excepted.filter(({ rule_id }) => rule_id === id).length,
  }));
}

/** Warns of names in `rule_modes` and exceptions that no rule, group or screener has, or has anymore. */
export function entriesWithoutEffect(settings: Settings, screenerIds: readonly string[]): readonly string[] {
  const named = {
    'input_screen.rule_modes': Object.keys(settings.get('input_screen.rule_modes')),
    'input_screen.exceptions': settings.get('input_screen.exceptions').map(({ rule_id }) => rule_id),
  };
  if (Object.values(named).every(({ length }) => length === 0)) return [];
  const rules = effectiveRules(settings);
  const ids = new Set([...rules.flatMap(({ id, group = id }) => [group, id]), ...screenerIds]);
  return Object.entries(named).flatMap(([key, names]) => {
    const unknown = [...new Set(names)].filter((name) => !ids.has(name));
    const retired = unknown.filter((name) => RETIRED.includes(name));
    const others = unknown.filter((name) => !retired.includes(name));
    return [
      ...(retired.length === 0
        ? []
        : [`${key} names retired rules, which have no effect: ${listed(retired)}.`]),
      ...(others.length === 0
        ? []
        : [
            `${key} has entries without effect, because no rule, group or screener has the id ${listed(others, ids)}.`,
          ]),
    ];
  });
}

const MAX_NAMED = 5;

/** @param ids for a suggestion of the id that was meant */
function listed(names: readonly string[], ids: ReadonlySet<string> = new Set()) {
  const shown = names.slice(0, MAX_NAMED).map((name) => {
    const closest = closestName(name, ids);
    return closest === null ? `"${name}"` : `"${name}" (did you mean "${closest}"?)`;
  });
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** The mode in `rule_modes` of the rule, or else of its group. */
export function explicitMode({ id, group = id }: Control, settings: Settings): ModeName | undefined {
  const modes = settings.get('input_screen.rule_modes');
  const named = [id, group].find((name) => Object.hasOwn(modes, name));
  return named === undefined ? undefined : (modes[named] ?? 'enforce');
}
