import type { Envelope, ErrorData } from '../../../../libs/contracts/src/index.js';
import { UsageError, type Given, type OptionDeclaration, type Session } from '../command.js';

const PATIENCE_MS = 60_000;

/** Sinks live in a running application: these commands ask it, through its gate, as somebody whom it knows. */
export const API_OPTIONS: Readonly<Record<string, OptionDeclaration>> = {
  api: {
    value: 'ADDRESS',
    help: 'Where the API of a running instance is, such as https://shop.example/guardrails/api. Default: GUARDRAILS_API_URL. What it wants to see of us stands in GUARDRAILS_API_AUTHORIZATION, as the header Authorization is written.',
  },
};

export async function askApi<Data>(
  given: Given,
  { environment }: Session,
  path: string,
  body?: object | 'nothing',
): Promise<Data> {
  const { GUARDRAILS_API_URL: url, GUARDRAILS_API_AUTHORIZATION: authorization } = environment.variables;
  const address = given.text('api') ?? (url || null);
  if (address === null || !/^https?:\/\/[^\s?#]+$/.test(address))
    throw new UsageError(
      'Which instance? Set GUARDRAILS_API_URL, or give --api, as https://shop.example/guardrails/api.',
    );
  const answer = await fetch(`${address.replace(/\/+$/, '')}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(authorization !== undefined && authorization !== '' && { authorization }),
      ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    },
    ...(typeof body === 'object' && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error('The instance does not answer. Is it running, and is the address right?');
  });
  return dataOf<Data>(answer);
}

async function dataOf<Data>(answer: Response): Promise<Data> {
  const envelope = (await answer.json().catch(() => null)) as Envelope<Data & Partial<ErrorData>> | null;
  if (answer.ok && envelope !== null) return envelope.data;
  const error = envelope?.data?.error;
  const fields = Object.entries(error?.fields ?? {}).map(
    ([name, sentences]) => `${name} ${sentences.join('; ')}`,
  );
  throw new Error(
    [`The instance answered ${answer.status}. ${error?.message ?? ''}`.trim(), ...fields].join('\n'),
  );
}
