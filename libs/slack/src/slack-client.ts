import { ConfigurationError } from '#contracts/common/errors.js';
import { DeliveryError, type DeliveryFacts } from '#contracts/events/event-sink.js';
import { parsedJson } from '#contracts/common/text.js';

const API_URL = 'https://slack.com/api/';
const TIMEOUT_MS = 5_000;

const HINTS: Readonly<Record<string, string>> = {
  channel_not_found: 'correct `channel`, and invite the app to the channel',
  not_in_channel: 'invite the app to the channel',
  is_archived: 'set `channel` to a channel that is not archived',
  missing_scope:
    'add the scopes chat:write and channels:history (private channel: groups:history), and reinstall the app',
  invalid_auth: 'set `botToken` to the bot token of the installed app',
  not_authed: 'set `botToken` to the bot token of the installed app',
  token_revoked: 'reinstall the app, and set its new `botToken`',
  account_inactive: 'reinstall the app, and set its new `botToken`',
};

/** Why a call of the Web API failed. */
export class SlackError extends DeliveryError {
  constructor(
    message: string,
    /** The error code of Slack. */
    readonly code: string | null = null,
    facts: DeliveryFacts = {},
  ) {
    super(message, facts);
  }
}

export type SlackAnswer = Readonly<Record<string, unknown>>;

/** Calls the Web API of Slack with the bot token. Follows no redirects. */
export class SlackClient {
  readonly #botToken: string;
  readonly #apiUrl: string;

  constructor(
    botToken: string,
    apiUrl = API_URL,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    if (typeof botToken !== 'string' || !/^[\x21-\x7e]+$/.test(botToken))
      throw new ConfigurationError(['SlackApprovals needs `botToken`: the bot token of the app (xoxb-…)']);
    if (!isAllowedAddress(apiUrl))
      throw new ConfigurationError([
        'apiUrl of SlackApprovals must begin with https:// (or with http:// and a loopback address, for tests)',
      ]);
    this.#botToken = botToken;
    this.#apiUrl = apiUrl.replace(/\/*$/, '/');
  }

  /** Objects and lists are sent as JSON, and `undefined` is not sent. */
  async call(method: string, args: Readonly<Record<string, unknown>> = {}): Promise<SlackAnswer> {
    const { status, retryAfterMs, body } = await this.#send(method, formOf(args));
    const answered = `Slack answered ${status} to ${method}`;
    const delay = retryAfterMs === null ? {} : { retryAfterMs };
    if (status >= 300 && status < 400) throw new SlackError(`${answered}: redirects are not followed`);
    if (status !== 200) throw new SlackError(answered, status === 429 ? 'ratelimited' : null, delay);
    const answer = answerOf(body);
    if (answer === null) throw new SlackError(`Slack answered ${method} with a body that is not an object`);
    if (answer['ok'] === true) return answer;
    const code = codeOf(answer);
    const hint = Object.hasOwn(HINTS, code) ? `: ${HINTS[code]}` : '';
    throw new SlackError(`Slack answered ${code} to ${method}${hint}`, code, delay);
  }

  async #send(method: string, form: URLSearchParams): Promise<Received> {
    try {
      const response = await fetch(`${this.#apiUrl}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#botToken}`, 'user-agent': 'nest-guardrails' },
        body: form,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const { status, headers } = response;
      return { status, retryAfterMs: retryDelay(headers), body: await response.text() };
    } catch (error) {
      throw new SlackError(`${failureWithoutAddress(error)} (${method})`);
    }
  }
}

interface Received {
  readonly status: number;
  readonly retryAfterMs: number | null;
  readonly body: string;
}

/** Every method accepts forms, and not every method accepts JSON. */
function formOf(args: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(args))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
}

function isAllowedAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.search !== '' || url.hash !== '') return false;
  const isLoopback = /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

/** `null`: not a JSON object. */
function answerOf(body: string): SlackAnswer | null {
  const answer = parsedJson(body);
  return typeof answer === 'object' && answer !== null ? (answer as SlackAnswer) : null;
}

function retryDelay(headers: Headers): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? 1000 * Number(seconds) : null;
}

/** Operators see the code, so nothing else that was received is passed on. */
function codeOf({ error }: SlackAnswer): string {
  return typeof error === 'string' && /^[a-z_0-9]{1,60}$/.test(error) ? error : 'an unknown error';
}

function failureWithoutAddress(error: unknown): string {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return 'Slack did not respond in time';
  const code = cause?.code;
  const reason = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/.test(code) ? code : 'unknown';
  return `Slack cannot be reached: ${reason}`;
}
