import type { Finding, Rendering } from '#contracts/output.js';
import type { CurrentSettings } from './ports.js';
import type { MatchedRule } from '#contracts/screening.js';
import type { Screening, ScreeningResult } from './screening/screening.js';
import { utf8Spans } from './text/utf8.js';
import type { Sanitizer } from './output/sanitizer.js';

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

/** Applies the live rules to a text without recording it: it has no access to a store or a publisher. */
export class Sandbox {
  constructor(
    private readonly screening: Screening,
    private readonly sanitizer: Sanitizer,
    private readonly settings: CurrentSettings,
  ) {}

  async screen(prompt: string, application?: string): Promise<SandboxScreening> {
    const settings = this.settings.current();
    const result = await this.screening.judge(
      prompt,
      { ...(application !== undefined && { application }) },
      settings,
    );
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

  /** Spans in UTF-8 bytes of the text as given. `rendering` defaults to the configured one. */
  sanitize(
    text: string,
    rendering?: Rendering,
  ): { readonly text: string; readonly findings: readonly Finding[] } {
    const sanitized = this.sanitizer.sanitize(text, this.settings.current(), { rendering });
    const spans = utf8Spans(
      text,
      sanitized.findings.map(({ span }) => span),
    );
    const findings = sanitized.findings.map((finding, index) => ({
      ...finding,
      span: spans[index] ?? ([0, 0] as const),
    }));
    return { text: sanitized.text, findings };
  }
}
