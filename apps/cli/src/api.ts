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
  { environment }: Session,
  path: string,
  body?: object | 'no body',
): Promise<Data> {
  const { GUARDRAILS_API_URL: defaultUrl, GUARDRAILS_API_AUTHORIZATION: authorization } = environment;
  const url = options.text('api') ?? (defaultUrl || null);
  if (url === null || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new UsageError(
      'No valid API URL given. Set GUARDRAILS_API_URL or pass --api, for example https://shop.example/guardrails/api.',
    );
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...(authorization !== undefined && authorization !== '' && { authorization }),
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    },
    ...(typeof body === 'object' && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('The instance does not answer. Check that it is running and that the URL is right.');
  });
  return dataOf<Data>(response);
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
