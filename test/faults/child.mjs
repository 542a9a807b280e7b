import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './patience.mjs';

const INSTANCE = fileURLToPath(new URL('./instance.mjs', import.meta.url));

/** An instance in another process, which reports the decisions that were acknowledged. */
export class Child {
  acknowledged = [];
  #process;
  #gone;

  /**
   * @param {{ url: string, name?: string, callers?: number, migrate?: boolean, settings?: object }} options
   * @param {string} script what runs with them; another one may tell `{ acknowledged }` as well
   */
  constructor(options, script = INSTANCE) {
    this.#process = fork(script, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#gone = once(this.#process, 'exit');
    this.#process.on('message', (message) => {
      if (message.acknowledged !== undefined) this.acknowledged.push(message.acknowledged);
    });
  }

  /** Resolves with its exit code. */
  async ended() {
    const [code] = await this.#gone;
    return code;
  }

  async hasAcknowledged(count) {
    await until(() => this.acknowledged.length >= count, `${count} calls acknowledged by a process`);
  }

  /** Sends one command. The answer; `null` if the process is gone before it answers. */
  async ask(command, given = {}, options = {}) {
    this.#process.send({ command, given, ...options });
    return this.nextAnswer();
  }

  async nextAnswer() {
    const [told] = await Promise.race([once(this.#process, 'message'), once(this.#process, 'disconnect')]);
    return told?.answer ?? null;
  }

  /** Without a word; resolves when it is gone, and all it had told has arrived. */
  async kill(signal = 'SIGKILL') {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill(signal);
    await this.#gone;
  }
}
