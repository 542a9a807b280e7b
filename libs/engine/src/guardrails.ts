import type { ApprovalOutcome, OutcomeHandler } from '#contracts/approvals.js';
import type {
  AbortSignalLike,
  GuardedTool,
  GuardOptions,
  JsonSchema,
  Tool,
  ToolContext,
} from '#contracts/firewall.js';
import type { OutputContext, SanitizedOutput, SanitizedStructure } from '#contracts/output.js';
import type { ScreeningContext, ScreeningVerdict } from '#contracts/screening.js';
import type { ApprovalOutcomes } from './approvals/approval-outcomes.js';
import type { OutcomeNotifier } from './approvals/outcome-notifier.js';
import type { OutputGuard } from './output/output-guard.js';
import type { OutputSchema } from './output/structured-output.js';
import type { TextScreening } from './text-screening.js';
import type { ToolGuard } from './tool-guard.js';

/** The main operations: screen input, guard tools, sanitize output. */
export class Guardrails {
  constructor(
    private readonly texts: TextScreening,
    private readonly output: OutputGuard,
    private readonly tools: ToolGuard,
    private readonly outcomes: ApprovalOutcomes,
    private readonly outcomeNotifier: OutcomeNotifier,
  ) {}

  /**
   * Screens a text. Call it before the model runs, and do not run the model if the verdict is `blocked`. In
   * `enforce`, a verdict that cannot be recorded is an error.
   */
  async screen(text: string, context: ScreeningContext = {}): Promise<ScreeningVerdict> {
    return this.texts.screen(text, context);
  }

  /** Sanitizes model output. Show the returned `text`, not the input. */
  async sanitize(text: string, context: OutputContext = {}): Promise<SanitizedOutput> {
    return this.output.sanitize(text, context);
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
    return this.output.sanitizeStructured(value, schema, context);
  }

  /**
   * Sanitizes a stream. The output equals that of `sanitize` on the whole text, and at most 2 KB are held back (4 KB in a
   * paragraph of more than 64 KB).
   * Recorded once, also if the stream is cut off.
   */
  sanitizeStream(context: OutputContext = {}): TransformStream<string, string> {
    return this.output.stream(context);
  }

  /**
   * Wraps a tool. Pass the wrapped tool to the model, with the principal for whom it works. Its result is screened as
   * `tool_result` before the model reads it, unless `input_screen.screen_tool_results` is off.
   */
  guardTool<Result>(
    tool: Tool<Result>,
    context: ToolContext,
    options: GuardOptions<Result> = {},
  ): GuardedTool<Result> {
    return this.tools.guard(tool, context, options);
  }

  /**
   * The JSON Schema of a tool for the model: without owner keys, which the firewall sets. `null` where the schema has no
   * JSON form.
   */
  modelParameters(tool: Pick<Tool, 'parameters'>): JsonSchema | null {
    return this.tools.modelParameters(tool);
  }

  /** Waits for the outcome of a parked call by its id; replaces `parked.outcome()` after a restart. */
  approvalOutcome(approvalId: number, signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return this.outcomes.waitFor(approvalId, signal);
  }

  /**
   * Registers a handler for outcomes without waiting code. Each outcome is passed to a handler at least once, on
   * one instance, for at most a week. Returns a function that removes the handler.
   */
  onApprovalOutcome(handler: OutcomeHandler): () => void {
    return this.outcomeNotifier.onOutcome(handler);
  }
}
