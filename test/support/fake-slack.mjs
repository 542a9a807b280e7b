// Plain JavaScript, so that scripts can use it against the built package.
import { createServer } from 'node:http';
import { TEAM } from './slack-requests.mjs';

const BOT = 'B0TEST';

/**
 * @typedef {Readonly<Record<string, any>>} Args
 *
 * @typedef {{ status?: number, headers?: Record<string, string>, body?: unknown, lost?: true }} Answer
 *
 * @typedef {{ channel: string, ts: string, text: string, blocks: readonly any[], metadata?: any, thread_ts?: string, reply_broadcast?: boolean, bot_id: string }} PostedMessage
 */

/**
 * The Web API of Slack for one bot, on a free port of 127.0.0.1. Records every call.
 */
export class FakeSlack {
  /** @type {{ method: string, args: Args, authorization: string | undefined }[]} */
  calls = [];
  /** @type {PostedMessage[]} */
  messages = [];
  /** Texts that one user sees. @type {{ user: string, text: string }[]} */
  whispers = [];
  /** Dialogs, in the order of opening. @type {any[]} */
  dialogs = [];
  /**
   * Replaces or delays the answer to a call, and its effect. `lost`: the call has its effect, and the connection breaks before the answer.
   *
   * @type {(method: string, args: Args, count: number) => Answer | undefined | Promise<undefined>}
   */
  answer = () => undefined;
  #posted = 0;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {() => Date} [now] */
  constructor(now = () => new Date()) {
    this.now = now;
    this.server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const method = (request.url ?? '').split('/').at(-1) ?? '';
        void this.#take(method, argsOf(Buffer.concat(chunks).toString()), request, response);
      });
    });
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return this;
  }

  get apiUrl() {
    const address = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    return `http://127.0.0.1:${address.port}/api/`;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(() => resolve(undefined)));
  }

  /**
   * Resolves when `condition` returns a value other than false, null and undefined; it is called when a call
   * arrives and when it was answered.
   *
   * @template Found
   * @param {() => Found | false | null | undefined} condition
   * @returns {Promise<Found>}
   */
  async until(condition) {
    for (;;) {
      const found = condition();
      if (found !== false && found !== null && found !== undefined) return found;
      await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    }
  }

  /** @param {string} method */
  callsOf(method) {
    return this.calls.filter((call) => call.method === method).map(({ args }) => args);
  }

  async #take(method, args, request, response) {
    this.calls.push({ method, args, authorization: request.headers.authorization });
    this.#notify();
    const answer = await this.answer(method, args, this.callsOf(method).length);
    const usual = answer === undefined || answer.lost === true ? this.#perform(method, args) : { ok: true };
    if (answer?.lost === true) response.destroy();
    else {
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json', ...answer?.headers });
      response.end(JSON.stringify(answer?.body ?? usual));
    }
    this.#notify();
  }

  #notify() {
    for (const notify of this.#waiting.splice(0)) notify();
  }

  #perform(method, args) {
    switch (method) {
      case 'auth.test':
        return { ok: true, team_id: TEAM, user_id: 'U0BOT', bot_id: BOT };
      case 'chat.postMessage':
        return this.#post(args);
      case 'chat.update':
        return this.#update(args);
      case 'conversations.history':
        return this.#history(args, ({ thread_ts: thread, reply_broadcast }) => !thread || reply_broadcast);
      case 'conversations.replies': {
        if (!this.messages.some(({ ts }) => ts === args.ts)) return { ok: false, error: 'thread_not_found' };
        return this.#history(args, ({ ts, thread_ts: thread }) => ts === args.ts || thread === args.ts);
      }
      case 'chat.postEphemeral':
        this.whispers.push({ user: args.user, text: args.text });
        return { ok: true, message_ts: this.#time() };
      case 'views.open':
        this.dialogs.push(args.view);
        return { ok: true, view: args.view };
      default:
        return { ok: false, error: 'unknown_method' };
    }
  }

  #post({ channel, text, blocks = [], metadata, thread_ts, reply_broadcast }) {
    const ts = this.#time();
    this.messages.push({
      type: 'message',
      channel,
      ts,
      text,
      blocks,
      metadata,
      thread_ts,
      reply_broadcast,
      bot_id: BOT,
    });
    return { ok: true, channel, ts };
  }

  #update({ channel, ts, text, blocks, metadata }) {
    const message = this.messages.find((each) => each.channel === channel && each.ts === ts);
    if (message === undefined) return { ok: false, error: 'message_not_found' };
    Object.assign(message, { text, blocks, metadata });
    return { ok: true, channel, ts };
  }

  /** Newest first. */
  #history({ channel, oldest = '0', latest = '9999999999', inclusive, limit, cursor = '0' }, isPart) {
    const isWithin = ({ ts }) =>
      (ts > oldest && ts < latest) || (inclusive === true && (ts === oldest || ts === latest));
    const found = this.messages
      .filter((message) => message.channel === channel && isPart(message) && isWithin(message))
      .toReversed();
    const end = Number(cursor) + limit;
    const next_cursor = end < found.length ? String(end) : '';
    return { ok: true, messages: found.slice(Number(cursor), end), response_metadata: { next_cursor } };
  }

  /** A time stamp that no other message has. */
  #time() {
    this.#posted += 1;
    return `${Math.floor(this.now().getTime() / 1000)}.${String(this.#posted).padStart(6, '0')}`;
  }
}

/** @returns {Args} */
function argsOf(body) {
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [name, valueOf(name, value)]),
  );
}

const JSON_ARGUMENTS = new Set(['blocks', 'metadata', 'view', 'limit', 'inclusive', 'reply_broadcast']);

function valueOf(name, value) {
  return JSON_ARGUMENTS.has(name) ? JSON.parse(value) : value;
}
