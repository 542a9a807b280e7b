import type { Tool as AiTool, ToolSet, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import type { NotText, ReadResult, Tool, ToolContext, ToolParameters } from '#contracts/firewall/firewall.js';
import { isPlainObject } from '#contracts/common/text.js';
import type { Guardrails } from '#engine/guardrails.js';
import { AskedCalls } from '#adapters/shared/asked-calls.js';
import { CallScope } from '#adapters/shared/call-scope.js';
import {
  guardedCall,
  type GuardedResult,
  resultOf,
  resumedText,
  type ToolSayings,
  withSayings,
} from '#adapters/shared/guarded-call.js';
import { readParts, resultText } from '#engine/tools/read-parts.js';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';

type Execute = NonNullable<AiTool['execute']>;
/** Named differently in the versions of the SDK. */
type ExecutionOptions = Parameters<Execute>[1];
type ToModelOutput = NonNullable<AiTool['toModelOutput']>;
type AskedOptions = Pick<ExecutionOptions, 'toolCallId' | 'messages'>;
type LateOptions = ExecutionOptions | Promise<ExecutionOptions>;
/** The arguments of the model, by those that are shown instead. */
const writtenInputs = new WeakMap<object, unknown>();
/** Called where the tool runs. */
const calls = new CallScope<() => LateOptions>();

/** Options of `guardedTools`. */
export interface GuardedToolsOptions extends ToolSayings {
  /**
   * A pending call becomes a `tool-approval-request` of the SDK, at which the model stops, instead of a result. Send
   * `approvalResponses(messages)` when the call was decided. The context needs a `runId`. Default `false`.
   */
  readonly approvalRequests?: boolean;
  /** Results with images or files, by `toModelOutput`. Default `record`. */
  readonly notText?: NotText;
}

/**
 * The tools for one request. `context` comes from the host: `principalId` is the authenticated user. Results of the
 * tools are screened before the model gets them.
 */
export async function guardedTools(
  guardrails: Guardrails,
  tools: ToolSet,
  context: ToolContext,
  { approvalRequests = false, notText = 'record', ...sayings }: GuardedToolsOptions = {},
): Promise<ToolSet> {
  const { jsonSchema } = await loadAi();
  if (approvalRequests && context.runId === undefined)
    throw new Error(
      '`approvalRequests` needs a `runId` in the context, so that a pending call is found again.',
    );
  const guarded = new Map<string, AiTool>();
  for (const [index, listed] of (await toolsForApprovals(tools)).entries()) {
    const tool = withSayings(listed, sayings);
    guardrails.guardTool(tool, context);
    const own = Object.values(tools)[index] as AiTool;
    guarded.set(tool.name, {
      ...guardedTool(guardrails, tool, own, context, { approvalRequests, notText }),
      inputSchema: jsonSchema(guardrails.modelParameters(tool) ?? { type: 'object' }, {
        // An approval request shows what will run; the firewall gets what the model wrote.
        validate: (written) => {
          const isShown = approvalRequests && isPlainObject(written);
          const value = isShown ? guardrails.ownedArguments(tool, written, context) : written;
          if (isShown) writtenInputs.set(value as object, written);
          return { success: true, value };
        },
      }),
    });
  }
  return Object.fromEntries(guarded);
}

/** `own` is the tool of the SDK. */
function guardedTool(
  guardrails: Guardrails,
  tool: Tool,
  own: AiTool,
  context: ToolContext,
  { approvalRequests, notText }: Required<Omit<GuardedToolsOptions, keyof ToolSayings>>,
): AiTool {
  const { needsApproval: _parkedInstead, ...members } = own;
  const modelOutput = modelOutputOf(own);
  const guard = (toolCallId: string, input: unknown, options: () => LateOptions, resumes = false) =>
    calls.run(options, () =>
      guardedCall(guardrails, tool, writtenInputs.get(input as object) ?? input, context, {
        notText,
        resumes,
        // The result in the form that the model gets.
        readResult: async (output) => readModelOutput(await modelOutput({ toolCallId, input, output })),
      }),
    );
  const asked = new AskedCalls<ExecutionOptions>(guardrails, context);
  return {
    ...members,
    ...(approvalRequests && {
      needsApproval: (input: unknown, { toolCallId, messages }: AskedOptions) =>
        asked.isParked(toolCallId, input, isAnswered(messages, toolCallId), (...call) =>
          guard(toolCallId, input, ...call),
        ),
    }),
    execute: async (input: unknown, options: ExecutionOptions) =>
      approvalRequests
        ? asked.execute(
            options.toolCallId,
            input,
            (...call) => guard(options.toolCallId, input, ...call),
            options,
          )
        : resultOf(await guard(options.toolCallId, input, () => options)),
    toModelOutput: async (answer) => {
      const { output } = answer;
      if (!isGuardedResult(output)) return modelOutput(answer);
      return output.guardrails === 'refused'
        ? { type: 'execution-denied', reason: output.message }
        : { type: 'text', value: output.message };
    },
  };
}

/** The `toModelOutput` of a tool, or what the SDK does without one. */
function modelOutputOf({ toModelOutput }: AiTool): ToModelOutput {
  if (toModelOutput !== undefined) return toModelOutput;
  return ({ output }) =>
    typeof output === 'string'
      ? { type: 'text', value: output }
      : { type: 'json', value: JSON.parse(JSON.stringify(output ?? null)) };
}

/** The same tools for the option `tools` of the engine, so that every instance can run approved calls. */
export async function toolsForApprovals(tools: ToolSet): Promise<Tool[]> {
  const { asSchema } = await loadAi();
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]) => {
      const { execute, inputSchema, description, needsApproval } = tool;
      if (execute === undefined) {
        throw new Error(
          `The tool ${JSON.stringify(name)} cannot be guarded, because it has no \`execute\`. Add one, or pass the tool to the model without the firewall.`,
        );
      }
      const isStandard = typeof inputSchema === 'object' && '~standard' in inputSchema;
      const parameters = isStandard ? inputSchema : await asSchema(inputSchema).jsonSchema;
      return {
        name,
        ...(typeof description === 'string' && { description }),
        parameters: parameters as ToolParameters,
        execute: executeOf(execute),
        ...(needsApproval !== undefined && needsApproval !== false && { destructive: true }),
      };
    }),
  );
}

function executeOf(execute: Execute): Tool['execute'] {
  return calls.executeOf(execute, async (args, optionsOf, { idempotencyKey, signal }) => {
    // Version 7 also has `context`, which ended with the request.
    const approved = {
      toolCallId: idempotencyKey ?? '',
      messages: [],
      abortSignal: signal as AbortSignal,
      context: undefined,
    };
    const result: unknown = await execute(args, (await optionsOf?.()) ?? approved);
    return isIterable(result) ? lastOf(result) : result;
  });
}

function isGuardedResult(output: unknown): output is GuardedResult {
  if (!isPlainObject(output) || typeof output['message'] !== 'string') return false;
  return output['guardrails'] === 'refused' || output['guardrails'] === 'parked';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The SDK shows the values before the last as preliminary. They are left out, because they are not screened. */
async function lastOf(values: AsyncIterable<unknown>) {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

/** A result of a tool as the SDK passes it to the model. */
interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

/** Only an output of the type `content` has parts that are not text. */
export function readModelOutput({ type, value, reason }: ModelOutput): ReadResult {
  return type === 'content' ? readParts(value) : { text: resultText(value ?? reason ?? ''), notText: [] };
}

/** Loads the SDK when an adapter is used, because it is an optional peer dependency. */
export async function loadAi(): Promise<typeof import('ai')> {
  try {
    return await import('ai');
  } catch (cause) {
    throw new Error('nest-guardrails/ai-sdk needs the package `ai`. Run: npm install ai', { cause });
  }
}

/** The message with which the conversation continues after a pending call was decided. Its result is screened. */
export async function resumedMessage(
  guardrails: Guardrails,
  outcome: ApprovalOutcome,
  context: ToolContext,
): Promise<UserModelMessage> {
  return { role: 'user', content: await resumedText(guardrails, outcome, context) };
}

/** Whether the last message responds to the approval request of this call. */
function isAnswered(messages: readonly ModelMessage[], toolCallId: string) {
  const requests = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const part of content)
      if (part.type === 'tool-approval-request' && part.toolCallId === toolCallId)
        requests.add(part.approvalId);
  }
  const last = messages.at(-1);
  if (last?.role !== 'tool') return false;
  return last.content.some((part) => part.type === 'tool-approval-response' && requests.has(part.approvalId));
}

type Response = Extract<ToolModelMessage['content'][number], { type: 'tool-approval-response' }>;

/**
 * The message that continues after pending calls were decided: a response to each open `tool-approval-request` of the
 * conversation. It only lets the SDK execute the calls; what they return is the outcome of their approvals. `null`: no
 * request is open.
 */
export function approvalResponses(messages: readonly ModelMessage[]): ToolModelMessage | null {
  const open = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-approval-request') open.add(part.approvalId);
      if (part.type === 'tool-approval-response') open.delete(part.approvalId);
    }
  }
  if (open.size === 0) return null;
  const content = [...open].map((approvalId): Response => ({
    type: 'tool-approval-response',
    approvalId,
    approved: true,
  }));
  return { role: 'tool', content };
}
