import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tool as AiTool, ToolExecutionOptions, ToolSet } from 'ai';
import type { Tool, ToolCallOutcome, ToolContext, ToolParameters } from '#contracts/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { loadAi } from './load-ai.js';

/** What a guarded tool answers where it did not run, or its result was blocked. `message` is text for the model. */
export type GuardedResult =
  | {
      readonly guardrails: 'refused';
      readonly reason: Extract<ToolCallOutcome, { status: 'refused' }>['reason'] | 'result';
      readonly violations: Readonly<Record<string, string>>;
      readonly message: string;
    }
  | {
      readonly guardrails: 'parked';
      readonly approvalId: number;
      readonly reference: string;
      readonly expiresAt: string;
      readonly message: string;
    };

type Execute = NonNullable<AiTool['execute']>;

/** The options of the SDK for a call that runs at once. Approved calls run without them. */
const running = new AsyncLocalStorage<ToolExecutionOptions>();

/** One function for each `execute` of the host, so that the engine recognizes the same code in every request. */
const wrapped = new WeakMap<Execute, Tool['execute']>();

/**
 * The tools for one request. `context` comes from the host: `principalId` is the authenticated user. Results of the
 * tools are screened before the model gets them.
 */
export async function guardedTools(
  guardrails: Guardrails,
  tools: ToolSet,
  context: ToolContext,
): Promise<ToolSet> {
  const { jsonSchema } = await loadAi();
  const guarded = new Map<string, AiTool>();
  for (const [index, tool] of (await toolsForApprovals(tools)).entries()) {
    const original = Object.values(tools)[index];
    const call = guardrails.guardTool(tool, context);
    const schema = guardrails.modelParameters(tool) ?? { type: 'object' };
    const { needsApproval: _parkedInstead, ...kept } = original as AiTool;
    const own = original?.toModelOutput;
    guarded.set(tool.name, {
      ...kept,
      // Without `validate`: the firewall gets the arguments as the model wrote them.
      inputSchema: jsonSchema(schema),
      execute: async (input: unknown, options: ToolExecutionOptions) => {
        const outcome = await running.run(options, () => call.execute(input));
        return outcome.status === 'executed'
          ? screened(guardrails, outcome.result, context)
          : resultOf(outcome);
      },
      toModelOutput: async (answer) => {
        const { output } = answer;
        if (isGuardedResult(output)) {
          return output.guardrails === 'refused'
            ? { type: 'execution-denied', reason: output.message }
            : { type: 'text', value: output.message };
        }
        if (own !== undefined) return own(answer);
        if (typeof output === 'string') return { type: 'text', value: output };
        return { type: 'json', value: JSON.parse(JSON.stringify(output ?? null)) };
      },
    });
  }
  return Object.fromEntries(guarded);
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
  const known = wrapped.get(execute);
  if (known !== undefined) return known;
  const made: Tool['execute'] = async (args, { idempotencyKey, signal }) => {
    const options = idempotencyKey === null ? running.getStore() : undefined;
    const result: unknown = await execute(
      args,
      options ?? { toolCallId: idempotencyKey ?? '', messages: [], abortSignal: signal as AbortSignal },
    );
    return isIterable(result) ? lastOf(result) : result;
  };
  wrapped.set(execute, made);
  return made;
}

async function screened(guardrails: Guardrails, result: unknown, context: ToolContext): Promise<unknown> {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  const verdict = await guardrails.screen(text, { ...context, origin: 'tool_result' });
  if (!verdict.blocked) return result;
  return {
    guardrails: 'refused',
    reason: 'result',
    violations: {},
    message: verdict.refusalMessage ?? 'The result of the tool was blocked.',
  } satisfies GuardedResult;
}

function resultOf(outcome: Exclude<ToolCallOutcome, { status: 'executed' }>): GuardedResult {
  const { message } = outcome;
  if (outcome.status === 'refused') {
    const { reason, violations } = outcome;
    return { guardrails: 'refused', reason, violations, message };
  }
  const { approvalId, reference, expiresAt } = outcome.parked;
  return { guardrails: 'parked', approvalId, reference, expiresAt: expiresAt.toISOString(), message };
}

function isGuardedResult(output: unknown): output is GuardedResult {
  return (
    typeof output === 'object' &&
    output !== null &&
    'guardrails' in output &&
    (output.guardrails === 'refused' || output.guardrails === 'parked') &&
    'message' in output &&
    typeof output.message === 'string'
  );
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The SDK shows the values before the last as preliminary. They are left out, because they are not screened. */
async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}
