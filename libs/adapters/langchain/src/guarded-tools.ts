import type { HumanMessage } from '@langchain/core/messages';
import type { DynamicStructuredTool, StructuredToolInterface } from '@langchain/core/tools';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import type { JsonSchema, NotText, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import {
  type CallAnswer,
  guardedCall,
  type GuardedResult,
  outcomeWithin,
  resultOf,
  resumedText,
  type ToolSayings,
  withSayings,
} from '#adapters/shared/guarded-call.js';
import { loadInterrupt, loadLangChain } from './load-langchain.js';
import { readToolResult } from './message-texts.js';

/** What LangChain passes to a call: the state of the run, its signal and the configuration of the agent. */
type CallConfig = Readonly<Record<string, unknown>>;

/** The value of an interrupt. */
export type GuardrailsInterrupt = Extract<GuardedResult, { guardrails: 'parked' }>;

/** The options of `guardedTools`. */
export interface GuardedToolOptions extends ToolSayings {
  /**
   * Interrupts the graph of a pending call with `GuardrailsInterrupt` (needs a checkpointer and a `runId`). Resume it after
   * the outcome, with any value, or without one (`invoke(null)`): the call then answers with the outcome, also where it
   * expired. A graph that is resumed earlier is interrupted again. Default: a pending call answers with a message for the model.
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
  { interrupt = false, notText = 'record', ...sayings }: GuardedToolOptions = {},
): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool, ToolMessage } = await loadLangChain();
  const engineTools = await toolsForApprovals(tools);
  const interruptWith = interrupt ? await loadInterrupt() : null;

  /** Shows the JSON Schema to the model, and passes on the arguments as the model wrote them. */
  class GuardedTool extends DynamicStructuredTool {
    override call(...parameters: Parameters<DynamicStructuredTool['call']>): Promise<unknown> {
      const open = Object.create(this, { schema: { value: {} } }) as DynamicStructuredTool;
      return super.call.apply(open, parameters);
    }
  }

  return engineTools.map((listed, index): DynamicStructuredTool => {
    const tool = withSayings(listed, sayings);
    const { returnDirect } = tools[index] as { readonly returnDirect?: boolean };
    const answer = async (args: unknown, config: CallConfig): Promise<unknown> => {
      const of = typeof context === 'function' ? context(config) : context;
      const resumes = interrupt && isResumed(config);
      const guard = () =>
        calls.run(config, () =>
          guardedCall(guardrails, tool, args, of, {
            readResult: readToolResult,
            notText,
            resumes,
          }),
        );
      const outcome = await (interruptWith === null
        ? guard()
        : interruptedCall(guardrails, of, resumes, interruptWith, guard));
      if (outcome.status === 'result') return outcome.value;
      const { status, message } = outcome;
      const { id: callId } = (config['toolCall'] ?? {}) as { readonly id?: string };
      if (callId === undefined) return message;
      return new ToolMessage({
        content: message,
        tool_call_id: callId,
        name: tool.name,
        status: status === 'refused' ? 'error' : 'success',
        artifact: resultOf(outcome),
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
    execute: calls.executeOf(original, async (args, current, { signal }) => {
      // Without the call's id, so that the tool returns its result instead of a message.
      const { toolCall: _answered, ...config } = current ?? { signal };
      return original.invoke(args, config);
    }),
  }));
}

/**
 * Runs again from the beginning when the graph resumes: the same call of the run has the same approval. The value with
 * which the graph is resumed decides nothing.
 */
async function interruptedCall(
  guardrails: Guardrails,
  context: ToolContext,
  resumes: boolean,
  interruptWith: (value: GuardrailsInterrupt) => unknown,
  guard: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const answer = await guard();
  if (answer.status !== 'parked') return answer;
  if (context.runId === undefined)
    throw new Error('An interrupted call needs a `runId` in its context, so that it is found again.');
  const outcome = resumes ? await outcomeWithin(guardrails, answer.approvalId) : null;
  if (outcome !== null) return { status: 'result', value: await resumedText(guardrails, outcome, context) };
  // Returns each value with which the graph was resumed, and then interrupts.
  for (;;) interruptWith({ guardrails: 'parked', ...answer });
}

/**
 * Whether LangGraph runs a call again: with a value that resumes it, or without one (`invoke(null)`), which sets a flag
 * for the first step only.
 */
function isResumed({ configurable = {} }: CallConfig) {
  const { __pregel_scratchpad: scratchpad = {}, __pregel_resuming: isResuming } = configurable as {
    readonly __pregel_scratchpad?: { readonly resume?: readonly unknown[]; readonly nullResume?: unknown };
    readonly __pregel_resuming?: boolean;
  };
  const { resume = [], nullResume } = scratchpad;
  return resume.length > 0 || nullResume !== undefined || isResuming === true;
}

/** The message with which the conversation continues after a pending call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<HumanMessage> {
  const { HumanMessage } = await loadLangChain();
  return new HumanMessage(await resumedText(guardrails, outcome, context));
}
