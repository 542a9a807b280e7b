import type {
  MentionForm,
  Screener,
  ScreenerJudgement,
  ScreeningContext,
  ScreeningRule,
} from '#contracts/screening/screening.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { MAX_SPANS } from '../../patterns/linear-regex.js';
import { runInSlices, runToEnd, UNITS_PER_PAUSE } from '../../shared/resumable.js';
import { withinTime } from '../../shared/time-limit.js';
import { checkedSpans } from '../../text/checked-spans.js';
import type { ScreeningTimes } from '../../shared/tracing.js';
import { Classifier, type ClassifierJudgement } from './classifier/classifier.js';
import type { Ruleset } from './ruleset.js';

/** A screener that threw, timed out or returned an invalid span. */
export interface ScreenerFailure {
  readonly id: string;
  readonly reason: string;
}

/** A match of a rule or a screener. */
export interface Match {
  readonly rule: ScreeningRule | Screener;
  readonly spans: readonly Utf16Span[];
  /** Set where the text mentions the instruction and does not give it. */
  readonly mentioned?: MentionForm;
  /** Of a screener. */
  readonly score?: number | undefined;
  readonly threshold?: number | undefined;
  readonly onlyObserves?: boolean | undefined;
}

export interface ScreenerResults {
  readonly matches: readonly Match[];
  readonly silenced: readonly Match[];
  readonly notJudgedIds: readonly string[];
}

interface ScreenerRuns extends ScreenerResults, Pick<ScreeningTimes, 'screeners'> {
  readonly failures: readonly ScreenerFailure[];
}

interface ScreenedText {
  readonly text: string;
  /** What the classifier reads. */
  readonly readings: readonly string[];
  /** `null`: only the classifier runs. */
  readonly context: ScreeningContext | null;
  readonly application: string | null;
}

/** Runs the classifier and the screeners of the host. */
export async function runScreeners(
  ruleset: Ruleset,
  { text, readings, context, application }: ScreenedText,
  timeoutMs: number,
): Promise<ScreenerRuns> {
  const active = ruleset.screeners.filter(
    (screener) => !ruleset.isOff(screener) && (context !== null || screener instanceof Classifier),
  );
  const screeners: { id: string; us: number }[] = [];
  const run = (screener: Screener): Settled | Promise<Settled> => {
    const started = performance.now();
    const finish = (result: Settled) => {
      screeners.push({ id: screener.id, us: microsecondsSince(started) });
      return result;
    };
    const isShort = readings.length === 1 && text.length <= UNITS_PER_PAUSE;
    if (screener instanceof Classifier && isShort)
      return finish(settled(() => runToEnd(screener.judge(text, readings))));
    const given =
      screener instanceof Classifier
        ? runInSlices(screener.judge(text, readings))
        : runScreener(screener, text, context ?? {}, timeoutMs);
    return Promise.allSettled([given]).then(([result]) => finish(result));
  };
  const given = active.map(run);
  // The classifier judges a short text without a promise, which would cost as much as the text.
  const results = given.every(isSettled)
    ? given
    : await Promise.all(given.map((each) => Promise.resolve(each)));
  const matches: Match[] = [];
  const silenced: Match[] = [];
  const notJudgedIds: string[] = [];
  const failures: ScreenerFailure[] = [];
  for (const [index, result] of results.entries()) {
    const rule = active[index];
    if (rule === undefined) continue;
    if (result.status === 'fulfilled') {
      const { spans, notJudged, ...facts } = result.value;
      if (notJudged === true) notJudgedIds.push(rule.id);
      if (spans.length === 0) continue;
      const silencer = ruleset.exceptions.silencer(rule, text, application);
      const counted = spans.filter((span) => silencer?.silences(span) !== true).slice(0, MAX_SPANS);
      if (counted.length > 0) matches.push({ ...facts, rule, spans: counted });
      if (silencer !== null && silencer.silenced.length > 0)
        silenced.push({ ...facts, rule, spans: silencer.silenced });
      continue;
    }
    const reason = result.reason instanceof Error ? result.reason.message : String(result.reason);
    failures.push({ id: rule.id, reason });
  }
  return { matches, silenced, notJudgedIds, failures, screeners };
}

type Settled = PromiseSettledResult<ClassifierJudgement>;

function isSettled(given: Settled | Promise<Settled>): given is Settled {
  return 'status' in given;
}

function settled(judge: () => ClassifierJudgement): Settled {
  try {
    return { status: 'fulfilled', value: judge() };
  } catch (reason) {
    return { status: 'rejected', reason };
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

function checkedNumber(value: unknown, name: string) {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`The screener returned a ${name} that is not a finite number.`);
}

export const microsecondsSince = (started: number): number =>
  Math.round((performance.now() - started) * 1000);
