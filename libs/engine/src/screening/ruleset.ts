import { createHash } from 'node:crypto';
import { ControlMode } from '../../../contracts/src/control-mode.js';
import type { RuleInForce, RuleSource, Screener, ScreeningRule } from '../../../contracts/src/screening.js';
import { SETTING_KEYS } from '../../../contracts/src/settings/settings.schema.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { canonicalPattern } from '../../../contracts/src/settings/rule-kinds.js';
import { LinearRegex, type CompileOptions } from '../patterns/linear-regex.js';
import { PatternError } from '../patterns/linear-syntax.js';
import { PatternSet } from '../patterns/pattern-set.js';
import { BUILT_IN_RULES } from './rules/built-in-rules.js';

/** A rule that takes part. */
interface EffectiveRule extends ScreeningRule {
  readonly source: RuleSource;
  /** A rule that does not compile can never say no: it counts as could-not-judge. */
  readonly regex: LinearRegex | PatternError;
}

/** What automata learn from it they need not learn while a caller waits. */
const NEUTRAL =
  'could you please tell me what the opening hours of your shop are, and whether i can return a coat that i ' +
  'bought there last week? it is a little too small. i have the receipt, number 4711, and paid by card; thanks!';

/** The rules that one snapshot of the settings comes to, in the order in which they are asked. */
export class Ruleset {
  /** The rules that can say yes or no, in order: neither silenced nor broken. */
  readonly active: readonly EffectiveRule[];
  /** The patterns of `asked`, in the same order. */
  readonly patterns: PatternSet;
  /** Rules that can never say no. */
  readonly broken: readonly EffectiveRule[];

  private constructor(
    /** Built-in packs in shipped order, then the operator's own by id. A silenced rule is among them: ask `isSilenced`. */
    readonly rules: readonly EffectiveRule[],
    readonly screeners: readonly Screener[],
    /** `builtin-<digest>`: changes with anything that can change a judgement, and returns when that returns. */
    readonly version: string,
    private readonly settings: Settings,
  ) {
    const unsilenced = rules.filter((rule) => !this.isSilenced(rule));
    this.active = unsilenced.filter(({ regex }) => regex instanceof LinearRegex);
    this.broken = unsilenced.filter(({ regex }) => regex instanceof PatternError);
    this.patterns = PatternSet.of(
      rules.flatMap((rule) =>
        rule.regex instanceof LinearRegex && !this.isSilenced(rule) ? [rule.regex] : [],
      ),
    );
  }

  static from(settings: Settings, screeners: readonly Screener[]): Ruleset {
    const ignoreCase = settings.get('normalization.enabled') && settings.get('normalization.casefold');
    const rules = effectiveRules(settings).map((rule) => ({
      ...rule,
      regex: compiledPatterns.get(rule.pattern, { ignoreCase }),
    }));
    for (const { regex, source } of rules) {
      if (source === 'built_in' && regex instanceof LinearRegex) regex.spans(NEUTRAL);
    }
    const version = `builtin-${digest(rules, screeners, settings)}`;
    return new Ruleset(rules, screeners, version, settings);
  }

  inForce(): readonly RuleInForce[] {
    return this.rules.map((rule) => {
      const { id, pattern, description, severity, tags, source } = rule;
      return { id, pattern, description, severity, tags, source, mode: this.modeOf(rule) };
    });
  }

  isSilenced(rule: ScreeningRule | Screener): boolean {
    return this.ownMode(rule)?.isOff() === true;
  }

  /** The weaker of the control's mode and the rule's own: a rule can step back alone, never step ahead. */
  modeOf(rule: ScreeningRule | Screener): ControlMode {
    const control = this.settings.mode('input_screen');
    const own = this.ownMode(rule) ?? control;
    if (control.isOff() || own.isOff()) return ControlMode.off;
    return control.enforces() ? own : control;
  }

  private ownMode(rule: ScreeningRule | Screener): ControlMode | undefined {
    const name = ownModeName(rule, this.settings);
    return name === undefined ? undefined : ControlMode.named(name);
  }
}

/**
 * What the patterns of an operator may cost together, in instructions of the linear engine: bounds the memory
 * that they keep, and the time for which a change of settings holds everything else up.
 */
const MAX_COST = 300_000;

/** Rule id → why its pattern cannot run, for those that cannot. */
export function patternErrors(patterns: Readonly<Record<string, string>>): Record<string, string> {
  const errors: Record<string, string> = {};
  let cost = 0;
  for (const [id, pattern] of Object.entries(patterns)) {
    const compiled = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiledPatterns.get(canonicalPattern(pattern));
    if (compiled instanceof LinearRegex) cost += compiled.cost;
    const error = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiled;
    if (error instanceof PatternError) errors[id] = error.message;
  }
  return errors;
}

const TOO_LARGE_TOGETHER = new PatternError(
  'is too large for the linear engine together with the patterns before it',
);

function effectiveRules(settings: Settings): readonly Omit<EffectiveRule, 'regex'>[] {
  const own = new Map(Object.entries(settings.get('input_screen.patterns')));
  const builtIn = BUILT_IN_RULES.map((rule) => {
    const replacement = own.get(rule.id);
    own.delete(rule.id);
    return replacement === undefined
      ? { ...rule, pattern: canonicalPattern(rule.pattern), source: 'built_in' as const }
      : { ...rule, pattern: canonicalPattern(replacement), source: 'settings' as const };
  });
  const added = [...own.keys()].toSorted().map((id) => ({
    id,
    pattern: canonicalPattern(own.get(id) ?? ''),
    description: 'A rule of the operator.',
    severity: 'high' as const,
    tags: [],
    source: 'settings' as const,
  }));
  return [...builtIn, ...added];
}

function ownModeName(rule: ScreeningRule | Screener, settings: Settings) {
  const modes = settings.get('input_screen.rule_modes');
  if (Object.hasOwn(modes, rule.id)) return modes[rule.id];
  return 'mode' in rule ? rule.mode : undefined;
}

const MATCH_SETTINGS = SETTING_KEYS.filter(
  (key) => key.startsWith('normalization.') || key.startsWith('pattern_safety.'),
);

function digest(rules: readonly ScreeningRule[], screeners: readonly Screener[], settings: Settings): string {
  const mode = (rule: ScreeningRule | Screener): string => ownModeName(rule, settings) ?? 'inherit';
  const judged = [
    rules.map((rule) => [rule.id, rule.pattern, mode(rule)]),
    screeners.map((screener) => [screener.id, mode(screener)]),
    MATCH_SETTINGS.map((key) => [key, settings.get(key)]),
  ];
  return createHash('sha256').update(JSON.stringify(judged)).digest('hex').slice(0, 12);
}

/** A thousand of an operator's own patterns and the built-in ones, twice over: before and after a change. */
const MAX_REMEMBERED = 4096;

const IGNORES_CASE = /\/[a-z]*i[a-z]*$/;

/** Compiles a pattern once, so that a change to one rule costs one rule. */
class CompiledPatterns {
  private readonly known = new Map<string, LinearRegex | PatternError>();

  /** Answers an error instead of throwing it: one broken rule must not take the others down. */
  get(pattern: string, options: CompileOptions = {}): LinearRegex | PatternError {
    const ignoreCase = options.ignoreCase === true || IGNORES_CASE.test(pattern);
    const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const compiled = attempt(pattern, options);
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.set(key, compiled);
    return compiled;
  }
}

function attempt(pattern: string, options: CompileOptions): LinearRegex | PatternError {
  try {
    return LinearRegex.compile(pattern, options);
  } catch (error) {
    return error instanceof PatternError ? error : new PatternError('cannot be compiled');
  }
}

const compiledPatterns = new CompiledPatterns();
