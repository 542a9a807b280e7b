import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tool, ToolArguments, ToolRun } from '#contracts/firewall/firewall.js';

type Execute = Tool['execute'];

/**
 * Passes what a framework gives to a call (options, a request) to the function of the host. Each function of the host
 * gets one `execute`, so that the engine recognizes the same code in every request. An approved call runs outside of
 * the scope.
 */
export class CallScope<Given> {
  private readonly given = new AsyncLocalStorage<Given>();
  private readonly executes = new WeakMap<object, Execute>();

  run<Result>(given: Given, call: () => Promise<Result>): Promise<Result> {
    return this.given.run(given, call);
  }

  current(): Given | undefined {
    return this.given.getStore();
  }

  /** `given` is undefined where an approved call runs. */
  executeOf(
    host: object,
    call: (args: ToolArguments, given: Given | undefined, run: ToolRun) => unknown,
  ): Execute {
    const known = this.executes.get(host);
    if (known !== undefined) return known;
    const execute: Execute = (args, run) =>
      call(args, run.idempotencyKey === null ? this.given.getStore() : undefined, run);
    this.executes.set(host, execute);
    return execute;
  }
}
