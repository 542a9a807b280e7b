import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ControlMode, type ModeName } from '#contracts/common/control-mode.js';
import {
  type RuleGroupInForce,
  type RuleInForce,
  SCREENED_ORIGINS,
  type ScreenedOrigin,
  type ScreenerInForce,
  type Screener,
  type ScreeningRule,
} from '#contracts/screening/screening.js';
import { SETTING_KEYS } from '#contracts/settings/settings.schema.js';
import type { Settings } from '#contracts/settings/settings.js';
import { LinearRegex } from '../../patterns/linear-regex.js';
import { PatternError } from '../../patterns/linear-syntax.js';
import type { PatternSet } from '../../patterns/pattern-set.js';
import { runToEnd, type Resumable } from '../../shared/resumable.js';
import { Classifier } from './classifier/classifier.js';
import { compiledPatterns } from './compiled-patterns.js';
import { effectiveRules, type EffectiveRule, explicitMode, ownModeName } from './effective-rules.js';
import { ExceptionsInForce } from './exceptions.js';
import type { Mention } from './mentions/mentions.js';
import { GROUP_DESCRIPTIONS, ruleIdsOf } from './rules/built-in-rules.js';
import { CUES_TAG } from './cues/cue-patterns.js';
import { PREPARED_PATTERNS } from './rules/prepared-patterns.data.js';
import { Vocabulary } from '../../text/vocabulary.js';

interface CompiledRule extends EffectiveRule {
  /** A text cannot be judged while the pattern of a rule does not compile. */
  readonly regex: LinearRegex | PatternError;
}

const SEARCHED = [...SCREENED_ORIGINS, 'cues'] as const;

/** Texts of an origin, or the cues of documents. */
type Searched = (typeof SEARCHED)[number];

function isSearchedIn({ origins, tags, source }: EffectiveRule, searched: Searched) {
  const isOnCues = source === 'built_in' && tags.includes(CUES_TAG);
  if (isOnCues || searched === 'cues') return isOnCues && searched === 'cues';
  return origins?.includes(searched) ?? true;
}

const patternsOf = (rules: readonly CompiledRule[]): readonly LinearRegex[] =>
  rules.flatMap(({ regex }) => (regex instanceof LinearRegex ? [regex] : []));

/** The rules of a settings snapshot in the order of evaluation, until an exception ends. */
export class Ruleset {
  /** The rules that are neither off nor broken, in order. */
  readonly active: readonly CompiledRule[];
  /** Rules whose pattern does not compile. */
  readonly broken: readonly CompiledRule[];
  /** The places in `active` of the rules that apply. */
  private readonly applicable: ReadonlyMap<Searched, readonly number[]>;
  private readonly builtInIds: ReadonlySet<string>;
  private readonly preparedPatterns = new Map<Searched, PatternSet>();
  private preparedVocabulary: Vocabulary | null = null;

  private constructor(
    /** Built-in rules in their order, then custom rules by id, including rules that are off. */
    readonly rules: readonly CompiledRule[],
    /** The classifier, then those of the host. */
    readonly screeners: readonly Screener[],
    readonly exceptions: ExceptionsInForce,
    private readonly settings: Settings,
    /** `builtin-<digest>` of everything that can change a result. */
    readonly version: string,
  ) {
    const enabled = rules.filter((rule) => !this.isOff(rule));
    this.active = enabled.filter(({ regex }) => regex instanceof LinearRegex);
    this.broken = enabled.filter(({ regex }) => regex instanceof PatternError);
    this.builtInIds = new Set(rules.filter(({ source }) => source === 'built_in').map(({ id }) => id));
    this.applicable = new Map(
      SEARCHED.map((searched) => [
        searched,
        this.active.flatMap((rule, place) => (isSearchedIn(rule, searched) ? [place] : [])),
      ]),
    );
  }

  static from(settings: Settings, screeners: readonly Screener[], now: Date): Ruleset {
    return runToEnd(Ruleset.compile(settings, screeners, now));
  }

  /** The same with pauses. */
  static *compile(settings: Settings, hostScreeners: readonly Screener[], now: Date): Resumable<Ruleset> {
    const isShared = hostScreeners.length === 0 && hasOnlyBuiltInPatterns(settings);
    const recent = isShared && sharedRulesets.find((ruleset) => ruleset.isFor(settings));
    if (recent) return recent;
    const screeners = [Classifier.from(settings), ...hostScreeners];
    const ignoreCase = settings.get('normalization.enabled') && settings.get('normalization.casefold');
    const rules: CompiledRule[] = [];
    for (const rule of effectiveRules(settings)) {
      const prepared = rule.source === 'built_in' ? PREPARED_PATTERNS[rule.id] : undefined;
      rules.push({ ...rule, regex: compiledPatterns.get(rule.pattern, { ignoreCase, prepared }) });
      yield;
    }
    const exceptions = ExceptionsInForce.at(now, settings);
    const version = `builtin-${yield* digest(rules, screeners, settings, exceptions)}`;
    const ruleset = new Ruleset(rules, screeners, exceptions, settings, version);
    if (isShared) sharedRulesets = [ruleset, ...sharedRulesets].slice(0, MAX_SHARED_RULESETS);
    return ruleset;
  }

  private isFor(settings: Settings) {
    return RULESET_SETTINGS.every((key) => isDeepStrictEqual(settings.get(key), this.settings.get(key)));
  }

  /** The patterns of the rules that apply, in the order of `placesFor`. */
  patternsFor(searched: Searched): PatternSet {
    return this.preparedPatterns.get(searched) ?? runToEnd(this.buildPatterns(searched));
  }

  /** The places in `active` of the rules that apply. */
  placesFor(searched: Searched): readonly number[] {
    return this.applicable.get(searched) ?? [];
  }

  get vocabulary(): Vocabulary {
    this.preparedVocabulary ??= runToEnd(this.buildVocabulary());
    return this.preparedVocabulary;
  }

  /** Builds what the first screening needs, with pauses. */
  *prepare(): Resumable<void> {
    for (const searched of SEARCHED) yield* this.buildPatterns(searched);
    this.preparedVocabulary ??= yield* this.buildVocabulary();
  }

  private *buildPatterns(searched: Searched): Resumable<PatternSet> {
    const applicable = this.active.filter((rule) => isSearchedIn(rule, searched));
    const set = yield* compiledPatterns.setOf(patternsOf(applicable));
    this.preparedPatterns.set(searched, set);
    return set;
  }

  private buildVocabulary() {
    return Vocabulary.of(patternsOf(this.active));
  }

  /** Includes rules that are off. */
  describeRules(): readonly RuleInForce[] {
    return this.rules.map((rule) => ({
      group: rule.id,
      rationale: '',
      examples: [],
      nearMisses: [],
      origins: SCREENED_ORIGINS,
      confidence: 'high',
      ...rule,
      mode: this.modeOfAnyOrigin(rule),
    }));
  }

  describeGroups(): readonly RuleGroupInForce[] {
    const groups = new Map<string, CompiledRule[]>();
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

  /**
   * The weakest of the modes of the control, the origin and the rule. The classifier cannot tell a quoted instruction from one
   * that is given, so it blocks documents only with a mode of its own.
   */
  modeOf(rule: ScreeningRule | Screener, origin: ScreenedOrigin, onlyObserves = false): ControlMode {
    return ControlMode.weakest(
      this.settings.modeForOrigin(origin),
      this.modeWhereEnforced(rule, origin, onlyObserves),
    );
  }

  /** The mode that a match would have if the control enforced. */
  modeWhereEnforced(
    rule: ScreeningRule | Screener,
    origin: ScreenedOrigin,
    onlyObserves: boolean,
  ): ControlMode {
    const mode = this.ownMode(rule);
    const isUnsure =
      rule instanceof Classifier && origin !== 'prompt' && explicitMode(rule, this.settings) === undefined;
    return onlyObserves || isUnsure ? ControlMode.weakest(mode, ControlMode.monitor) : mode;
  }

  /** Rules of operators may search for names, which a quotation discloses, too. An explicit mode takes precedence. */
  mayObserveMentions(rule: ScreeningRule): boolean {
    return this.builtInIds.has(rule.id) && explicitMode(rule, this.settings) === undefined;
  }

  accepts({ isReliable }: Mention): boolean {
    return isReliable || this.settings.get('input_screen.profile') !== 'strict';
  }

  private modeOfAnyOrigin(rule: ScreeningRule | Screener) {
    return ControlMode.weakest(this.settings.mode('input_screen'), this.ownMode(rule));
  }

  private ownMode(rule: ScreeningRule | Screener) {
    return ControlMode.named(ownModeName(rule, this.settings));
  }
}

/** Those before and after a change, as most changes of settings do not concern the rules. */
const MAX_SHARED_RULESETS = 4;

/** Of all engines of the process, newest first. */
let sharedRulesets: readonly Ruleset[] = [];

/** Patterns of settings may be large, and exceptions depend on the time, so their rulesets are not kept. */
function hasOnlyBuiltInPatterns(settings: Settings) {
  return (
    Object.keys(settings.get('input_screen.patterns')).length === 0 &&
    settings.get('input_screen.exceptions').length === 0
  );
}

/** All settings that a ruleset reads. */
const RULESET_SETTINGS = SETTING_KEYS.filter(
  (key) =>
    key === 'enabled' ||
    key === 'modes.input_screen' ||
    /^(?:input_screen|normalization|pattern_safety)\./.test(key),
);

const MATCH_SETTINGS = SETTING_KEYS.filter(
  (key) => key.startsWith('normalization.') || key.startsWith('pattern_safety.'),
);

function* digest(
  rules: readonly CompiledRule[],
  screeners: readonly Screener[],
  settings: Settings,
  exceptions: ExceptionsInForce,
): Resumable<string> {
  const mode = (rule: ScreeningRule | Screener): ModeName => ownModeName(rule, settings);
  const originModes = settings.get('input_screen.origin_modes');
  const countingMentions = rules.filter(
    (rule) => rule.source === 'settings' || explicitMode(rule, settings) !== undefined,
  );
  const ofRules: string[][] = [];
  for (const rule of rules) {
    ofRules.push([rule.id, identityOf(rule), mode(rule), ...(rule.origins ?? [])]);
    yield;
  }
  const inputs = [
    ofRules,
    screeners.map((screener) => [screener.id, mode(screener), screener.version]),
    MATCH_SETTINGS.map((key) => [key, settings.get(key)]),
    ...(settings.get('input_screen.profile') === 'strict' ? ['strict'] : []),
    ...(exceptions.isEmpty ? [] : [exceptions.facts()]),
    ...(Object.keys(originModes).length === 0 ? [] : [originModes]),
    // A mention of these rules can block, so a pattern or a mode that equals the default can still change a result.
    ...(countingMentions.length === 0 ? [] : [countingMentions.map(({ id }) => id)]),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
}

/** Longer patterns of settings are part of the version by their own digest, which is computed once for each pattern. */
const LONG_PATTERN = 256;

const digestsOfLong = new WeakMap<LinearRegex, string>();

function identityOf({ pattern, regex, source }: CompiledRule) {
  if (source === 'built_in' || pattern.length <= LONG_PATTERN || regex instanceof PatternError)
    return pattern;
  const digestOfPattern = digestsOfLong.get(regex) ?? createHash('sha256').update(pattern).digest('base64');
  digestsOfLong.set(regex, digestOfPattern);
  return digestOfPattern;
}
