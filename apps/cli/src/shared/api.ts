import { GuardrailsClient } from '#client/index.js';
import { UsageError, type OptionDeclaration, type Session } from './command.js';

/** The options of every command that calls a running application: sinks, rules and actors exist only there. */
export const API_OPTIONS = {
  api: {
    value: 'URL',
    help: 'URL of the API of a running instance, such as https://shop.example/guardrails/api. Default: GUARDRAILS_API_URL. Set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
  },
  json: { help: 'Prints the response of the API.' },
} satisfies Readonly<Record<string, OptionDeclaration>>;

/** The URL of the API on the command line or in the environment. */
export function apiUrl({ options, environment }: Session): string | null {
  return options.text('api') ?? (environment['GUARDRAILS_API_URL'] || null);
}

export function apiClient(session: Session): GuardrailsClient {
  const { GUARDRAILS_API_AUTHORIZATION: authorization } = session.environment;
  const url = apiUrl(session);
  if (url === null || !/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url))
    throw new UsageError(
      'No valid API URL given. Set GUARDRAILS_API_URL or pass --api, for example https://shop.example/guardrails/api.',
    );
  const { username, password } = new URL(url);
  // Other users of the machine can read command lines.
  if (username !== '' || password !== '')
    throw new UsageError(
      'The API URL contains credentials. Remove them, and set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
    );
  return new GuardrailsClient({ url, headers: authorization ? { authorization } : {} });
}
