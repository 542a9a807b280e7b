import { ControlMode } from '../../contracts/src/control-mode.js';
import type { ApprovalOutcome, OutcomeHandler } from '../../contracts/src/approval-outcome.js';
import type { AbortSignalLike, GuardedTool, Tool, ToolContext } from '../../contracts/src/firewall.js';
import type { OutputContext, SanitizedOutput, SanitizedStructure } from '../../contracts/src/output.js';
import type { DecisionRecorder } from '../../contracts/src/recorder.js';
import type { ScreeningContext, ScreeningVerdict } from '../../contracts/src/screening.js';
import type { CurrentSettings } from '../../contracts/src/settings/current-settings.js';
import type { ApprovalOutcomes } from './approvals/approval-outcomes.js';
import type { OutcomeTelling } from './approvals/outcome-telling.js';
import type { OutputGuard } from './output/output-guard.js';
import type { OutputSchema } from './output/structured-output.js';
import { actionOf } from './screening/screening-action.js';
import type { Screening } from './screening/screening.js';
import type { ToolGuard } from './tool-guard.js';

/** The three verbs: screen what goes in, guard what the model calls, sanitize what comes out. */
export class Guardrails {
  constructor(
    private readonly settings: CurrentSettings,
    private readonly screening: Screening,
    private readonly output: OutputGuard,
    private readonly tools: ToolGuard,
    private readonly outcomes: ApprovalOutcomes,
    private readonly telling: OutcomeTelling,
    private readonly recorder: DecisionRecorder,
  ) {}

  /** Ask before the model runs, and do not run it when the verdict is `blocked`. In `enforce` a verdict that cannot be recorded is an error. */
  async screen(text: string, context: ScreeningContext = {}): Promise<ScreeningVerdict> {
    const settings = this.settings.current();
    if (settings.mode('input_screen').isOff()) return unscreened(this.screening.rulesetVersion(settings));
    const judgement = await this.screening.judge(text, context, settings);
    const { outcome, mode } = actionOf(judgement, settings);
    const { matchedRules, matchedViews, erroredRuleIds, couldNotJudge, ruleId, rulesetVersion, durationUs } =
      judgement;
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
      matchedViews,
      erroredRuleIds,
      refusalMessage: blocked ? settings.get('input_screen.refusal_message') : null,
      rulesetVersion,
      durationUs,
      auditId,
    };
  }

  /** Neutralises model output. Show `text` of the answer, never the text that went in. */
  async sanitize(text: string, context: OutputContext = {}): Promise<SanitizedOutput> {
    return this.output.sanitize(text, context);
  }

  /**
   * The same for a structure: every text in it, names included, and whether it fits its schema (JSON Schema, zod or
   * any Standard Schema). Use `value` of the answer: in `enforce` it is `null` where the structure does not fit.
   */
  async sanitizeStructured(
    value: unknown,
    schema: OutputSchema | null = null,
    context: OutputContext = {},
  ): Promise<SanitizedStructure> {
    return this.output.sanitizeStructured(value, schema, context);
  }

  /**
   * The same for an output that comes in chunks: what comes out is what `sanitize` makes of the whole, whatever the
   * borders, and at most 2 KB of it wait at any time. Recorded once, also where it breaks off.
   */
  sanitizeStream(context: OutputContext = {}): TransformStream<string, string> {
    return this.output.stream(context);
  }

  /** Stands around a tool: hand the model this one, with the principal that it works for. */
  guardTool<Result>(tool: Tool<Result>, context: ToolContext): GuardedTool<Result> {
    return this.tools.guard(tool, context);
  }

  /** Waits for what becomes of a parked call that is known by its id alone: `parked.outcome()` after a restart. */
  approvalOutcome(approvalId: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return this.outcomes.of(approvalId, signal);
  }

  /**
   * Has the handler go on where no code waits any more, because its process ended or gave up: each outcome is told at
   * least once, on one of the instances that have a handler, for a week at most. Answers how to take it back.
   */
  onApprovalOutcome(handler: OutcomeHandler): () => void {
    return this.telling.onOutcome(handler);
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
