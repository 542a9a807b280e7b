import type {
  MatchedRule,
  RuleInForce,
  Screener,
  ScreeningContext,
  ScreeningRule,
} from '../../../contracts/src/screening.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { type Span, takeCodePoints } from '../../../contracts/src/text.js';
import type { Judgement, ScreenerFailure } from './judgement.js';
import { Beginnings } from '../patterns/beginnings.js';
import { MOST_SPANS } from '../patterns/linear-regex.js';
import { finished, paced, type Resumable } from '../resumable.js';
import { differences } from './differences.js';
import { unmapped } from './mapped-text.js';
import { normalise, type NormalisedText } from './normalisation.js';
import { Ruleset } from './ruleset.js';
import { runScreener } from './screener-run.js';
import { viewsOf, type View } from './views.js';

export interface ScreeningOptions {
  readonly screeners: readonly Screener[];
  /** How long one screener may take; default one second. */
  readonly screenerTimeoutMs?: number;
  /** Is called when a screener fails: it throws, times out or returns an invalid span. */
  readonly onScreenerFailure?: (failure: ScreenerFailure) => void;
  /** Begins the ruleset version; default `builtin`. */
  readonly label?: string;
}

/** From so many units on other work of the process gets its turn in between. */
const LONG_TEXT = 8192;

interface Reading {
  readonly normalised: NormalisedText;
  readonly matches: readonly Match[];
  /** The views in which a rule matched. */
  readonly views: readonly string[];
}

interface Match {
  readonly rule: ScreeningRule | Screener;
  readonly spans: readonly Span[];
}

/** Control B's thinking: the rules, then the host's screeners. Deterministic, linear in the text, and never throws. */
export class Screening {
  private readonly rulesets = new WeakMap<Settings, Ruleset>();
  private readonly screenerTimeoutMs: number;

  constructor(private readonly options: ScreeningOptions) {
    this.screenerTimeoutMs = options.screenerTimeoutMs ?? 1000;
  }

  rulesetVersion(settings: Settings): string {
    return this.ruleset(settings).version;
  }

  rulesInForce(settings: Settings): readonly RuleInForce[] {
    return this.ruleset(settings).inForce();
  }

  /** The rules that `judge` asks under these settings. */
  ruleset(settings: Settings): Ruleset {
    let ruleset = this.rulesets.get(settings);
    if (ruleset === undefined) {
      ruleset = Ruleset.from(settings, this.options.screeners, this.options.label);
      this.rulesets.set(settings, ruleset);
    }
    return ruleset;
  }

  /** Asks every rule, whatever the control's mode. The caller resolves modes and fails closed. */
  async judge(text: string, context: ScreeningContext, settings: Settings): Promise<Judgement> {
    const started = performance.now();
    const ruleset = this.ruleset(settings);
    const elapsedUs = (): number => Math.round((performance.now() - started) * 1000);
    if (takeCodePoints(text, settings.get('normalization.max_prompt_length')).cut) {
      return tooLong(ruleset, settings, elapsedUs());
    }
    const errored = ruleset.broken.map(({ id }) => id);
    const { normalised, matches: found, views } = await readOrError(text, settings, ruleset, errored);
    const failures: ScreenerFailure[] = [];
    const matches = [...found, ...(await this.askScreeners(ruleset, text, context, failures))];
    errored.push(...failures.map(({ id }) => id));
    const deciding = matches.find(({ rule }) => ruleset.modeOf(rule).enforces()) ?? matches[0];
    return {
      matched: deciding !== undefined,
      couldNotJudge: errored.length > 0,
      reason: errored.length > 0 ? 'rule_error' : null,
      ruleId: deciding?.rule.id ?? null,
      ruleMode: deciding === undefined ? settings.mode('input_screen') : ruleset.modeOf(deciding.rule),
      matchedRules: firstSpansFirst(matches),
      matchedViews: views,
      erroredRuleIds: errored,
      failures,
      rulesetVersion: ruleset.version,
      durationUs: elapsedUs(),
      normalised: normalised.text,
      steps: normalised.steps,
    };
  }

  private async askScreeners(
    ruleset: Ruleset,
    text: string,
    context: ScreeningContext,
    failures: ScreenerFailure[],
  ): Promise<readonly Match[]> {
    const asked = ruleset.screeners.filter((screener) => !ruleset.isSilent(screener));
    const answers = await Promise.allSettled(
      asked.map((screener) => runScreener(screener, text, context, this.screenerTimeoutMs)),
    );
    return answers.flatMap((answer, index): Match[] => {
      const rule = asked[index];
      if (rule === undefined) return [];
      if (answer.status === 'fulfilled')
        return answer.value.length > 0 ? [{ rule, spans: answer.value }] : [];
      const reason = answer.reason instanceof Error ? answer.reason.message : String(answer.reason);
      failures.push({ id: rule.id, reason });
      this.options.onScreenerFailure?.({ id: rule.id, reason });
      return [];
    });
  }
}

/** A defect of ours must not let a text pass: no rule could say no to it. */
async function readOrError(
  text: string,
  settings: Settings,
  ruleset: Ruleset,
  errored: string[],
): Promise<Reading> {
  try {
    return await worked(read(text, settings, ruleset), text);
  } catch {
    errored.push(...ruleset.asked.map(({ id }) => id));
    return { normalised: { ...unmapped(''), steps: [] }, matches: [], views: [] };
  }
}

/** All of it fits between two turns of other work, where the text is short; else it pauses. */
async function worked<Result>(work: Resumable<Result>, text: string): Promise<Result> {
  return text.length > LONG_TEXT ? paced(work) : finished(work);
}

function* read(text: string, settings: Settings, ruleset: Ruleset): Resumable<Reading> {
  const normalised = yield* normalise(text, settings);
  const views = yield* viewsOf(text, normalised, settings);
  return { normalised, ...(yield* askRules(ruleset, views)) };
}

/**
 * What each rule finds in any view, told in the original. Where two views find the same place the earlier one
 * tells it, since a decoded part is known only as a whole. Of a long text a further view is read only where it
 * says something new.
 */
function* askRules(ruleset: Ruleset, views: readonly View[]): Resumable<Pick<Reading, 'matches' | 'views'>> {
  const told = ruleset.asked.map((): Span[] => []);
  const telling = new Set<string>();
  const [first] = views;
  for (const view of views) {
    const again = first !== undefined && view !== first && view.text.length > LONG_TEXT;
    const within = again ? yield* differences(view, first) : Beginnings.anywhere;
    const found = yield* ruleset.patterns.search(view.text, within);
    for (const [index, spans] of told.entries()) {
      for (const span of found[index] ?? []) {
        const original = view.toOriginal(span);
        if (spans.some((known) => overlap(known, original))) continue;
        spans.push(original);
        telling.add(view.name);
      }
    }
  }
  const matches = ruleset.asked.flatMap((rule, index): Match[] => {
    const spans = told[index] ?? [];
    if (spans.length === 0) return [];
    return [{ rule, spans: spans.toSorted(([start], [other]) => start - other).slice(0, MOST_SPANS) }];
  });
  return { matches, views: [...telling] };
}

function overlap([start, end]: Span, [otherStart, otherEnd]: Span): boolean {
  return start < otherEnd && otherStart < end;
}

function firstSpansFirst(matches: readonly Match[]): readonly MatchedRule[] {
  const told = (from: number, to?: number): MatchedRule[] =>
    matches.flatMap(({ rule, spans }) => spans.slice(from, to).map((span) => ({ ruleId: rule.id, span })));
  return [...told(0, 1), ...told(1)];
}

function tooLong(ruleset: Ruleset, settings: Settings, durationUs: number): Judgement {
  return {
    matched: false,
    couldNotJudge: true,
    reason: 'too_long',
    ruleId: null,
    ruleMode: settings.mode('input_screen'),
    matchedRules: [],
    matchedViews: [],
    erroredRuleIds: [],
    failures: [],
    rulesetVersion: ruleset.version,
    durationUs,
    normalised: '',
    steps: [],
  };
}
