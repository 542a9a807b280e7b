import { createHash } from 'node:crypto';
import { ControlMode } from '#contracts/control-mode.js';
import type { RuleInForce, RuleSource, Screener, ScreeningRule } from '#contracts/screening.js';
import { SETTING_KEYS } from '#contracts/settings/settings.schema.js';
import type { Settings } from '#contracts/settings/settings.js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import { LinearRegex, type CompileOptions } from '../patterns/linear-regex.js';
import { PatternError } from '../patterns/linear-syntax.js';
import { PatternSet } from '../patterns/pattern-set.js';
import { runToEnd, type Resumable } from '../resumable.js';
import { ExceptionsInForce } from './exceptions.js';
import { BUILT_IN_RULES } from './rules/built-in-rules.js';
import { REQUIRED_LITERALS } from './rules/required-literals.data.js';
import { Vocabulary } from './vocabulary.js';

/** A rule with its compiled pattern. */
interface EffectiveRule extends ScreeningRule {
  readonly source: RuleSource;
  /** A text cannot be judged while the pattern of a rule does not compile. */
  readonly regex: LinearRegex | PatternError;
}

/** The rules of a settings snapshot in the order of evaluation, until an exception ends. */
export class Ruleset {
  /** The rules that are neither off nor broken, in order. */
  readonly active: readonly EffectiveRule[];
  /** The patterns of `active`, in the same order. */
  readonly patterns: PatternSet;
  /** Rules whose pattern does not compile. */
  readonly broken: readonly EffectiveRule[];

  private words: Vocabulary | null = null;

  private constructor(
    /** Built-in rules in their order, then custom rules by id, including rules that are off. */
    readonly rules: readonly EffectiveRule[],
    readonly screeners: readonly Screener[],
    readonly exceptions: ExceptionsInForce,
    /** `builtin-<digest>` of everything that can change a result. */
    readonly version: string,
    private readonly settings: Settings,
  ) {
    const enabled = rules.filter((rule) => !this.isOff(rule));
    this.active = enabled.filter(({ regex }) => regex instanceof LinearRegex);
    this.broken = enabled.filter(({ regex }) => regex instanceof PatternError);
    this.patterns = compiledPatterns.setOf(
      this.active.flatMap(({ regex }) => (regex instanceof LinearRegex ? [regex] : [])),
    );
  }

  static from(settings: Settings, screeners: readonly Screener[], now: Date): Ruleset {
    const ignoreCase = settings.get('normalization.enabled') && settings.get('normalization.casefold');
    const rules = effectiveRules(settings).map((rule) => {
      const required = rule.source === 'built_in' ? REQUIRED_LITERALS[rule.id] : undefined;
      return { ...rule, regex: compiledPatterns.get(rule.pattern, { ignoreCase, required }) };
    });
    const exceptions = ExceptionsInForce.at(now, settings);
    const version = `builtin-${digest(rules, screeners, settings, exceptions)}`;
    return new Ruleset(rules, screeners, exceptions, version, settings);
  }

  get vocabulary(): Vocabulary {
    this.words ??= Vocabulary.of(this.active.map(({ pattern }) => pattern));
    return this.words;
  }

  /** Includes rules that are off. */
  describeRules(): readonly RuleInForce[] {
    return this.rules.map((rule) => {
      const { id, pattern, description, severity, tags, source } = rule;
      return { id, pattern, description, severity, tags, source, mode: this.modeOf(rule) };
    });
  }

  isOff(rule: ScreeningRule | Screener): boolean {
    return this.ownMode(rule)?.isOff() === true;
  }

  /** The weaker of the mode of the control and the mode of the rule. */
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
 * Maximum total cost of the custom patterns, in instructions of the linear engine. Limits their memory and the time for
 * which a settings change blocks the process.
 */
const MAX_COST = 300_000;

/** The reason for each pattern that cannot run, by rule id. */
export function patternErrors(patterns: Readonly<Record<string, string>>): Record<string, string> {
  return runToEnd(compilePatterns(patterns));
}

/** The same with pauses. Compiles the patterns for the rulesets that follow. */
export function* compilePatterns(
  patterns: Readonly<Record<string, string>>,
): Resumable<Record<string, string>> {
  const errors: Record<string, string> = {};
  let cost = 0;
  for (const [id, pattern] of Object.entries(patterns)) {
    const compiled = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiledPatterns.get(canonicalPattern(pattern));
    if (compiled instanceof LinearRegex) cost += compiled.cost;
    const error = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiled;
    if (error instanceof PatternError) errors[id] = error.message;
    yield;
  }
  return errors;
}

const TOO_LARGE_TOGETHER = new PatternError('makes the custom patterns exceed their total size limit');

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
    description: 'Custom rule.',
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

function digest(
  rules: readonly ScreeningRule[],
  screeners: readonly Screener[],
  settings: Settings,
  exceptions: ExceptionsInForce,
): string {
  const mode = (rule: ScreeningRule | Screener): string => ownModeName(rule, settings) ?? 'inherit';
  const inputs = [
    rules.map((rule) => [rule.id, rule.pattern, mode(rule)]),
    screeners.map((screener) => [screener.id, mode(screener)]),
    MATCH_SETTINGS.map((key) => [key, settings.get(key)]),
    ...(exceptions.isEmpty ? [] : [exceptions.facts()]),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
}

/** Room for a thousand custom patterns and the built-in ones, before and after a change. */
const MAX_CACHED = 4096;

const IGNORES_CASE = /\/[a-z]*i[a-z]*$/;

/** Caches compiled patterns, so that a change of one rule compiles one pattern, and most changes build no set. */
class CompiledPatterns {
  private readonly known = new Map<string, LinearRegex | PatternError>();
  private lastMembers: readonly LinearRegex[] = [];
  private lastSet = PatternSet.of([]);

  /** Returns an error instead of throwing it, so that the other rules still run. */
  get(pattern: string, options: CompileOptions = {}): LinearRegex | PatternError {
    const ignoreCase = options.ignoreCase === true || IGNORES_CASE.test(pattern);
    const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const compiled = attempt(pattern, options);
    if (this.known.size >= MAX_CACHED) this.known.clear();
    this.known.set(key, compiled);
    return compiled;
  }

  setOf(members: readonly LinearRegex[]): PatternSet {
    const isLast =
      members.length === this.lastMembers.length &&
      members.every((member, index) => member === this.lastMembers[index]);
    if (!isLast) {
      this.lastSet = PatternSet.of(members);
      this.lastMembers = members;
    }
    return this.lastSet;
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
