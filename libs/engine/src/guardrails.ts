import { ControlMode } from '../../contracts/src/control-mode.js';
import type { GuardedTool, Tool, ToolContext } from '../../contracts/src/firewall.js';
import type { Finding, OutputContext, OutputCount, SanitizedOutput } from '../../contracts/src/output.js';
import type { DecisionRecorder } from '../../contracts/src/recorder.js';
import type { ScreeningContext, ScreeningVerdict } from '../../contracts/src/screening.js';
import type { CurrentSettings } from '../../contracts/src/settings/current-settings.js';
import type { Settings } from '../../contracts/src/settings/settings.js';
import type { Sanitiser } from './output/sanitiser.js';
import { actionOf } from './screening/screening-action.js';
import type { Screening } from './screening/screening.js';
import type { ToolGuard } from './tool-guard.js';

/** Stands for an output that could not be judged. */
const WITHHELD = '[output withheld]';

/** The three verbs: screen what goes in, guard what the model calls, sanitize what comes out. */
export class Guardrails {
  constructor(
    private readonly settings: CurrentSettings,
    private readonly screening: Screening,
    private readonly sanitiser: Sanitiser,
    private readonly tools: ToolGuard,
    private readonly recorder: DecisionRecorder,
  ) {}

  /** Ask before the model runs, and do not run it when the verdict is `blocked`. In `enforce` a verdict that cannot be recorded is an error. */
  async screen(text: string, context: ScreeningContext = {}): Promise<ScreeningVerdict> {
    const settings = this.settings.current();
    if (settings.mode('input_screen').isOff()) return unscreened(this.screening.rulesetVersion(settings));
    const judgement = await this.screening.judge(text, context, settings);
    const { outcome, mode } = actionOf(judgement, settings);
    const { matchedRules, erroredRuleIds, couldNotJudge, ruleId, rulesetVersion, durationUs } = judgement;
    const auditId = await this.recorder.record(
      {
        event: EVENT_OF_SCREENING[outcome],
        control: 'input_screen',
        outcome,
        mode,
        origin: context.origin ?? 'prompt',
        text,
        context,
        ruleId,
        matchedRules: decidingFirst(matchedRules, ruleId),
        erroredRuleIds,
        errored: couldNotJudge,
        tooLong: judgement.reason === 'too_long',
        rulesetVersion,
        durationUs,
      },
      settings,
    );
    const blocked = outcome === 'blocked';
    return {
      matched: judgement.matched,
      blocked,
      outcome,
      couldNotJudge,
      mode,
      ruleId,
      matchedRules,
      erroredRuleIds,
      refusalMessage: blocked ? settings.get('input_screen.refusal_message') : null,
      rulesetVersion,
      durationUs,
      auditId,
    };
  }

  /** Neutralises model output. Show `text` of the answer, never the text that went in. */
  async sanitize(text: string, context: OutputContext = {}): Promise<SanitizedOutput> {
    const settings = this.settings.current();
    const mode = settings.mode('output_handler');
    if (mode.isOff()) return { text, found: false, findings: [], mode, outcome: 'allowed', auditId: null };
    const started = performance.now();
    const sanitised = this.sanitised(text, settings);
    const found = sanitised.errored || sanitised.findings.length > 0;
    const outcome = mode.outcomeOf(found);
    const auditId = await this.recorder.record(
      {
        event: found ? 'guardrails.output.sanitized' : 'guardrails.output.clean',
        control: 'output_handler',
        outcome,
        mode,
        origin: 'output',
        text,
        context,
        errored: sanitised.errored,
        outputCounts: countsOf(sanitised.findings, mode.enforces()),
        rulesetVersion: this.screening.rulesetVersion(settings),
        durationUs: Math.round((performance.now() - started) * 1000),
      },
      settings,
    );
    const shown = mode.enforces() ? sanitised.text : text;
    return { text: shown, found, findings: sanitised.findings, mode, outcome, auditId };
  }

  /** A host's detector may throw. What could not be judged is withheld where the control enforces, and recorded in any case. */
  private sanitised(
    text: string,
    settings: Settings,
  ): Pick<SanitizedOutput, 'text' | 'findings'> & { readonly errored: boolean } {
    try {
      return { ...this.sanitiser.sanitise(text, settings), errored: false };
    } catch {
      return { text: WITHHELD, findings: [], errored: true };
    }
  }

  /** Stands around a tool: hand the model this one, with the principal that it works for. */
  guardTool<Result>(tool: Tool<Result>, context: ToolContext): GuardedTool<Result> {
    return this.tools.guard(tool, context);
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
    erroredRuleIds: [],
    refusalMessage: null,
    rulesetVersion,
    durationUs: 0,
    auditId: null,
  };
}

/** The audit shows the span of the rule that decided. */
function decidingFirst<Matched extends { readonly ruleId: string }>(
  matched: readonly Matched[],
  ruleId: string | null,
): readonly Matched[] {
  return [
    ...matched.filter((rule) => rule.ruleId === ruleId),
    ...matched.filter((rule) => rule.ruleId !== ruleId),
  ];
}

function countsOf(findings: readonly Finding[], enforced: boolean): readonly OutputCount[] {
  const counts = new Map<string, OutputCount>();
  for (const { kind, detector } of findings) {
    const key = `${kind}\u0000${detector}`;
    counts.set(key, { kind, detector, enforced, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
