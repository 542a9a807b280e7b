import { ReadableStream } from 'node:stream/web';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { Tool, ToolArguments, ToolCallOutcome, ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/index.js';

const MAX_TOOL_CALLS = 3;

const CANNOT_DO = 'I cannot do that.';

/** The conversation so far, oldest message first. */
export type Message =
  | { readonly from: 'customer'; readonly text: string }
  | { readonly from: 'tool'; readonly tool: string; readonly text: string };

export type ModelStep<Text = string | AsyncIterable<string>> =
  | { readonly kind: 'answer'; readonly text: Text }
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: ToolArguments };

/** The language model. Implement it to connect a real one. */
export abstract class Model {
  abstract next(conversation: readonly Message[]): ModelStep | Promise<ModelStep>;
}

export type Caller = Required<Pick<ToolContext, 'principalId' | 'application' | 'runId'>>;

/** A tool call of the model and its outcome. */
interface ToolStep {
  readonly tool: string;
  readonly asked: ToolArguments;
  readonly status: ToolCallOutcome['status'];
  /** The arguments of the execution: the firewall replaces the customer id. `null` if the tool did not run. */
  readonly ran: ToolArguments | null;
  readonly violations: Readonly<Record<string, string>>;
  /** Set if the call waits for approval. */
  readonly waiting: { readonly approvalId: number; readonly reference: string } | null;
}

/** One question with its answer and tool calls. */
export interface ChatTurn {
  readonly runId: string;
  /** The sanitized text for the customer. */
  readonly answer: string;
  /** The text of the model, which the demo shows for comparison. `null` if the model was not called. */
  readonly draft: string | null;
  readonly tools: readonly ToolStep[];
}

/** Shows the next part of an answer. */
type Show = (part: string) => void;

/**
 * Runs one turn with all guardrails: screens the question before the model gets it, guards each tool call, screens each
 * tool result before the model gets it, and sanitizes the answer before the customer gets it.
 */
export class Assistant {
  private readonly tools: ReadonlyMap<string, Tool<string>>;

  constructor(
    private readonly guardrails: Guardrails,
    private readonly model: Model,
    tools: readonly Tool<string>[],
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** `show` gets the sanitized answer as the model writes it. */
  async ask(question: string, caller: Caller, show: Show = () => {}): Promise<ChatTurn> {
    const turn = new TurnInProgress(caller.runId);
    const verdict = await this.guardrails.screen(question, caller);
    if (verdict.blocked) return turn.refuse(verdict.refusalMessage);

    const conversation: Message[] = [{ from: 'customer', text: question }];
    for (;;) {
      const step = await this.model.next(conversation);
      if (step.kind === 'answer') return this.answer(step.text, turn, caller, show);
      const called = await this.callTool(step, turn, caller);
      if (called.kind === 'stopped') return this.answer(called.message, turn, caller, show);
      if (called.kind === 'blocked') return turn.refuse(called.message);
      conversation.push({ from: 'tool', tool: step.tool, text: called.text });
    }
  }

  /** Continues after an approved call has run. Its result is screened like every other tool result. */
  async resume(tool: string, result: string, caller: Caller): Promise<ChatTurn> {
    const turn = new TurnInProgress(caller.runId);
    const screened = await this.guardrails.screen(result, { ...caller, origin: 'tool_result' });
    if (screened.blocked) return turn.refuse(screened.refusalMessage);
    const step = await this.model.next([{ from: 'tool', tool, text: result }]);
    return this.answer(step.kind === 'answer' ? step.text : CANNOT_DO, turn, caller);
  }

  private async callTool(
    step: Extract<ModelStep, { kind: 'call' }>,
    turn: TurnInProgress,
    caller: Caller,
  ): Promise<
    | { readonly kind: 'result'; readonly text: string }
    | { readonly kind: 'stopped'; readonly message: string }
    | { readonly kind: 'blocked'; readonly message: string | null }
  > {
    const tool = this.tools.get(step.tool);
    if (tool === undefined || turn.callCount === MAX_TOOL_CALLS)
      return { kind: 'stopped', message: CANNOT_DO };
    const guarded = this.guardrails.guardTool(tool, {
      ...caller,
      stepName: `${turn.callCount + 1}. ${tool.name}`,
    });
    try {
      const outcome = await guarded.execute(step.arguments);
      turn.addCall(step, outcome);
      if (outcome.status === 'executed') return { kind: 'result', text: outcome.result };
      const isBlocked = outcome.status === 'refused' && outcome.reason === 'result';
      return { kind: isBlocked ? 'blocked' : 'stopped', message: outcome.message };
    } catch (error) {
      // A GuardrailsError means that the decision was not recorded, so the turn must fail.
      if (error instanceof GuardrailsError || !(error instanceof Error)) throw error;
      const screened = await this.guardrails.screen(error.message, { ...caller, origin: 'tool_result' });
      return screened.blocked
        ? { kind: 'blocked', message: screened.refusalMessage }
        : { kind: 'result', text: error.message };
    }
  }

  private async answer(
    text: string | AsyncIterable<string>,
    turn: TurnInProgress,
    caller: Caller,
    show: Show = () => {},
  ): Promise<ChatTurn> {
    let draft = '';
    async function* tokens(): AsyncGenerator<string> {
      for await (const token of typeof text === 'string' ? [text] : text) {
        draft += token;
        yield token;
      }
    }
    // `text` is enough for a page that shows plain text. `markdown` shows visitors what the output handler neutralizes.
    const sanitizer = this.guardrails.sanitizeStream({ ...caller, rendering: 'markdown' });
    let answer = '';
    for await (const part of ReadableStream.from(tokens()).pipeThrough(sanitizer)) {
      answer += part;
      show(part);
    }
    return turn.complete(answer, draft);
  }
}

class TurnInProgress {
  private readonly tools: ToolStep[] = [];

  constructor(private readonly runId: string) {}

  get callCount(): number {
    return this.tools.length;
  }

  addCall(step: Extract<ModelStep, { kind: 'call' }>, outcome: ToolCallOutcome): void {
    this.tools.push({
      tool: step.tool,
      asked: step.arguments,
      status: outcome.status,
      ran: outcome.status === 'executed' ? outcome.arguments : null,
      violations: outcome.status === 'refused' ? outcome.violations : {},
      waiting:
        outcome.status === 'parked'
          ? { approvalId: outcome.parked.approvalId, reference: outcome.parked.reference }
          : null,
    });
  }

  complete(answer: string, draft: string): ChatTurn {
    return { ...this.turn(answer), draft };
  }

  /** The turn was blocked. The customer gets the refusal message only. */
  refuse(message: string | null): ChatTurn {
    return this.turn(message ?? '');
  }

  private turn(answer: string): ChatTurn {
    return { runId: this.runId, answer, draft: null, tools: this.tools };
  }
}
