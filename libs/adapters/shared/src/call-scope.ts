import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tool, ToolArguments, ToolRun } from '#contracts/firewall/firewall.js';
import type { RunContext } from '#contracts/screening/screening.js';

type Execute = Tool['execute'];

/**
 * Passes the details of a call (options or a request of the framework) to the function of the host. Each function of the host
 * gets one `execute`, so that the engine recognizes the same code in every request. An approved call runs outside of
 * the scope.
 */
export class CallScope<Details> {
  private readonly storage = new AsyncLocalStorage<Details>();
  private readonly executes = new WeakMap<object, Execute>();

  run<Result>(details: Details, call: () => Promise<Result>): Promise<Result> {
    return this.storage.run(details, call);
  }

  current(): Details | undefined {
    return this.storage.getStore();
  }

  /** `details` is undefined where an approved call runs. */
  executeOf(
    host: object,
    call: (args: ToolArguments, details: Details | undefined, run: ToolRun) => unknown,
  ): Execute {
    const earlier = this.executes.get(host);
    if (earlier !== undefined) return earlier;
    const execute: Execute = (args, run) =>
      call(args, run.idempotencyKey === null ? this.storage.getStore() : undefined, run);
    this.executes.set(host, execute);
    return execute;
  }
}

/** The contexts of guarded calls that run now. An agent that such a call runs is a sub-agent. */
const outerCall = new AsyncLocalStorage<RunContext>();

export function asOuterCall<Result>(context: RunContext, call: () => Promise<Result>): Promise<Result> {
  return outerCall.run(context, call);
}

/** Prompts of a sub-agent were written by the model of its caller, and not by the user. */
export function isSubAgent(): boolean {
  return outerCall.getStore() !== undefined;
}

/** The context of a sub-agent: what the run of its caller has read holds in its run, too. */
export function inherited<Context extends RunContext>(context: Context): Context {
  return handedOver(context, outerCall.getStore()?.runId);
}

/** The context of a run to which another one handed over, unless the host names that one. */
export function handedOver<Context extends RunContext>(context: Context, from: string | undefined): Context {
  const { runId, parentRunId = from } = context;
  return parentRunId === undefined || parentRunId === runId ? context : { ...context, parentRunId };
}
