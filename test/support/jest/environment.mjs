import { TestEnvironment } from 'jest-environment-node';

/** Runs specs in the global context of the worker instead of a vm context. */
export default class NativeEnvironment extends TestEnvironment {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  #exit = process.exit;
  #console = globalThis.console;

  constructor(config, context) {
    super(config, context);
    const { projectConfig } = config;
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: projectConfig,
      global: globalThis,
    });
  }

  async setup() {
    await super.setup();
    // Jest sets 100 for each file, and `expect` creates a stack at every call.
    Error.stackTraceLimit = 10;
  }

  async teardown() {
    await super.teardown();
    // Jest wraps both for each file.
    process.exit = this.#exit;
    globalThis.console = this.#console;
  }
}
