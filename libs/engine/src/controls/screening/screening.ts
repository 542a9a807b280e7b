import { SystemClock, type Clock } from '#contracts/common/clock.js';
import type { ControlMode, Outcome } from '#contracts/common/control-mode.js';
import {
  CLASSIFIER_ID,
  RULES_ID,
  type MatchedRule,
  type RuleGroupInForce,
  type RuleInForce,
  type ScreenedOrigin,
  type Screener,
  type RetiredRule,
  type ScreenerInForce,
  type ScreeningContext,
  type ScreeningVerdict,
} from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import { runInSlices } from '../../shared/resumable.js';
import type { ScreeningTimes } from '../../shared/tracing.js';
import { normalizationOptions, type NormalizationOptions } from '../../text/character-folding.js';
import { normalizedForClassifier } from './classifier/classifier.js';
import { NORMALIZATION } from './classifier/features.js';
import { canRead } from './lexicons/lexicons.js';
import { MappedText } from '../../text/mapped-text.js';
import { matchRules, type RuleMatches } from './matching.js';
import { entriesWithoutEffect, retiredRules } from './effective-rules.js';
import { Ruleset } from './ruleset.js';
import {
  type Match,
  microsecondsSince,
  runScreeners,
  type ScreenerFailure,
  type ScreenerResults,
} from './screener-runs.js';

interface ScreeningOptions {
  readonly screeners: readonly Screener[];
  /** Time limit of one screener. Default 1 s. */
  readonly screenerTimeoutMs?: number;
  /** Decides which exceptions are in force. */
  readonly clock?: Clock;
  /** Called when a screener fails. */
  readonly onScreenerFailure?: (failure: ScreenerFailure) => void;
}

/** The verdict before it is recorded, with the details that the sandbox shows. */
interface ScreeningResult extends Omit<ScreeningVerdict, 'auditId'> {
  /** A rule matched, or the text could not be judged and failures count as matches. */
  readonly found: boolean;
  readonly tooLong: boolean;
  /** A match would block where the control enforces. */
  readonly isSuspect: boolean;
  readonly screenerFailures: readonly ScreenerFailure[];
  /** The text that the rules were matched against; empty if it was too long. */
  readonly normalized: string;
  /** The names of the normalization steps that changed the text. */
  readonly steps: readonly string[];
  readonly times: ScreeningTimes;
}

/** Where a text comes from. */
interface TextSource {
  readonly origin: ScreenedOrigin;
  readonly application: string | null;
}

interface Matches extends Omit<RuleMatches, 'matches' | 'silenced' | 'readings'>, ScreenerResults {
  readonly erroredRuleIds: readonly string[];
  readonly screenerFailures: readonly ScreenerFailure[];
  readonly times: ScreeningTimes;
}

const NOTHING_READ: Matches = {
  normalized: { mapped: MappedText.of(''), steps: [] },
  matches: [],
  silenced: [],
  notJudgedIds: [],
  views: [],
  erroredRuleIds: [],
  screenerFailures: [],
  times: { rulesUs: null, screeners: [] },
};

/** Control B: matches the rules, then runs the classifier and the screeners of the host. */
export class Screening {
  private readonly rulesets = new WeakMap<Settings, Ruleset>();
  private readonly screenerTimeoutMs: number;
  private readonly clock: Clock;

  constructor(private readonly options: ScreeningOptions) {
    this.screenerTimeoutMs = options.screenerTimeoutMs ?? 1000;
    this.clock = options.clock ?? new SystemClock();
  }

  rulesetVersion(settings: Settings): string {
    return this.ruleset(settings).version;
  }

  rulesInForce(settings: Settings): readonly RuleInForce[] {
    return this.ruleset(settings).describeRules();
  }

  groupsInForce(settings: Settings): readonly RuleGroupInForce[] {
    return this.ruleset(settings).describeGroups();
  }

  screenersInForce(settings: Settings): readonly ScreenerInForce[] {
    return this.ruleset(settings).describeScreeners();
  }

  retiredRules(settings: Settings): readonly RetiredRule[] {
    return retiredRules(settings);
  }

  /** Warnings about names of rules in the settings that have no effect on this instance. */
  entriesWithoutEffect(settings: Settings): readonly string[] {
    return entriesWithoutEffect(settings, [CLASSIFIER_ID, ...this.options.screeners.map(({ id }) => id)]);
  }

  /** The compiled rules of a settings snapshot, with the exceptions that are in force now. */
  ruleset(settings: Settings): Ruleset {
    let ruleset = this.rulesets.get(settings);
    if (ruleset === undefined || ruleset.exceptions.hasOneEnded(this.clock)) {
      ruleset = Ruleset.from(settings, this.options.screeners, this.clock.now());
      this.rulesets.set(settings, ruleset);
    }
    return ruleset;
  }

  /** Compiles the rules of a snapshot in slices, before it comes into force. */
  async prepare(settings: Settings): Promise<void> {
    const ruleset =
      this.rulesets.get(settings) ??
      (await runInSlices(Ruleset.compile(settings, this.options.screeners, this.clock.now())));
    await runInSlices(ruleset.prepare());
    this.rulesets.set(settings, ruleset);
  }

  /**
   * Runs all rules in every mode, `off` included. Deterministic; never throws. `text` is `null` if it could not be read, and
   * so cannot be judged.
   */
  judge(text: string | null, context: ScreeningContext, settings: Settings): Promise<ScreeningResult> {
    const application = context.application === undefined ? null : scrubText(context.application);
    return this.verdict(text, settings, context, { origin: context.origin ?? 'prompt', application });
  }

  /** The same without the screeners of the host; the classifier runs. */
  judgeByRules(text: string, source: TextSource, settings: Settings): Promise<ScreeningResult> {
    return this.verdict(text, settings, null, source);
  }

  /** @param context `null`: without the screeners of the host */
  private async verdict(
    text: string | null,
    settings: Settings,
    context: ScreeningContext | null,
    source: TextSource,
  ): Promise<ScreeningResult> {
    const { origin } = source;
    const started = performance.now();
    const ruleset = this.ruleset(settings);
    const tooLong = takeCodePoints(text ?? '', settings.maxLength(origin)).cut;
    const found =
      tooLong || text === null ? NOTHING_READ : await this.match(text, context, source, settings, ruleset);
    const observes = ({ mentioned, onlyObserves }: Match) => onlyObserves === true || mentioned !== undefined;
    const modeOf = (match: Match) => ruleset.modeOf(match.rule, origin, observes(match));
    const isSuspect = found.matches.some((match) =>
      ruleset.modeWhereEnforced(match.rule, origin, observes(match)).enforces(),
    );
    const deciding = found.matches.find((match) => modeOf(match).enforces()) ?? found.matches[0];
    const couldNotJudge = tooLong || text === null || found.erroredRuleIds.length > 0;
    const ruleMode = deciding === undefined ? null : modeOf(deciding);
    const action = actionFor(ruleMode, couldNotJudge, settings.modeForOrigin(origin), settings);
    const blocked = action.outcome === 'blocked';
    return {
      matched: deciding !== undefined,
      blocked,
      couldNotJudge,
      isSuspect,
      tooLong,
      ruleId: deciding?.rule.id ?? null,
      matchedRules: [...firstSpansFirst(found.matches), ...firstSpansFirst(found.silenced).map(silenced)],
      matchedViews: found.views,
      erroredRuleIds: found.erroredRuleIds,
      notJudgedIds: found.notJudgedIds,
      screenerFailures: found.screenerFailures,
      refusalMessage: blocked ? settings.get('input_screen.refusal_message') : null,
      rulesetVersion: ruleset.version,
      durationUs: microsecondsSince(started),
      times: found.times,
      normalized: found.normalized.mapped.text,
      steps: found.normalized.steps,
      ...action,
    };
  }

  private async match(
    text: string,
    context: ScreeningContext | null,
    source: TextSource,
    settings: Settings,
    ruleset: Ruleset,
  ): Promise<Matches> {
    const errored = ruleset.broken.map(({ id }) => id);
    const started = performance.now();
    const found = await matchOrError(text, source, settings, ruleset, errored);
    const rulesUs = microsecondsSince(started);
    const screened = await runScreeners(
      ruleset,
      {
        text,
        readings: isNormalizedForClassifier(settings)
          ? found.readings
          : found.readings.map(normalizedForClassifier),
        context,
        application: source.application,
      },
      this.screenerTimeoutMs,
    );
    for (const failure of screened.failures) this.options.onScreenerFailure?.(failure);
    errored.push(...screened.failures.map(({ id }) => id));
    return {
      normalized: found.normalized,
      views: found.views,
      matches: [...found.matches, ...screened.matches],
      silenced: [...found.silenced, ...screened.silenced],
      notJudgedIds: [
        ...screened.notJudgedIds,
        ...(found.matches.length === 0 && !isJudgedByClassifier(ruleset, screened) && !canRead(text)
          ? [RULES_ID]
          : []),
      ],
      erroredRuleIds: errored,
      screenerFailures: screened.failures,
      times: { rulesUs, screeners: screened.screeners },
    };
  }
}

/** A text that the classifier judged is in English or German. */
function isJudgedByClassifier(ruleset: Ruleset, { notJudgedIds }: ScreenerResults) {
  return (
    !notJudgedIds.includes(CLASSIFIER_ID) &&
    ruleset.screeners.some((screener) => screener.id === CLASSIFIER_ID && !ruleset.isOff(screener))
  );
}

/** Whether the rules were matched against the text that the classifier needs, so that it is not normalized twice. */
function isNormalizedForClassifier(settings: Settings) {
  const options = normalizationOptions(settings);
  return (Object.keys(NORMALIZATION) as (keyof NormalizationOptions)[]).every((step) => options[step]);
}

/** An unexpected error counts as an error of every rule, so that the text does not pass as clean. */
async function matchOrError(
  text: string,
  { origin, application }: TextSource,
  settings: Settings,
  ruleset: Ruleset,
  errored: string[],
) {
  try {
    return await runInSlices(matchRules(text, settings, ruleset, origin, application));
  } catch {
    errored.push(...ruleset.active.map(({ id }) => id));
    return { normalized: NOTHING_READ.normalized, readings: [], matches: [], silenced: [], views: [] };
  }
}

/** Combines the verdict with the mode for the origin. `ruleMode` is the mode of the deciding rule, `null` if no rule matched. */
function actionFor(
  ruleMode: ControlMode | null,
  couldNotJudge: boolean,
  mode: ControlMode,
  settings: Settings,
): { readonly found: boolean; readonly outcome: Outcome; readonly mode: ControlMode } {
  const failsClosed = couldNotJudge && settings.get('pattern_safety.on_match_error') === 'closed';
  if (failsClosed && (ruleMode === null || mode.enforces())) {
    return { found: true, outcome: mode.outcomeOf(true), mode };
  }
  if (ruleMode === null) return { found: false, outcome: 'allowed', mode };
  return { found: true, outcome: ruleMode.outcomeOf(true), mode: ruleMode };
}

const silenced = (match: MatchedRule): MatchedRule => ({ ...match, exception: true });

/** The first span of each rule in the order of the rules, then the other spans. */
function firstSpansFirst(matches: readonly Match[]): readonly MatchedRule[] {
  if (matches.length === 0) return [];
  const spansFrom = (from: number, to?: number): MatchedRule[] =>
    matches.flatMap(({ rule, spans, mentioned, score, threshold }) =>
      spans.slice(from, to).map((span) => ({
        ruleId: rule.id,
        span,
        ...(mentioned !== undefined && { mentioned }),
        ...(score !== undefined && { score }),
        ...(threshold !== undefined && { threshold }),
      })),
    );
  return [...spansFrom(0, 1), ...spansFrom(1)];
}
