import type { Envelope, ErrorData } from '#contracts/index.js';
import { UsageError, type OptionDeclaration, type ParsedOptions, type Session } from './command.js';

const TIMEOUT_MS = 60_000;

/** The options of every command that calls a running application: sinks, rules and actors exist only there. */
export const API_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  api: {
    value: 'URL',
    help: 'URL of the API of a running instance, such as https://shop.example/guardrails/api. Default: GUARDRAILS_API_URL. Set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
  },
};

/** `data` of the answer. */
export async function callApi<Data>(
  options: ParsedOptions,
  session: Session,
  path: string,
  body?: object | 'no body',
): Promise<Data> {
  const { url, headers } = apiOf(options, session);
  const response = await answerOf(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...headers,
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    },
    ...(typeof body === 'object' && { body: JSON.stringify(body) }),
  });
  return dataOf<Data>(response);
}

/** The body of a route beside the prefix. It fails if the connection breaks before its end. */
export async function streamApi(
  options: ParsedOptions,
  session: Session,
  path: string,
): Promise<ReadableStream<Uint8Array>> {
  const { url, headers } = apiOf(options, session);
  const response = await answerOf(`${url.replace(/\/api$/, '')}${path}`, { headers });
  if (!response.ok || response.body === null) await dataOf(response);
  return response.body as ReadableStream<Uint8Array>;
}

function apiOf(
  options: ParsedOptions,
  { environment }: Session,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const { GUARDRAILS_API_URL: defaultUrl, GUARDRAILS_API_AUTHORIZATION: authorization } = environment;
  const url = options.text('api') ?? (defaultUrl || null);
  if (url === null || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new UsageError(
      'No valid API URL given. Set GUARDRAILS_API_URL or pass --api, for example https://shop.example/guardrails/api.',
    );
  const isAuthorized = authorization !== undefined && authorization !== '';
  return { url: url.replace(/\/+$/, ''), headers: isAuthorized ? { authorization } : {} };
}

function answerOf(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, { ...request, redirect: 'error' }).catch(() => {
    throw new Error('The instance does not answer. Check that it is running and that the URL is right.');
  });
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const envelope = (await response.json().catch(() => null)) as Envelope<Data & Partial<ErrorData>> | null;
  if (response.ok && envelope !== null) return envelope.data;
  const error = envelope?.data?.error;
  const fields = Object.entries(error?.fields ?? {}).map(
    ([name, messages]) => `${name} ${messages.join('; ')}`,
  );
  throw new Error(
    [`The instance answered ${response.status}. ${error?.message ?? ''}`.trim(), ...fields].join('\n'),
  );
}
