import type { AgentInputItem, FunctionTool, RunContext } from '@openai/agents-core';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import type { JsonSchema, NotText, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { PolicyDemand } from '#contracts/policies/policies.js';
import type { Guardrails } from '#engine/guardrails.js';
import { AskedCalls } from '#adapters/shared/asked-calls.js';
import { CallScope, handedOver } from '#adapters/shared/call-scope.js';
import {
  guardedCall,
  resultOf,
  resumedText,
  type ToolSayings,
  withSayings,
} from '#adapters/shared/guarded-call.js';

/** A tool that `tool()` of the SDK made, with parameters of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AgentTool<Context = unknown> = FunctionTool<Context, any, any>;
type Details = Parameters<FunctionTool['invoke']>[2];

interface CallDetails {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly runContext: RunContext<any>;
  readonly callId: string;
  /** Called where the tool runs. */
  readonly details: () => Details | Promise<Details>;
}

/** Options of `guardedTools`. */
export interface GuardedToolsOptions extends ToolSayings {
  /**
   * A pending call interrupts the run (`result.interruptions`), instead of a result with which the model continues. When
   * the call was decided, approve the interruption and run the state again: this decides nothing, and the call returns
   * its outcome. The context needs a `runId`. Default `false`.
   */
  readonly interruptions?: boolean;
  /** Results with images or files. Default `record`. */
  readonly notText?: NotText;
}

const calls = new CallScope<CallDetails>();

/** Built once for each tool of the host, so that the engine recognizes the same code in every request. */
const demands = new WeakMap<object, NonNullable<Tool['approval']>>();

/** The error of a call, which the SDK would give the model as text. */
class FailedCall extends Error {
  constructor(readonly shown: string) {
    super(shown);
  }
}

/**
 * The tools for one request. `context` comes from the host: `principalId` is the authenticated user. Results of the
 * tools are screened before the model gets them. A refused or pending call returns a `GuardedResult`.
 */
export async function guardedTools<Context>(
  guardrails: Guardrails,
  tools: readonly AgentTool<Context>[],
  context: ToolContext,
  { interruptions = false, notText = 'record', ...sayings }: GuardedToolsOptions = {},
): Promise<AgentTool<Context>[]> {
  if (interruptions && context.runId === undefined)
    throw new Error('`interruptions` needs a `runId` in the context, so that a pending call is found again.');
  const engineTools = await toolsForApprovals(tools);
  return tools.map((original, index): AgentTool<Context> => {
    const tool = withSayings(engineTools[index] as Tool, sayings);
    guardrails.guardTool(tool, context);
    const guard = (call: CallDetails, args: unknown, resumes = false) =>
      calls.run(call, () =>
        guardedCall(guardrails, tool, args, afterHandOff(context, call.runContext), {
          notText,
          resumes,
        }),
      );
    const asked = new AskedCalls<Details>(guardrails, context);
    return {
      ...original,
      parameters: (guardrails.modelParameters(tool) ?? original.parameters) as typeof original.parameters,
      needsApproval: async (runContext, args, callId = '') =>
        interruptions &&
        asked.isParked(
          callId,
          args,
          runContext.isToolApproved({ toolName: tool.name, callId }) !== undefined,
          (details, resumes) => guard({ runContext, callId, details }, args, resumes),
        ),
      invoke: async (runContext, input, details) => {
        const callId = details?.toolCall?.callId ?? '';
        const about = { runContext, callId };
        try {
          if (!interruptions) return resultOf(await guard({ ...about, details: () => details }, input));
          const args = parsed(input);
          return await asked.execute(
            callId,
            args,
            (later, resumes) => guard({ ...about, details: later }, args, resumes),
            details,
          );
        } catch (error) {
          if (error instanceof FailedCall) return error.shown;
          throw error;
        }
      },
    };
  });
}

/** The runs of the host whose agents acted in one run of the SDK, each with the one before it. */
const handOffs = new WeakMap<object, Map<string, string | undefined>>();

/** Agents that hand over to each other share a `RunContext`. One of another run inherits what those before it have read. */
export function afterHandOff<Context extends ToolContext>(context: Context, runContext: object): Context {
  const { runId } = context;
  if (runId === undefined) return context;
  const runs = handOffs.get(runContext) ?? new Map<string, string | undefined>();
  handOffs.set(runContext, runs);
  if (!runs.has(runId)) runs.set(runId, [...runs.keys()].at(-1));
  return handedOver(context, runs.get(runId));
}

/** Parses arguments like the SDK before it requests an approval. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** The same tools for the option `tools` of the engine, so that every instance can run approved calls. */
export async function toolsForApprovals<Context>(tools: readonly AgentTool<Context>[]): Promise<Tool[]> {
  const { RunContext } = await loadAgents();
  return tools.map((original) => ({
    name: original.name,
    description: original.description,
    parameters: original.parameters as unknown as JsonSchema,
    approval: demandOf(original as AgentTool),
    execute: calls.executeOf(original, async (args, call, { signal }) => {
      const runContext = call?.runContext ?? new RunContext<Context>();
      const details = call === undefined ? { signal: signal as AbortSignal } : await call.details();
      const result: unknown = await original.invoke(runContext, JSON.stringify(args), details);
      if (typeof result === 'string' && result.startsWith(DEFAULT_ERROR)) throw new FailedCall(result);
      return result;
    }),
  }));
}

/** `needsApproval` of the host: its calls wait for approval instead of an interruption of the run. */
function demandOf(original: AgentTool) {
  const earlier = demands.get(original);
  if (earlier !== undefined) return earlier;
  const demand: Tool['approval'] = async (args): Promise<PolicyDemand | null> => {
    const { runContext, callId } = calls.current() ?? {};
    if (runContext === undefined) return null;
    const isNeeded = await original.needsApproval(runContext, args, callId);
    return isNeeded ? { require: 'approval' } : null;
  };
  demands.set(original, demand);
  return demand;
}

/** The SDK begins the text of a failed call with this, if the host has not set `errorFunction`. */
const DEFAULT_ERROR = 'An error occurred while running the tool. Please try again.';

/** The item with which the conversation continues after a pending call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<AgentInputItem & { readonly role: 'user'; readonly content: string }> {
  return { type: 'message', role: 'user', content: await resumedText(guardrails, outcome, context) };
}

/** The SDK is an optional peer dependency, so it is loaded on use. */
async function loadAgents(): Promise<typeof import('@openai/agents-core')> {
  try {
    return await import('@openai/agents-core');
  } catch (cause) {
    throw new Error('nest-guardrails/openai-agents needs the SDK. Run: npm install @openai/agents', {
      cause,
    });
  }
}
