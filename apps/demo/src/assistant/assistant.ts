import { GuardrailsError, type Tool, type ToolContext } from '../../../../libs/contracts/src/index.js';
import type { Guardrails } from '../../../../libs/engine/src/index.js';
import { TurnInProgress, type ChatTurn } from './chat-turn.js';
import type { Message, Model, ModelStep } from './model.js';

/** A model that calls one tool after the other without end is stopped here. */
const MOST_CALLS = 3;

const UNABLE = 'I cannot do that.';

export type Caller = Required<Pick<ToolContext, 'principalId' | 'application' | 'runId'>>;

/**
 * One turn, with a guardrail at every door: the question is screened before the model sees it, each call the model asks
 * for goes through a guarded tool, what a tool returned is screened before the model reads it, and what the model wrote
 * is sanitised before anyone reads that.
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

  async ask(question: string, caller: Caller): Promise<ChatTurn> {
    const turn = new TurnInProgress(caller.runId);
    const verdict = await this.guardrails.screen(question, caller);
    if (verdict.blocked) return turn.refuse(verdict.refusalMessage);

    const conversation: Message[] = [{ from: 'customer', text: question }];
    for (;;) {
      const step = await this.model.next(conversation);
      if (step.kind === 'answer') return this.say(step.text, turn, caller);
      const heard = await this.call(step, turn, caller);
      if (heard.kind === 'ended') return this.say(heard.message, turn, caller);
      const read = await this.guardrails.screen(heard.text, { ...caller, origin: 'tool_result' });
      if (read.blocked) return turn.refuse(read.refusalMessage);
      conversation.push({ from: 'tool', tool: step.tool, text: heard.text });
    }
  }

  /** The answer to a call that waited: its result goes through the same doors as any other. */
  async resume(tool: string, result: string, caller: Caller): Promise<ChatTurn> {
    const turn = new TurnInProgress(caller.runId);
    const read = await this.guardrails.screen(result, { ...caller, origin: 'tool_result' });
    if (read.blocked) return turn.refuse(read.refusalMessage);
    const step = await this.model.next([{ from: 'tool', tool, text: result }]);
    return this.say(step.kind === 'answer' ? step.text : UNABLE, turn, caller);
  }

  private async call(
    step: Extract<ModelStep, { kind: 'call' }>,
    turn: TurnInProgress,
    caller: Caller,
  ): Promise<
    { readonly kind: 'result'; readonly text: string } | { readonly kind: 'ended'; readonly message: string }
  > {
    const tool = this.tools.get(step.tool);
    if (tool === undefined || turn.calls === MOST_CALLS) return { kind: 'ended', message: UNABLE };
    const guarded = this.guardrails.guardTool(tool, {
      ...caller,
      stepName: `${turn.calls + 1}. ${tool.name}`,
    });
    try {
      const outcome = await guarded.execute(step.arguments);
      turn.called(step, outcome);
      return outcome.status === 'executed'
        ? { kind: 'result', text: outcome.result }
        : { kind: 'ended', message: outcome.message };
    } catch (error) {
      // What is ours means that nothing could be recorded, and then nothing may go on.
      if (error instanceof GuardrailsError || !(error instanceof Error)) throw error;
      return { kind: 'result', text: error.message };
    }
  }

  private async say(draft: string, turn: TurnInProgress, caller: Caller): Promise<ChatTurn> {
    return turn.answer(await this.guardrails.sanitize(draft, { ...caller, rendering: 'text' }), draft);
  }
}
