import { ControlMode } from '#contracts/control-mode.js';
import type { MatchedRule, ScreeningContext, ScreeningVerdict } from '#contracts/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { CurrentSettings, DecisionRecorder } from './ports.js';
import { modeForOrigin } from './screening/ruleset.js';
import type { Screening } from './screening/screening.js';

/** Control B: screens a text and records the verdict. In `enforce`, a verdict that cannot be recorded is an error. */
export class TextScreening {
  constructor(
    private readonly settings: CurrentSettings,
    private readonly screening: Screening,
    private readonly recorder: DecisionRecorder,
  ) {}

  /** `tool` is the tool whose result it is. */
  async screen(
    text: string,
    context: ScreeningContext,
    {
      settings = this.settings.current(),
      tool,
    }: { readonly settings?: Settings; readonly tool?: string } = {},
  ): Promise<ScreeningVerdict> {
    const { origin = 'prompt' } = context;
    if (modeForOrigin(origin, settings).isOff()) return unscreened(this.screening.rulesetVersion(settings));
    const result = await this.screening.judge(text, context, settings);
    const { found: _found, tooLong, normalized: _normalized, steps: _steps, ...verdict } = result;
    const { outcome, mode, ruleId, matchedRules, erroredRuleIds, rulesetVersion, durationUs } = verdict;
    const auditId = await this.recorder.record(
      {
        event: EVENT_OF_SCREENING[outcome],
        control: 'input_screen',
        outcome,
        mode,
        origin,
        text,
        context,
        ...(tool !== undefined && { tool }),
        ruleId,
        matchedRules: decidingFirst(matchedRules, ruleId),
        erroredRuleIds,
        errored: verdict.couldNotJudge,
        tooLong,
        rulesetVersion,
        durationUs,
      },
      settings,
    );
    return { ...verdict, auditId };
  }
}

const EVENT_OF_SCREENING = {
  allowed: 'guardrails.prompt.allowed',
  observed: 'guardrails.injection.observed',
  blocked: 'guardrails.injection.blocked',
} as const;

function unscreened(rulesetVersion: string): ScreeningVerdict {
  return {
    matched: false,
    blocked: false,
    outcome: 'allowed',
    couldNotJudge: false,
    mode: ControlMode.off,
    ruleId: null,
    matchedRules: [],
    matchedViews: [],
    erroredRuleIds: [],
    refusalMessage: null,
    rulesetVersion,
    durationUs: 0,
    auditId: null,
  };
}

/** The audit shows the span of the deciding rule. */
function decidingFirst(matched: readonly MatchedRule[], ruleId: string | null): readonly MatchedRule[] {
  const isDeciding = (rule: MatchedRule): boolean => rule.ruleId === ruleId && rule.exception !== true;
  return [...matched.filter(isDeciding), ...matched.filter((rule) => !isDeciding(rule))];
}
