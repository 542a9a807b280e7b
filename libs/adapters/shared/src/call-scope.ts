import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tool, ToolArguments, ToolRun } from '#contracts/firewall/firewall.js';

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
