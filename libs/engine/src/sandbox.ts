import type { Rendering } from '#contracts/output.js';
import { TRIED } from './backtest.js';
import type { Outcome } from '#contracts/control-mode.js';
import { CLASSIFIER_ID, isCounted, type MatchedRule, type ScreeningContext } from '#contracts/screening.js';
import type { Screening, ScreeningResult } from './screening/screening.js';
import { utf8Spans } from './text/utf8.js';
import type { LiveSettings } from './settings/live-settings.js';
import type { PlacedFinding, Sanitizer } from './output/sanitizer.js';

export interface SandboxScreening {
  readonly result: ScreeningResult;
  /**
   * A rule matched in any mode, the prompt could not be judged and failures count as matches, or the live mode would
   * have blocked it. What only the classifier observes is not blocked.
   */
  readonly blocked: boolean;
  /** What the live mode would have done. */
  readonly action: Outcome;
  readonly refusalMessage: string | null;
  /** Spans in UTF-8 bytes of the prompt as given. */
  readonly matched: readonly (MatchedRule & { readonly text: string })[];
}

/** Applies the live rules, or a candidate, to a text without recording it: it has no access to a store or a publisher. */
export class Sandbox {
  constructor(
    private readonly screening: Screening,
    private readonly sanitizer: Sanitizer,
    private readonly settings: LiveSettings,
  ) {}

  /** @param candidate overrides to try, as in an update of the settings */
  async screen(
    prompt: string,
    context: Pick<ScreeningContext, 'application' | 'origin'> = {},
    candidate?: Readonly<Record<string, unknown>>,
  ): Promise<SandboxScreening> {
    if (candidate !== undefined) await this.settings.compile(candidate);
    const settings =
      candidate === undefined
        ? this.settings.current()
        : this.settings.candidate(candidate, (key) => TRIED.input_screen.test(key));
    const result = await this.screening.judge(prompt, context, settings);
    const isFailure = result.couldNotJudge && settings.get('pattern_safety.on_match_error') === 'closed';
    const byRule = result.matchedRules.some((match) => isCounted(match) && match.ruleId !== CLASSIFIER_ID);
    const blocked = byRule || isFailure || result.outcome === 'blocked';
    const spans = utf8Spans(
      prompt,
      result.matchedRules.map(({ span }) => span),
    );
    return {
      result,
      blocked,
      action: result.mode.isOff() ? 'allowed' : result.outcome,
      refusalMessage: blocked ? settings.get('input_screen.refusal_message') : null,
      matched: result.matchedRules.map((matched, index) => ({
        ...matched,
        span: spans[index] ?? [0, 0],
        text: prompt.slice(...matched.span),
      })),
    };
  }

  /** Spans in UTF-8 bytes of their text. `rendering` defaults to the configured one. */
  sanitize(
    text: string,
    rendering?: Rendering,
  ): { readonly text: string; readonly findings: readonly PlacedFinding[] } {
    const sanitized = this.sanitizer.sanitizePlaced(text, this.settings.current(), { rendering });
    const spans = utf8Spans(
      text,
      sanitized.findings.map(({ span }) => span),
    );
    const outputSpans = utf8Spans(
      sanitized.text,
      sanitized.findings.map(({ outputSpan }) => outputSpan),
    );
    const findings = sanitized.findings.map((finding, index) => ({
      ...finding,
      span: spans[index] ?? ([0, 0] as const),
      outputSpan: outputSpans[index] ?? ([0, 0] as const),
    }));
    return { text: sanitized.text, findings };
  }
}
