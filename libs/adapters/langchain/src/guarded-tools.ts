import type { HumanMessage } from '@langchain/core/messages';
import type { DynamicStructuredTool, StructuredToolInterface } from '@langchain/core/tools';
import type { ApprovalOutcome } from '#contracts/approvals.js';
import type { JsonSchema, Tool, ToolContext } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import { guardedCall, outcomeWithin, resumedText, type CallAnswer } from '#adapters/shared/guarded-call.js';
import type { NotText } from '#adapters/shared/read-parts.js';
import { loadInterrupt, loadLangChain } from './load-langchain.js';
import { readToolResult } from './message-texts.js';

/** What LangChain passes to a call: the state of the run, its signal and the configuration of the agent. */
export type CallConfig = Readonly<Record<string, unknown>>;

/** The value of an interrupt. */
export interface GuardrailsInterrupt {
  readonly guardrails: 'parked';
  readonly approvalId: number;
  readonly reference: string;
  readonly expiresAt: string;
  readonly message: string;
}

/** The options of `guardedTools`. */
export interface GuardedToolOptions {
  /**
   * Interrupts the graph of a parked call with `GuardrailsInterrupt` (needs a checkpointer and a `runId`). After the
   * outcome, resume it with its `approvalId`: the call then answers with the outcome, also where it expired. A graph that
   * is resumed earlier is interrupted again. Default: a parked call answers with a message for the model.
   */
  readonly interrupt?: boolean;
  /** Results with images, audio or files. Default `record`. */
  readonly notText?: NotText;
}

type AnyTool = StructuredToolInterface;

const calls = new CallScope<CallConfig>();

/**
 * The tools for an agent. `context` comes from the host, as a value for an agent of one request, or as a function of the
 * configuration that LangChain passes to each call. Results of the tools are screened before the model gets them.
 */
export async function guardedTools(
  guardrails: Guardrails,
  tools: readonly AnyTool[],
  context: ToolContext | ((config: CallConfig) => ToolContext),
  { interrupt = false, notText = 'record' }: GuardedToolOptions = {},
): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool, ToolMessage } = await loadLangChain();
  const engineTools = await toolsForApprovals(tools);
  const interruptWith = interrupt ? await loadInterrupt() : null;

  /** Shows the JSON Schema to the model, and passes on the arguments as the model wrote them. */
  class GuardedTool extends DynamicStructuredTool {
    override call(...given: Parameters<DynamicStructuredTool['call']>): Promise<unknown> {
      const open = Object.create(this, { schema: { value: {} } }) as DynamicStructuredTool;
      return super.call.apply(open, given);
    }
  }

  return engineTools.map((tool, index): DynamicStructuredTool => {
    const { returnDirect } = tools[index] as { readonly returnDirect?: boolean };
    const answer = async (args: unknown, config: CallConfig): Promise<unknown> => {
      const of = typeof context === 'function' ? context(config) : context;
      const guard = () =>
        calls.run(config, () => guardedCall(guardrails, tool, args, of, { read: readToolResult, notText }));
      const given = await (interruptWith === null
        ? guard()
        : interruptedCall(guardrails, tool, of, new Resumption(config, interruptWith), guard));
      if (given.kind === 'result') return given.value;
      const { kind, message, ...about } = given;
      const { id: callId } = (config['toolCall'] ?? {}) as { readonly id?: string };
      if (callId === undefined) return message;
      return new ToolMessage({
        content: message,
        tool_call_id: callId,
        name: tool.name,
        status: kind === 'refused' ? 'error' : 'success',
        artifact: { guardrails: kind, message, ...about },
      });
    };
    guardrails.guardTool(tool, {});
    return new GuardedTool({
      name: tool.name,
      description: tool.description ?? '',
      ...(returnDirect !== undefined && { returnDirect }),
      schema: (guardrails.modelParameters(tool) ?? { type: 'object' }) as never,
      func: (args: unknown, _manager: unknown, config: unknown) =>
        answer(args, config as CallConfig) as never,
    });
  });
}

/** The same tools for the option `tools` of the engine, so that every instance can run approved calls. */
export async function toolsForApprovals(tools: readonly AnyTool[]): Promise<Tool[]> {
  const { toJsonSchema } = await loadLangChain();
  return tools.map((original) => ({
    name: original.name,
    description: original.description,
    parameters: toJsonSchema(original.schema as never) as JsonSchema,
    execute: calls.executeOf(original, async (args, given, { signal }) => {
      // Without the call's id, so that the tool returns its result instead of a message.
      const { toolCall: _answered, ...config } = given ?? { signal };
      return original.invoke(args, config);
    }),
  }));
}

/** Runs again from the beginning when the graph resumes: the same call of the run has the same approval. */
async function interruptedCall(
  guardrails: Guardrails,
  { name }: Tool,
  context: ToolContext,
  resumption: Resumption,
  guard: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const outcomeOf = async (approvalId: number): Promise<CallAnswer | null> => {
    const outcome = await outcomeWithin(guardrails, approvalId);
    if (outcome === null) return null;
    if (outcome.tool !== name || outcome.runId !== context.runId)
      throw new Error(`Approval ${approvalId} belongs to another call. Resume with that of the interrupt.`);
    return { kind: 'result', value: await resumedText(guardrails, outcome, context) };
  };
  const resumed = resumption.approvalId();
  // Before the call is guarded again, because an expired call would be parked anew.
  const known = resumed === null ? null : await outcomeOf(resumed);
  if (known !== null) return known;
  const answer = await guard();
  if (answer.kind !== 'parked') return answer;
  if (context.runId === undefined)
    throw new Error('An interrupted call needs a `runId` in its context, so that it is found again.');
  const { kind, ...parked } = answer;
  for (let outcome = resumption.isResumed ? await outcomeOf(parked.approvalId) : null; ;) {
    if (outcome !== null) return outcome;
    resumption.interrupt({ guardrails: kind, ...parked });
    outcome = await outcomeOf(parked.approvalId);
  }
}

/** Interrupts the graph, or returns the value with which it was resumed. */
type InterruptWith = (value: GuardrailsInterrupt) => unknown;

/** What LangGraph keeps about the interrupts of one task. */
interface Scratchpad {
  readonly resume?: readonly unknown[];
  readonly nullResume?: unknown;
}

/** The values with which the graph of one call was resumed. */
class Resumption {
  private readonly values: unknown[] = [];

  constructor(
    { configurable = {} }: CallConfig,
    private readonly interruptWith: InterruptWith,
  ) {
    const { resume = [], nullResume } = ((configurable as Record<string, unknown>)['__pregel_scratchpad'] ??
      {}) as Scratchpad;
    const count = resume.length + (nullResume === undefined ? 0 : 1);
    // `interrupt` does not interrupt as long as there are values.
    while (this.values.length < count) this.values.push(interruptWith(CONSUMED));
  }

  get isResumed(): boolean {
    return this.values.length > 0;
  }

  /** The approval with which the graph was resumed; `null` for another value. */
  approvalId(): number | null {
    const value = this.values.at(-1);
    const id: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'approvalId') : value;
    return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
  }

  interrupt(value: GuardrailsInterrupt): void {
    this.interruptWith(value);
  }
}

const CONSUMED: GuardrailsInterrupt = {
  guardrails: 'parked',
  approvalId: 0,
  reference: '',
  expiresAt: '',
  message: '',
};

/** The message with which the conversation continues after a parked call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<HumanMessage> {
  const { HumanMessage } = await loadLangChain();
  return new HumanMessage(await resumedText(guardrails, outcome, context));
}
