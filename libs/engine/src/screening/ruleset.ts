import { createHash } from 'node:crypto';
import { ControlMode, type ModeName } from '#contracts/control-mode.js';
import {
  CLASSIFIER_ID,
  CONFIDENCES,
  type MentionForm,
  PROFILES,
  type RuleGroupInForce,
  type RuleInForce,
  type RuleSource,
  SCREENED_ORIGINS,
  type ScreenedOrigin,
  type ScreenerInForce,
  type Screener,
  type ScreeningRule,
} from '#contracts/screening.js';
import { SETTING_KEYS } from '#contracts/settings/settings.schema.js';
import type { Settings } from '#contracts/settings/settings.js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import { LinearRegex, type CompileOptions } from '../patterns/linear-regex.js';
import { PatternError } from '../patterns/linear-syntax.js';
import { PatternSet } from '../patterns/pattern-set.js';
import { runToEnd, type Resumable } from '../resumable.js';
import { Classifier } from './classifier/classifier.js';
import { ExceptionsInForce } from './exceptions.js';
import type { Mention } from './mentions.js';
import { BUILT_IN_RULES, GROUP_DESCRIPTIONS, ruleIdsOf } from './rules/built-in-rules.js';
import { PREPARED_PATTERNS } from './rules/prepared-patterns.data.js';
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
  /** Rules whose pattern does not compile. */
  readonly broken: readonly EffectiveRule[];

  private readonly applying: ReadonlyMap<ScreenedOrigin, readonly boolean[]>;
  private readonly builtInIds: ReadonlySet<string>;
  private set: PatternSet | null = null;
  private words: Vocabulary | null = null;

  private constructor(
    /** Built-in rules in their order, then custom rules by id, including rules that are off. */
    readonly rules: readonly EffectiveRule[],
    /** The classifier, then those of the host. */
    readonly screeners: readonly Screener[],
    readonly exceptions: ExceptionsInForce,
    /** `builtin-<digest>` of everything that can change a result. */
    readonly version: string,
    private readonly settings: Settings,
  ) {
    const enabled = rules.filter((rule) => !this.isOff(rule));
    this.active = enabled.filter(({ regex }) => regex instanceof LinearRegex);
    this.builtInIds = new Set(rules.filter(({ source }) => source === 'built_in').map(({ id }) => id));
    this.broken = enabled.filter(({ regex }) => regex instanceof PatternError);
    this.applying = new Map(
      SCREENED_ORIGINS.map((origin) => [
        origin,
        this.active.map(({ origins }) => origins?.includes(origin) ?? true),
      ]),
    );
  }

  static from(settings: Settings, screeners: readonly Screener[], now: Date): Ruleset {
    return runToEnd(Ruleset.compile(settings, screeners, now));
  }

  /** The same with pauses. */
  static *compile(settings: Settings, hostScreeners: readonly Screener[], now: Date): Resumable<Ruleset> {
    const screeners = [Classifier.from(settings), ...hostScreeners];
    const ignoreCase = settings.get('normalization.enabled') && settings.get('normalization.casefold');
    const rules: EffectiveRule[] = [];
    for (const rule of effectiveRules(settings)) {
      const prepared = rule.source === 'built_in' ? PREPARED_PATTERNS[rule.id] : undefined;
      rules.push({ ...rule, regex: compiledPatterns.get(rule.pattern, { ignoreCase, prepared }) });
      yield;
    }
    const exceptions = ExceptionsInForce.at(now, settings);
    const version = `builtin-${digest(rules, screeners, settings, exceptions)}`;
    return new Ruleset(rules, screeners, exceptions, version, settings);
  }

  /** The patterns of `active`, in the same order. */
  get patterns(): PatternSet {
    this.set ??= runToEnd(compiledPatterns.setOf(this.members()));
    return this.set;
  }

  get vocabulary(): Vocabulary {
    this.words ??= runToEnd(this.buildVocabulary());
    return this.words;
  }

  /** Builds what the first screening needs, with pauses. */
  *prepare(): Resumable<void> {
    this.set ??= yield* compiledPatterns.setOf(this.members());
    this.words ??= yield* this.buildVocabulary();
  }

  private buildVocabulary(): Resumable<Vocabulary> {
    const clauses = this.members().flatMap(({ required }) => required ?? []);
    const literals = clauses.flatMap((clause) => clause.flatMap(({ texts }) => texts));
    return Vocabulary.of(
      this.active.map(({ pattern }) => pattern),
      literals,
    );
  }

  /** Whether each rule of `active` applies to texts of this origin. */
  appliesTo(origin: ScreenedOrigin): readonly boolean[] {
    return this.applying.get(origin) ?? [];
  }

  private members(): readonly LinearRegex[] {
    return this.active.flatMap(({ regex }) => (regex instanceof LinearRegex ? [regex] : []));
  }

  /** Includes rules that are off. */
  describeRules(): readonly RuleInForce[] {
    return this.rules.map((rule) => {
      const { id, group = id, pattern, description, severity, tags, source } = rule;
      const { rationale = '', examples = [], nearMisses = [] } = rule;
      const { origins = SCREENED_ORIGINS, confidence = 'high' } = rule;
      const explanation = { description, rationale, examples, nearMisses };
      const mode = this.modeOfAnyOrigin(rule);
      return { id, group, pattern, ...explanation, severity, tags, origins, confidence, source, mode };
    });
  }

  describeGroups(): readonly RuleGroupInForce[] {
    const groups = new Map<string, EffectiveRule[]>();
    for (const rule of this.rules) {
      const { id, group = id } = rule;
      groups.set(group, [...(groups.get(group) ?? []), rule]);
    }
    return [...groups].map(([id, rules]) => {
      const ruleIds = rules.map((rule) => rule.id);
      const description = GROUP_DESCRIPTIONS.get(id) ?? rules[0]?.description ?? '';
      return { id, description, ruleIds, recordedIds: [...new Set([...ruleIdsOf(id), ...ruleIds])] };
    });
  }

  describeScreeners(): readonly ScreenerInForce[] {
    return this.screeners.map((screener) => ({
      id: screener.id,
      source: screener instanceof Classifier ? 'built_in' : 'host',
      mode: this.modeOfAnyOrigin(screener),
    }));
  }

  isOff(rule: ScreeningRule | Screener): boolean {
    return this.ownMode(rule).isOff();
  }

  /** The weakest of the modes of the control, the origin and the rule. A mention only observes. */
  modeOf(rule: ScreeningRule | Screener, origin: ScreenedOrigin, mentioned?: MentionForm): ControlMode {
    const mode = ControlMode.weakest(modeForOrigin(origin, this.settings), this.ownMode(rule));
    return mentioned === undefined ? mode : ControlMode.weakest(mode, ControlMode.named('monitor'));
  }

  /** Rules of operators may search for names, which a quotation discloses, too. An explicit mode takes precedence. */
  mayObserveMentions(rule: ScreeningRule): boolean {
    return this.builtInIds.has(rule.id) && explicitMode(rule, this.settings) === undefined;
  }

  /** Under `strict`, the words around a mention must be about attacks. */
  accepts({ isAboutAttacks }: Mention): boolean {
    return isAboutAttacks || this.settings.get('input_screen.profile') !== 'strict';
  }

  private modeOfAnyOrigin(rule: ScreeningRule | Screener): ControlMode {
    return ControlMode.weakest(this.settings.mode('input_screen'), this.ownMode(rule));
  }

  private ownMode(rule: ScreeningRule | Screener): ControlMode {
    return ControlMode.named(ownModeName(rule, this.settings));
  }
}

/** The weaker of the modes of the control and the origin. */
export function modeForOrigin(origin: ScreenedOrigin, settings: Settings): ControlMode {
  const weakened = settings.get('input_screen.origin_modes')[origin] ?? 'enforce';
  return ControlMode.weakest(settings.mode('input_screen'), ControlMode.named(weakened));
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
    if (id === CLASSIFIER_ID) {
      errors[id] = 'has the id of the built-in classifier; choose another id';
      continue;
    }
    const compiled = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiledPatterns.get(canonicalPattern(pattern));
    if (compiled instanceof LinearRegex) cost += compiled.cost;
    const error = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiled;
    if (error instanceof PatternError) errors[id] = error.message;
    yield;
  }
  return errors;
}

const TOO_LARGE_TOGETHER = new PatternError('makes the custom patterns exceed their total size limit');

/**
 * A pattern with the id of a group replaces its rules, except those with a pattern of their own, and takes the place of
 * the first.
 */
function effectiveRules(settings: Settings): readonly Omit<EffectiveRule, 'regex'>[] {
  const own = new Map(Object.entries(settings.get('input_screen.patterns')));
  const isAdded = new Set(own.keys());
  const builtIn = BUILT_IN_RULES.flatMap((rule): Omit<EffectiveRule, 'regex'>[] => {
    const { id, group = id } = rule;
    const [replacement, ofGroup] = [own.get(id), own.get(group)];
    const replacements: Omit<EffectiveRule, 'regex'>[] = [];
    if (ofGroup !== undefined && group !== id && isAdded.delete(group))
      replacements.push(replaced(rule, group, ofGroup));
    if (replacement !== undefined) {
      isAdded.delete(id);
      replacements.push(replaced(rule, id, replacement));
    } else if (ofGroup === undefined)
      replacements.push({ ...rule, pattern: canonicalPattern(rule.pattern), source: 'built_in' });
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
function replaced(rule: ScreeningRule, id: string, pattern: string): Omit<EffectiveRule, 'regex'> {
  const { rationale: _rationale, examples: _examples, nearMisses: _nearMisses, ...facts } = rule;
  return { ...facts, id, pattern: canonicalPattern(pattern), source: 'settings' };
}

/** `rule_modes` takes precedence over the profile, and the mode of a rule over that of its group. */
function ownModeName(rule: Partial<ScreeningRule> & { readonly id: string }, settings: Settings): ModeName {
  const explicit = explicitMode(rule, settings);
  if (explicit !== undefined) return explicit;
  if (rule.mode !== undefined) return rule.mode;
  const { confidence = 'high' } = rule;
  const mayBlock = CONFIDENCES.indexOf(confidence) <= PROFILES.indexOf(settings.get('input_screen.profile'));
  return mayBlock ? 'enforce' : 'monitor';
}

/** The mode in `rule_modes` of the rule, or else of its group. */
function explicitMode(
  { id, group = id }: Partial<ScreeningRule> & { readonly id: string },
  settings: Settings,
): ModeName | undefined {
  const modes = settings.get('input_screen.rule_modes');
  const named = [id, group].find((name) => Object.hasOwn(modes, name));
  return named === undefined ? undefined : (modes[named] ?? 'enforce');
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
  const mode = (rule: ScreeningRule | Screener): ModeName => ownModeName(rule, settings);
  const originModes = settings.get('input_screen.origin_modes');
  const explicit = rules.filter((rule) => explicitMode(rule, settings) !== undefined).map(({ id }) => id);
  const inputs = [
    rules.map((rule) => [rule.id, rule.pattern, mode(rule), ...(rule.origins ?? [])]),
    screeners.map((screener) => [screener.id, mode(screener), screener.version]),
    MATCH_SETTINGS.map((key) => [key, settings.get(key)]),
    ...(settings.get('input_screen.profile') === 'strict' ? ['strict'] : []),
    ...(exceptions.isEmpty ? [] : [exceptions.facts()]),
    ...(Object.keys(originModes).length === 0 ? [] : [originModes]),
    // An explicit mode also holds for mentions, so it can change a result where it equals the default.
    ...(explicit.length === 0 ? [] : [explicit]),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
}

/** Room for the built-in patterns, and the custom ones before and after a change. In instructions of the linear engine. */
const MAX_CACHED_COST = 3 * MAX_COST;

const IGNORES_CASE = /\/[a-z]*i[a-z]*$/;

/** Caches compiled patterns, so that a change of one rule compiles one pattern, and most changes build no set. */
class CompiledPatterns {
  /** The one that was used last comes last. */
  private readonly known = new Map<string, LinearRegex | PatternError>();
  private cost = 0;
  private lastMembers: readonly LinearRegex[] = [];
  private lastSet = PatternSet.of([]);

  /** Returns an error instead of throwing it, so that the other rules still run. */
  get(pattern: string, options: CompileOptions = {}): LinearRegex | PatternError {
    const ignoreCase = options.ignoreCase === true || IGNORES_CASE.test(pattern);
    const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
    const known = this.known.get(key);
    const compiled = known ?? attempt(pattern, options);
    this.known.delete(key);
    this.known.set(key, compiled);
    if (known === undefined) this.cost += costOf(key, compiled);
    for (const [oldest, its] of this.known) {
      if (this.cost <= MAX_CACHED_COST) break;
      this.known.delete(oldest);
      this.cost -= costOf(oldest, its);
    }
    return compiled;
  }

  *setOf(members: readonly LinearRegex[]): Resumable<PatternSet> {
    const isLast =
      members.length === this.lastMembers.length &&
      members.every((member, index) => member === this.lastMembers[index]);
    if (isLast) return this.lastSet;
    const set = yield* PatternSet.build(members);
    this.lastSet = set;
    this.lastMembers = members;
    return set;
  }
}

/** Characters of the text of a pattern that take as much memory as one instruction. */
const CHARACTERS_PER_INSTRUCTION = 32;

function costOf(key: string, compiled: LinearRegex | PatternError): number {
  return key.length / CHARACTERS_PER_INSTRUCTION + (compiled instanceof LinearRegex ? compiled.cost : 0);
}

function attempt(pattern: string, options: CompileOptions): LinearRegex | PatternError {
  try {
    return LinearRegex.compile(pattern, options);
  } catch (error) {
    return error instanceof PatternError ? error : new PatternError('cannot be compiled');
  }
}

const compiledPatterns = new CompiledPatterns();
