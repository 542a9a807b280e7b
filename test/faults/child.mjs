import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './time-limits.mjs';

const INSTANCE = fileURLToPath(new URL('./instance.mjs', import.meta.url));

/** An instance in another process, which reports the decisions that were acknowledged. */
export class Child {
  acknowledged = [];
  #process;
  #exited;

  /**
   * @param {{ url: string, name?: string, callers?: number, migrate?: boolean, settings?: object }} options
   * @param {string} script the script that gets the options. Other scripts may also send `{ acknowledged }`.
   */
  constructor(options, script = INSTANCE) {
    this.#process = fork(script, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#exited = once(this.#process, 'exit');
    this.#process.on('message', (message) => {
      if (message.acknowledged !== undefined) this.acknowledged.push(message.acknowledged);
    });
  }

  /** Resolves to the exit code, or to `null` if the process was killed. */
  async ended() {
    const [code] = await this.#exited;
    return code;
  }

  async hasAcknowledged(count) {
    await until(() => this.acknowledged.length >= count, `${count} calls acknowledged by a process`);
  }

  /** Sends one command. Returns the answer, or `null` if the process ends before. */
  async ask(command, given = {}, options = {}) {
    this.#process.send({ command, given, ...options });
    return this.nextAnswer();
  }

  async nextAnswer() {
    const [message] = await Promise.race([once(this.#process, 'message'), once(this.#process, 'disconnect')]);
    return message?.answer ?? null;
  }

  /** Kills the process. Resolves after it exited and its messages arrived. */
  async kill(signal = 'SIGKILL') {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill(signal);
    await this.#exited;
  }
}
