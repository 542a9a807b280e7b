import { SystemClock, type Clock } from '#contracts/clock.js';
import type { ControlMode, Outcome } from '#contracts/control-mode.js';
import type {
  MatchedRule,
  MentionForm,
  RuleGroupInForce,
  RuleInForce,
  ScreenedOrigin,
  Screener,
  ScreenerInForce,
  ScreenerJudgement,
  ScreeningContext,
  ScreeningRule,
  ScreeningVerdict,
} from '#contracts/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText, type Span, takeCodePoints } from '#contracts/text.js';
import { MAX_SPANS } from '../patterns/linear-regex.js';
import { runToEnd, runInSlices } from '../resumable.js';
import { withinTime } from '../time-limit.js';
import type { ScreeningTimes } from '../tracing.js';
import { normalizationOptions, type NormalizationOptions } from './character-folding.js';
import { Classifier } from './classifier/classifier.js';
import { NORMALIZATION } from './classifier/features.js';
import { unmapped } from './mapped-text.js';
import { LONG_TEXT, matchRules, type RuleMatches } from './matching.js';
import { modeForOrigin, Ruleset } from './ruleset.js';

interface ScreeningOptions {
  readonly screeners: readonly Screener[];
  /** Time limit of one screener. Default 1 s. */
  readonly screenerTimeoutMs?: number;
  /** Decides which exceptions are in force. */
  readonly clock?: Clock;
  /** Called when a screener fails. */
  readonly onScreenerFailure?: (failure: ScreenerFailure) => void;
}

/** A screener that threw, timed out or returned an invalid span. */
export interface ScreenerFailure {
  readonly id: string;
  readonly reason: string;
}

/** The verdict before it is recorded, with the details that the sandbox shows. */
export interface ScreeningResult extends Omit<ScreeningVerdict, 'auditId'> {
  /** A rule matched, or the text could not be judged and failures count as matches. */
  readonly found: boolean;
  readonly tooLong: boolean;
  readonly screenerFailures: readonly ScreenerFailure[];
  /** The text that the rules were matched against; empty if it was too long. */
  readonly normalized: string;
  /** The names of the normalization steps that changed the text. */
  readonly steps: readonly string[];
  readonly times: ScreeningTimes;
}

/** Where a text comes from. */
export interface TextSource {
  readonly origin: ScreenedOrigin;
  readonly application: string | null;
}

interface Match {
  readonly rule: ScreeningRule | Screener;
  readonly spans: readonly Span[];
  /** Set where the text mentions the instruction and does not give it. */
  readonly mentioned?: MentionForm;
  /** Of a screener. */
  readonly score?: number;
  readonly threshold?: number;
}

interface ScreenerResults {
  readonly matches: readonly Match[];
  readonly silenced: readonly Match[];
  readonly notJudgedIds: readonly string[];
}

interface Matches extends Omit<RuleMatches, 'matches' | 'silenced'>, ScreenerResults {
  readonly erroredRuleIds: readonly string[];
  readonly screenerFailures: readonly ScreenerFailure[];
  readonly times: ScreeningTimes;
}

const NOTHING_READ: Matches = {
  normalized: { ...unmapped(''), steps: [] },
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
    const tooLong = takeCodePoints(text ?? '', settings.get('normalization.max_prompt_length')).cut;
    const found =
      tooLong || text === null ? NOTHING_READ : await this.match(text, context, source, settings, ruleset);
    const deciding =
      found.matches.find((match) => ruleset.modeOf(match.rule, origin, match.mentioned).enforces()) ??
      found.matches[0];
    const couldNotJudge = tooLong || text === null || found.erroredRuleIds.length > 0;
    const ruleMode =
      deciding === undefined ? null : ruleset.modeOf(deciding.rule, origin, deciding.mentioned);
    const action = actionFor(ruleMode, couldNotJudge, modeForOrigin(origin, settings), settings);
    const blocked = action.outcome === 'blocked';
    return {
      matched: deciding !== undefined,
      blocked,
      couldNotJudge,
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
      normalized: found.normalized.text,
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
    const screenerFailures: ScreenerFailure[] = [];
    const { screeners, ...screened } = await this.runScreeners(
      ruleset,
      text,
      context,
      source.application,
      screenerFailures,
      isNormalizedForClassifier(text, found, settings) ? found.normalized.text : null,
    );
    errored.push(...screenerFailures.map(({ id }) => id));
    return {
      normalized: found.normalized,
      views: found.views,
      matches: [...found.matches, ...screened.matches],
      silenced: [...found.silenced, ...screened.silenced],
      notJudgedIds: screened.notJudgedIds,
      erroredRuleIds: errored,
      screenerFailures,
      times: { rulesUs, screeners },
    };
  }

  /** @param context `null`: only the classifier */
  private async runScreeners(
    ruleset: Ruleset,
    text: string,
    context: ScreeningContext | null,
    application: string | null,
    failures: ScreenerFailure[],
    normalized: string | null,
  ): Promise<ScreenerResults & Pick<ScreeningTimes, 'screeners'>> {
    const active = ruleset.screeners.filter(
      (screener) => !ruleset.isOff(screener) && (context !== null || screener instanceof Classifier),
    );
    const screeners: { id: string; us: number }[] = [];
    const run = (screener: Screener): Settled | Promise<Settled> => {
      const started = performance.now();
      const finish = (result: Settled): Settled => {
        screeners.push({ id: screener.id, us: microsecondsSince(started) });
        return result;
      };
      if (screener instanceof Classifier)
        return finish(settled(() => screener.screen(text, context ?? {}, normalized)));
      const given = runScreener(screener, text, context ?? {}, this.screenerTimeoutMs);
      return Promise.allSettled([given]).then(([result]) => finish(result));
    };
    const given = active.map(run);
    // The classifier alone needs no promise, which costs as much as a short text.
    const results = given.every(isSettled)
      ? given
      : await Promise.all(given.map((each) => Promise.resolve(each)));
    const matches: Match[] = [];
    const silenced: Match[] = [];
    const notJudgedIds: string[] = [];
    for (const [index, result] of results.entries()) {
      const rule = active[index];
      if (rule === undefined) continue;
      if (result.status === 'fulfilled') {
        const { score, threshold } = result.value;
        const facts = {
          ...(score !== undefined && { score }),
          ...(threshold !== undefined && { threshold }),
        };
        const silencer = ruleset.exceptions.silencer(rule, text, application);
        const spans = result.value.spans
          .filter((span) => silencer?.silences(span) !== true)
          .slice(0, MAX_SPANS);
        if (spans.length > 0) matches.push({ rule, spans, ...facts });
        if (silencer !== null && silencer.silenced.length > 0)
          silenced.push({ rule, spans: silencer.silenced, ...facts });
        if (result.value.notJudged === true) notJudgedIds.push(rule.id);
        continue;
      }
      const reason = result.reason instanceof Error ? result.reason.message : String(result.reason);
      failures.push({ id: rule.id, reason });
      this.options.onScreenerFailure?.({ id: rule.id, reason });
    }
    return { matches, silenced, notJudgedIds, screeners };
  }
}

type Settled = PromiseSettledResult<ScreenerJudgement>;

function isSettled(given: Settled | Promise<Settled>): given is Settled {
  return 'status' in given;
}

function settled(judge: () => ScreenerJudgement): Settled {
  try {
    return { status: 'fulfilled', value: judge() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

/** Whether the rules were matched against the text that the classifier needs, so that it is not normalized twice. */
function isNormalizedForClassifier(text: string, { normalized }: RuleMatches, settings: Settings): boolean {
  if (normalized === NOTHING_READ.normalized) return text === '';
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
): Promise<RuleMatches> {
  try {
    const work = matchRules(text, settings, ruleset, origin, application);
    return text.length > LONG_TEXT ? await runInSlices(work) : runToEnd(work);
  } catch {
    errored.push(...ruleset.active.map(({ id }) => id));
    return { normalized: NOTHING_READ.normalized, matches: [], silenced: [], views: [] };
  }
}

/** Rejects on an error, a timeout or an invalid result, all of which count as "could not judge". */
async function runScreener(
  screener: Screener,
  text: string,
  context: ScreeningContext,
  timeoutMs: number,
): Promise<ScreenerJudgement> {
  const given = screener.screen(text, context);
  const returned: unknown = isPromise(given) ? await withinTime(given, timeoutMs) : given;
  if (Array.isArray(returned)) return { spans: checkedSpans(returned, text) };
  const { spans, score, threshold, notJudged } = (returned ?? {}) as Partial<
    Record<keyof ScreenerJudgement, unknown>
  >;
  if (!Array.isArray(spans))
    throw new TypeError('The screener returned neither a list of spans nor a judgement with `spans`.');
  if (notJudged === true && spans.length > 0)
    throw new TypeError('The screener returned spans for a text that it did not judge.');
  return {
    spans: checkedSpans(spans, text),
    ...(score !== undefined && { score: checkedNumber(score, 'score') }),
    ...(threshold !== undefined && { threshold: checkedNumber(threshold, 'threshold') }),
    ...(notJudged === true && { notJudged }),
  };
}

/** A result that is there already needs no timer. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function checkedNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`The screener returned a ${name} that is not a finite number.`);
}

function checkedSpans(spans: readonly unknown[], text: string): readonly Span[] {
  return spans.map((span) => checkedSpan(span, text.length));
}

function checkedSpan(span: unknown, length: number): Span {
  const [start, end] = (Array.isArray(span) ? span : []) as readonly unknown[];
  if (!Number.isInteger(start) || !Number.isInteger(end))
    throw new TypeError('The screener returned a span that is not a pair of integers.');
  const [first, last] = [start as number, end as number];
  if (first < 0 || last < first || last > length)
    throw new RangeError(`The span [${first}, ${last}) is outside the text of ${length} UTF-16 units.`);
  return [first, last];
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

const microsecondsSince = (started: number): number => Math.round((performance.now() - started) * 1000);

const silenced = (match: MatchedRule): MatchedRule => ({ ...match, exception: true });

/** The first span of each rule in the order of the rules, then the other spans. */
function firstSpansFirst(matches: readonly Match[]): readonly MatchedRule[] {
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
