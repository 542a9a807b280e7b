import { expect } from '@jest/globals';
import { SCHEMA_VERSION } from '#contracts/api/api.routes.js';
import type { Answer, Body } from './client.js';

/** Parts of stacks, SQL, paths and secrets, which no answer may contain. */
const INSIDE =
  /\n\s+at |node_modules|file:\/\/|\.[jt]s:\d|\bselect\b.+\bfrom\b|\binsert into\b|guardrails_|Bearer/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Asserts contract 2 and returns the body. */
export function expectEnvelope(answer: Answer, status: number, endpoint: string): Body {
  return expectAnswer(answer, status, endpoint, () => [{}, {}]);
}

/** Asserts an error in the envelope without internal details. */
export function expectError(answer: Answer, status: number, endpoint: string, code: string): Body {
  return expectAnswer(answer, status, endpoint, (body) => [
    errorFacts(answer, body),
    expectedError(answer, code),
  ]);
}

/** Asserts a refused query that names exactly these parameters. */
export function expectInvalidQuery(answer: Answer, endpoint: string, fields: readonly string[]): void {
  const sentences = Object.fromEntries(fields.map((name) => [name, [expect.stringMatching(/\S/)]]));
  expectAnswer(answer, 422, endpoint, (body) => [
    { ...errorFacts(answer, body), fields: Object.keys(body?.data.error?.fields ?? {}).toSorted() },
    { ...expectedError(answer, 'invalid_query', { fields: sentences }), fields: fields.toSorted() },
  ]);
}

type Facts = readonly [found: object, expected: object];

/** Compares all facts by one call of `expect`, each of which creates hundreds of functions and a stack. */
function expectAnswer(
  answer: Answer,
  status: number,
  endpoint: string,
  more: (body: Body | null) => Facts,
): Body {
  const body = parsed(answer.bytes);
  const [found, expected] = more(body);
  const { schema_version: version, schema } = body ?? {};
  const members = Object.keys(body ?? {});
  const { status: answered, headers, text } = answer;
  expect({ status: answered, text, headers, members, version, schema, ...found }).toMatchObject({
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/),
    },
    members: ['schema_version', 'schema', 'data'],
    version: SCHEMA_VERSION,
    schema: `${SCHEMA_VERSION}.${endpoint}`,
    ...expected,
  });
  return body as Body;
}

/** `null` if the bytes are not JSON in UTF-8. */
function parsed(bytes: Buffer): Body | null {
  try {
    return JSON.parse(utf8.decode(bytes)) as Body;
  } catch {
    return null;
  }
}

function errorFacts({ text }: Answer, body: Body | null): object {
  const data = body?.data ?? {};
  return { ofData: Object.keys(data), data, inside: INSIDE.exec(text)?.[0] ?? null };
}

function expectedError({ headers }: Answer, code: string, more: object = {}): object {
  const error = {
    code,
    message: expect.stringMatching(/\S/),
    request_id: headers['x-request-id'],
    ...more,
  };
  return { ofData: ['error'], data: { error }, inside: null };
}
