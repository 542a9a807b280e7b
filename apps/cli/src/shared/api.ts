import { GuardrailsClient } from '#client/index.js';
import { UsageError, type OptionDeclaration, type ParsedOptions, type Session } from './command.js';

/** The options of every command that calls a running application: sinks, rules and actors exist only there. */
/** The URL of the API on the command line or in the environment. */
export function apiUrl(options: ParsedOptions, { environment }: Session): string | null {
  return options.text('api') ?? (environment['GUARDRAILS_API_URL'] || null);
}

export const API_OPTIONS = {
  api: {
    value: 'URL',
    help: 'URL of the API of a running instance, such as https://shop.example/guardrails/api. Default: GUARDRAILS_API_URL. Set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
  },
  json: { help: 'Prints the response of the API.' },
} satisfies Readonly<Record<string, OptionDeclaration>>;

export function apiClient(options: ParsedOptions, session: Session): GuardrailsClient {
  const { GUARDRAILS_API_AUTHORIZATION: authorization } = session.environment;
  const url = apiUrl(options, session);
  if (url === null || !/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url))
    throw new UsageError(
      'No valid API URL given. Set GUARDRAILS_API_URL or pass --api, for example https://shop.example/guardrails/api.',
    );
  if (hasCredentials(url))
    throw new UsageError(
      'The API URL contains credentials. Remove them, and set GUARDRAILS_API_AUTHORIZATION to the value of the Authorization header.',
    );
  return new GuardrailsClient({ url, headers: authorization ? { authorization } : {} });
}

/** Other users of the machine can read command lines. */
function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
