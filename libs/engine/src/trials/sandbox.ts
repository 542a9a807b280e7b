// POST /try/screen and POST /try/sanitize call it.
import type { TrySanitizeData, TryScreenData } from '#contracts/api/try.js';
import { OUTPUT_KINDS, type OutputKind, type Rendering } from '#contracts/output/output.js';
import { TRIED_SETTINGS } from '#contracts/common/control-mode.js';
import { CLASSIFIER_ID, isCounted, type ScreeningContext } from '#contracts/screening/screening.js';
import type { Screening } from '../controls/screening/screening.js';
import { byteSpans } from '#contracts/common/spans.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { Sanitizer } from '../controls/output/sanitizer.js';
import { runInSlices } from '../shared/resumable.js';

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
  ): Promise<TryScreenData> {
    if (candidate !== undefined) await this.settings.compile(candidate);
    const settings =
      candidate === undefined
        ? this.settings.current()
        : this.settings.candidate(candidate, (key) => TRIED_SETTINGS.input_screen.test(key));
    const result = await this.screening.judge(prompt, context, settings);
    // A match that only the classifier observes does not belong to the verdict of the rules.
    const isFailure = result.couldNotJudge && settings.get('pattern_safety.on_match_error') === 'closed';
    const byRule = result.matchedRules.some((match) => isCounted(match) && match.ruleId !== CLASSIFIER_ID);
    const blocked = byRule || isFailure || result.outcome === 'blocked';
    const action = result.mode.isOff() ? 'allowed' : result.outcome;
    const spans = byteSpans(
      prompt,
      result.matchedRules.map(({ span }) => span),
    );
    return {
      blocked,
      action,
      would_enforce: action === 'blocked',
      rule_id: result.ruleId,
      refusal_message: blocked ? settings.get('input_screen.refusal_message') : null,
      ruleset_version: result.rulesetVersion,
      matched_rules: result.matchedRules.map(({ ruleId, span, ...match }, index) => ({
        rule_id: ruleId,
        ...match,
        span: spans[index] ?? [0, 0],
        text: prompt.slice(...span),
      })),
      not_judged_rule_ids: result.notJudgedIds,
      errored_screeners: result.screenerFailures.map(({ id, reason }) => ({ id, reason })),
      normalized: result.normalized,
      normalization_steps: result.steps,
    };
  }

  /** Spans in UTF-8 bytes of their text. `rendering` defaults to the configured one. */
  async sanitize(text: string, rendering?: Rendering): Promise<TrySanitizeData> {
    const session = this.sanitizer.begin(this.settings.current(), { rendering }, true);
    const sanitized = await runInSlices(session.whole(text));
    const { report } = session;
    const { findings } = report;
    const spans = byteSpans(
      text,
      findings.map(({ span }) => span),
    );
    const outputSpans = byteSpans(
      sanitized,
      findings.map(({ span }) => report.placeOf(span)),
    );
    const countOf = (wanted: OutputKind) => findings.filter(({ kind }) => kind === wanted).length;
    return {
      sanitized,
      kinds: Object.fromEntries(
        OUTPUT_KINDS.map((kind) => [kind, countOf(kind)]),
      ) as TrySanitizeData['kinds'],
      findings: findings.map(({ kind, detector }, index) => ({
        kind,
        detector,
        span: spans[index] ?? [0, 0],
        output_span: outputSpans[index] ?? [0, 0],
      })),
    };
  }
}
