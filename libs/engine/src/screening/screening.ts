import { setImmediate } from 'node:timers/promises';
import type {
  MatchedRule,
  Screener,
  ScreeningContext,
  ScreeningRule,
} from '../../../contracts/src/screening.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Span } from '../../../contracts/src/span.js';
import { takeCodePoints } from '../../../contracts/src/text.js';
import type { Judgement } from './judgement.js';
import { MOST_SPANS, type LinearRegex } from '../patterns/linear-regex.js';
import { normalise } from './normalisation.js';
import { PatternError } from '../patterns/pattern-error.js';
import { Ruleset } from './ruleset.js';
import { runScreener } from './screener-run.js';
import { viewsOf, type View } from './views.js';

export interface ScreeningOptions {
  readonly screeners: readonly Screener[];
  /** How long one screener may take; default one second. */
  readonly screenerTimeoutMs?: number;
  /** Begins the ruleset version; default `builtin`. */
  readonly label?: string;
}

/** Beyond this many units other work of the process gets its turn between two rules. */
const LONG_TEXT = 20_000;

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
    const normalised = normalise(text, settings);
    const errored: string[] = [];
    const matches = [
      ...(await askRules(ruleset, viewsOf(text, normalised, settings), errored)),
      ...(await this.askScreeners(ruleset, text, context, errored)),
    ];
    const deciding = matches.find(({ rule }) => ruleset.modeOf(rule).enforces()) ?? matches[0];
    return {
      matched: deciding !== undefined,
      couldNotJudge: errored.length > 0,
      reason: errored.length > 0 ? 'rule_error' : null,
      ruleId: deciding?.rule.id ?? null,
      ruleMode: deciding === undefined ? settings.mode('input_screen') : ruleset.modeOf(deciding.rule),
      matchedRules: firstSpansFirst(matches),
      erroredRuleIds: errored,
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
    errored: string[],
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
      errored.push(rule.id);
      return [];
    });
  }
}

async function askRules(
  ruleset: Ruleset,
  views: readonly View[],
  errored: string[],
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  const size = views.reduce((sum, view) => sum + view.text.length, 0);
  for (const rule of ruleset.rules) {
    if (ruleset.isSilent(rule)) continue;
    if (rule.regex instanceof PatternError) {
      errored.push(rule.id);
      continue;
    }
    if (size > LONG_TEXT) await setImmediate();
    try {
      const spans = spansIn(views, rule.regex);
      if (spans.length > 0) matches.push({ rule, spans });
    } catch {
      errored.push(rule.id);
    }
  }
  return matches;
}

/**
 * What one rule finds in any view, told in the original: ascending and without overlap. Where two views find
 * the same place the earlier one tells it, since a decoded part is known only as a whole.
 */
function spansIn(views: readonly View[], regex: LinearRegex): readonly Span[] {
  const spans: Span[] = [];
  for (const view of views) {
    for (const found of regex.spans(view.text)) {
      const span = view.toOriginal(found);
      if (!spans.some((known) => overlap(known, span))) spans.push(span);
    }
  }
  return spans.toSorted(([start], [otherStart]) => start - otherStart).slice(0, MOST_SPANS);
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
    erroredRuleIds: [],
    rulesetVersion: ruleset.version,
    durationUs,
    normalised: '',
    steps: [],
  };
}
