import type { Finding, Rendering } from '#contracts/output.js';
import type { Span } from '#contracts/text.js';
import { TRIED } from './backtest.js';
import type { MatchedRule, ScreeningContext } from '#contracts/screening.js';
import type { Screening, ScreeningResult } from './screening/screening.js';
import { utf8Spans } from './text/utf8.js';
import type { LiveSettings } from './settings/live-settings.js';
import type { Sanitizer } from './output/sanitizer.js';
import { runInSlices } from './resumable.js';

export interface SandboxScreening {
  readonly result: ScreeningResult;
  /** A rule matched in any mode, or the prompt could not be judged and failures count as matches. */
  readonly blocked: boolean;
  /** Whether the live mode would have blocked the prompt. */
  readonly wouldEnforce: boolean;
  readonly refusalMessage: string | null;
  /** Spans in UTF-8 bytes of the prompt as given. */
  readonly matched: readonly (MatchedRule & { readonly text: string })[];
}

export interface PlacedFinding extends Finding {
  /** UTF-8 bytes of the sanitized text; empty where the found text was removed. */
  readonly outputSpan: Span;
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
    const spans = utf8Spans(
      prompt,
      result.matchedRules.map(({ span }) => span),
    );
    return {
      result,
      blocked: result.found,
      wouldEnforce: result.outcome === 'blocked',
      refusalMessage: result.found ? settings.get('input_screen.refusal_message') : null,
      matched: result.matchedRules.map((matched, index) => ({
        ...matched,
        span: spans[index] ?? [0, 0],
        text: prompt.slice(...matched.span),
      })),
    };
  }

  /** Spans in UTF-8 bytes of their text. `rendering` defaults to the configured one. */
  async sanitize(
    text: string,
    rendering?: Rendering,
  ): Promise<{ readonly text: string; readonly findings: readonly PlacedFinding[] }> {
    const session = this.sanitizer.begin(this.settings.current(), { rendering }, true);
    const clean = await runInSlices(session.whole(text));
    const { report } = session;
    const { findings } = report;
    const spans = utf8Spans(
      text,
      findings.map(({ span }) => span),
    );
    const outputSpans = utf8Spans(
      clean,
      findings.map(({ span }) => report.placeOf(span)),
    );
    const placed = findings.map((finding, index) => ({
      ...finding,
      span: spans[index] ?? ([0, 0] as const),
      outputSpan: outputSpans[index] ?? ([0, 0] as const),
    }));
    return { text: clean, findings: placed };
  }
}
