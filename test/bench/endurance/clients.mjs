import { get } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const API = '/guardrails/api';
const EVENTS = '/guardrails/events';
const PATHS = ['/overview', '/audit?limit=50', '/audit?outcome=blocked', '/audit/trend'];
const EVERY_MS = 500;
const RECONNECT_MS = 500;

/** Reads the overview, the audit and the trend in turn, as an open panel does. */
export class SteadyReader {
  #stopped = false;
  #answers = 0;
  #serverErrors = 0;
  #otherErrors = 0;
  #first = null;
  #running;

  constructor(address) {
    this.#running = this.#read(address);
  }

  /** Counts since the beginning. */
  sample() {
    return {
      answers: this.#answers,
      serverErrors: this.#serverErrors,
      otherErrors: this.#otherErrors,
      first: this.#first,
    };
  }

  async stop() {
    this.#stopped = true;
    await this.#running;
  }

  async #read(address) {
    for (let turn = 0; !this.#stopped; turn++) {
      const path = PATHS[turn % PATHS.length];
      try {
        const answer = await fetch(address + API + path);
        const text = await answer.text();
        this.#answers++;
        if (answer.status >= 500) this.#serverErrors++;
        else if (answer.status !== 200) this.#otherErrors++;
        if (answer.status !== 200) this.#first ??= `${path} answered ${answer.status}: ${text}`;
      } catch (error) {
        this.#otherErrors++;
        this.#first ??= `${path} failed: ${error.cause ?? error}`;
      }
      await delay(EVERY_MS);
    }
  }
}

/** The live stream of the panel: opened again at its last event when the server ends it. */
export class OpenStream {
  #stopped = false;
  #events = 0;
  #lastId = '';
  #request = null;
  #running;

  constructor(address) {
    this.#running = this.#follow(new URL(EVENTS, address));
  }

  /** Events since the last sample. */
  sample() {
    const events = this.#events;
    this.#events = 0;
    return events;
  }

  async stop() {
    this.#stopped = true;
    this.#request?.destroy();
    await this.#running;
  }

  async #follow(url) {
    while (!this.#stopped) {
      try {
        this.#request = get(url, { headers: { 'last-event-id': this.#lastId } });
        const [response] = await once(this.#request, 'response');
        for await (const chunk of response.setEncoding('utf8')) this.#take(chunk);
      } catch {
        // The next sample has no events then.
      }
      if (!this.#stopped) await delay(RECONNECT_MS);
    }
  }

  #take(chunk) {
    for (const line of chunk.split('\n')) {
      if (line.startsWith('data: ')) this.#events++;
      if (line.startsWith('id: ')) this.#lastId = line.slice('id: '.length);
    }
  }
}
