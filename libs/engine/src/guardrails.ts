// What a host calls.
import { ControlMode } from '#contracts/common/control-mode.js';
import type { ApprovalOutcome, OutcomeHandler } from '#contracts/approvals/approvals.js';
import type {
  AbortSignalLike,
  GuardedTool,
  GuardOptions,
  JsonSchema,
  ReadResult,
  Tool,
  ToolArguments,
  ToolCallOutcome,
  ToolContext,
  ToolParameters,
} from '#contracts/firewall/firewall.js';
import type { OutputContext, SanitizedOutput, SanitizedStructure } from '#contracts/output/output.js';
import type { CurrentSettings, DecisionRecorder } from './shared/ports.js';
import {
  isCounted,
  type RunContext,
  type ScreenedOrigin,
  type MatchedRule,
  type ScreeningContext,
  type ScreeningVerdict,
} from '#contracts/screening/screening.js';
import type { ApprovalOutcomes } from './controls/approvals/approval-outcomes.js';
import type { OutcomeNotifier } from './controls/approvals/outcome-notifier.js';
import type { OutputGuard } from './controls/output/output-guard.js';
import type { OutputSchema } from './controls/output/structured-output.js';
import type { Figures } from './metrics/figures.js';
import { markedText, readParts } from './tools/read-parts.js';
import type { Freezes } from './settings/freezes.js';
import type { FreezeData, FreezeOrder } from '#contracts/freeze/freezes.api.js';
import type { Screening } from './controls/screening/screening.js';
import { trustedTexts } from './runs/trusted-results.js';
import type { RunMemory } from './runs/run-memory.js';
import type { ToolGuard } from './tools/tool-guard.js';
import type { Tracing } from './shared/tracing.js';

interface GuardrailsOptions {
  readonly settings: CurrentSettings;
  readonly screening: Screening;
  readonly output: OutputGuard;
  readonly tools: ToolGuard;
  readonly freezes: Freezes;
  readonly outcomes: Pick<ApprovalOutcomes, 'waitFor'>;
  readonly outcomeNotifier: OutcomeNotifier;
  readonly recorder: DecisionRecorder;
  readonly runs: RunMemory;
  readonly figures: Figures;
  readonly tracing: Tracing;
}

/** The main operations: screen input, guard tools, sanitize output. */
export class Guardrails {
  /** What monitoring reads. */
  readonly figures: Figures;
  /** Set by `traceGuardrails` of `nest-guardrails/opentelemetry`. */
  readonly tracing: Tracing;

  constructor(private readonly options: GuardrailsOptions) {
    this.figures = options.figures;
    this.tracing = options.tracing;
  }

  /**
   * Screens a text. Call it before the model runs, and do not run the model if the verdict is `blocked`. In
   * `enforce`, a verdict that cannot be recorded is an error.
   */
  async screen(text: string, context: ScreeningContext = {}): Promise<ScreeningVerdict> {
    if (typeof text !== 'string') throw new TypeError(`The text is ${typeof text}: pass a string.`);
    return this.decide(text, context);
  }

  /** @param text `null` if it could not be read */
  private async decide(text: string | null, context: ScreeningContext): Promise<ScreeningVerdict> {
    const settings = this.options.settings.current();
    const { origin = 'prompt', tool } = context;
    if (settings.modeForOrigin(origin).isOff()) {
      const facts = { isBlocked: false, isSuspect: false, entryId: null };
      await this.options.runs.read({ text, context, ...facts }, settings);
      return unscreened(this.options.screening.rulesetVersion(settings));
    }
    const result = await this.options.screening.judge(text, context, settings);
    const {
      found: _found,
      tooLong,
      isSuspect,
      normalized: _normalized,
      steps: _steps,
      times,
      ...verdict
    } = result;
    this.figures.screening.add(times);
    this.tracing.screened(times);
    const { outcome, mode, ruleId, matchedRules, erroredRuleIds, notJudgedIds, rulesetVersion, durationUs } =
      verdict;
    const auditId = await this.options.recorder.record(
      {
        event: EVENT_OF_SCREENING[outcome],
        control: 'input_screen',
        outcome,
        mode,
        origin,
        text: text ?? '',
        context,
        ...(tool !== undefined && { tool }),
        ruleId,
        matchedRules: [...decidingFirst(matchedRules, ruleId), ...notJudgedIds.map(notJudged)],
        erroredRuleIds,
        errored: verdict.couldNotJudge,
        tooLong,
        rulesetVersion,
        durationUs,
      },
      settings,
    );
    const { blocked: isBlocked } = verdict;
    await this.options.runs.read({ text, context, isBlocked, isSuspect, entryId: auditId }, settings);
    return { auditId, ...verdict };
  }

  /** Screens a text of others, and returns what the model may read: the text, or the refusal. */
  async read(
    text: string,
    context: ScreeningContext & { readonly origin: Exclude<ScreenedOrigin, 'prompt'> },
  ): Promise<string> {
    // Untyped code may leave the origin out. As a prompt, the text would vouch.
    const origin = context.origin === 'tool_result' ? context.origin : 'document';
    const { blocked, refusalMessage } = await this.screen(text, { ...context, origin });
    return blocked ? (refusalMessage ?? 'The text was refused.') : text;
  }

  /** These texts vouch for arguments of the run, as what its user typed. Pass only what no stranger could write. */
  async trust(texts: readonly string[], context: RunContext): Promise<void> {
    await this.options.runs.trust(texts, context, this.options.settings.current());
  }

  /** Forgets what the run has read. Do not use its id again: it would be the id of a new run. */
  async endRun(context: RunContext): Promise<void> {
    await this.options.runs.end(context);
  }

  /** Sanitizes model output. Show the returned `text`, not the input. */
  async sanitize(text: string, context: OutputContext = {}): Promise<SanitizedOutput> {
    return this.options.output.sanitize(text, context);
  }

  /**
   * Sanitizes every text of a structure, including property names, and validates it against a schema (JSON Schema,
   * zod or any Standard Schema). Use the returned `value`: in `enforce` it is `null` where the structure does not
   * match.
   */
  async sanitizeStructured(
    value: unknown,
    schema: OutputSchema | null = null,
    context: OutputContext = {},
  ): Promise<SanitizedStructure> {
    return this.options.output.sanitizeStructured(value, schema, context);
  }

  /**
   * Sanitizes a stream. The output equals that of `sanitize` on the whole text, shown word by word: a few
   * words are held back, and at most 2 KB (4 KB in a paragraph of more than 64 KB).
   * Recorded once, also if the stream is cut off.
   */
  sanitizeStream(context: OutputContext = {}): TransformStream<string, string> {
    return this.options.output.stream(context);
  }

  /**
   * Wraps a tool. Pass the wrapped tool to the model, with the principal for whom it works. The result of a call that runs at
   * once is screened as `tool_result` before you get it, unless `input_screen.screen_tool_results` is off. The outcome of a call
   * that waited for approval is not: see `ApprovalOutcome`.
   *
   * Make the tool once, and pass what differs by request in the context: an approval runs code that was guarded before, so a call
   * that needs approval is refused if its `execute` is another function than that of an earlier tool with this name.
   */
  guardTool<Result, const Parameters extends ToolParameters>(
    tool: Tool<Result, Parameters>,
    context: ToolContext,
    { readResult = readParts, notText = 'record', resumes = false }: GuardOptions<Result> = {},
  ): GuardedTool<Result> {
    const guarded = this.options.tools.guard(tool, context, resumes);
    return {
      tool,
      execute: async (args) => {
        // The model may read the error of a tool.
        const outcome = await guarded.execute(args).catch(async (error: unknown) => {
          await this.options.runs.readUnscreened(context, this.options.settings.current());
          throw error;
        });
        if (outcome.status !== 'executed') return outcome;
        const read = once(async () => readResult(outcome.result));
        const refusal =
          (await this.blockedResult(tool, context, read, isNothing(outcome.result))) ??
          (notText === 'refuse' ? await this.notTextResult(read) : null);
        if (refusal !== null) return refusal;
        await this.trust(trustedTexts(tool, outcome.result), context);
        return outcome;
      },
    };
  }

  /**
   * The JSON Schema of a tool for the model: without owner keys, which the firewall sets. `null` where the schema has no
   * JSON form.
   */
  modelParameters(tool: Pick<Tool, 'parameters'>): JsonSchema | null {
    return this.options.tools.modelParameters(tool);
  }

  /** The arguments of a call with its owner keys as the firewall sets them, for what shows a call before it runs. */
  ownedArguments(tool: Tool, args: ToolArguments, context: ToolContext): ToolArguments {
    return this.options.tools.ownedArguments(tool, args, context);
  }

  /** Waits for the outcome of a pending call by its id, as `parked.outcome()` does; also after a restart. It is not screened. */
  approvalOutcome(approvalId: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return this.options.outcomes.waitFor(approvalId, signal);
  }

  /**
   * Registers a handler for outcomes without waiting code. They are not screened: see `ApprovalOutcome`. Each is passed to a handler at least once, on
   * one instance, for at most a week. Returns a function that removes the handler.
   */
  onApprovalOutcome(handler: OutcomeHandler): () => void {
    return this.options.outcomeNotifier.onOutcome((outcome) => {
      const settings = this.options.settings.current();
      if (!this.options.runs.isAsked(settings)) return handler(outcome);
      return this.options.runs.readOutcome(outcome, settings).then(handler);
    });
  }

  /**
   * Stops all tools, one tool or the calls of one application on every instance, until somebody lifts the freeze: from the
   * panel, the API or the command line.
   */
  freeze({ actorId, ...order }: FreezeOrder & { readonly actorId: string }): Promise<FreezeData> {
    return this.options.freezes.freeze(order, { actorId, requestId: null });
  }

  /** `null`: the model may read the result. */
  private async blockedResult(
    tool: Tool,
    context: ToolContext,
    read: Read,
    isEmpty: boolean,
  ): Promise<RefusedResult | null> {
    const settings = this.options.settings.current();
    const source = { ...context, origin: 'tool_result', tool: tool.name } as const;
    const isScreened = settings.get('input_screen.screen_tool_results');
    const result = isScreened ? await read() : null;
    const text = result === null ? null : markedText(result);
    if (!isScreened || text === '') {
      if (!isEmpty) await this.options.runs.readUnscreened(context, settings);
      return null;
    }
    const verdict = text === null ? this.decide(null, source) : this.screen(text, source);
    const { blocked, refusalMessage, mode, ruleId } = await verdict;
    if (!blocked) return null;
    const message = refusalMessage ?? 'The result of the tool was blocked.';
    return this.tracing.decided(refusedResult(message), mode, ruleId);
  }

  /** `null`: every part is text. */
  private async notTextResult(read: Read): Promise<RefusedResult | null> {
    const result = await read();
    if (result?.notText.length === 0) return null;
    return this.tracing.decided(refusedResult(NOT_TEXT_RESULT), ControlMode.enforce);
  }
}

/** The refusal of a result where the host refuses parts that are not text. */
export const NOT_TEXT_RESULT = 'The result was refused because it contains parts that are not text.';

/** Nothing that a model could read. */
const isNothing = (result: unknown) => result === undefined || result === null || result === '';

type RefusedResult = Extract<ToolCallOutcome<never>, { status: 'refused' }>;

function refusedResult(message: string): RefusedResult {
  return { status: 'refused', approvalId: null, reason: 'result', violations: {}, message };
}

/** `null` if the result cannot be read, for example because a property throws. */
type Read = () => Promise<ReadResult | null>;

function once(read: () => Promise<string | ReadResult>) {
  let result: ReturnType<Read> | null = null;
  return () =>
    (result ??= read().then(
      (given) => (typeof given === 'string' ? { text: given, notText: [] } : given),
      () => null,
    ));
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
    notJudgedIds: [],
    refusalMessage: null,
    rulesetVersion,
    durationUs: 0,
    auditId: null,
  };
}

const notJudged = (ruleId: string): MatchedRule => ({ ruleId, span: [0, 0], notJudged: true });

/** The audit shows the span of the deciding rule. */
function decidingFirst(matched: readonly MatchedRule[], ruleId: string | null): readonly MatchedRule[] {
  const isDeciding = (rule: MatchedRule) => rule.ruleId === ruleId && isCounted(rule);
  return [...matched.filter(isDeciding), ...matched.filter((rule) => !isDeciding(rule))];
}
