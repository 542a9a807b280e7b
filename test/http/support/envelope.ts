import { expect } from '@jest/globals';
import { SCHEMA_VERSION } from '#contracts/api/api.routes.js';
import type { Answer, Body } from './client.js';

/** Parts of stacks, SQL, paths and secrets, which no answer may contain. */
const INSIDE =
  /\n\s+at |node_modules|file:\/\/|\.[jt]s:\d|\bselect\b.+\bfrom\b|\binsert into\b|guardrails_|Bearer/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Asserts contract 2 and returns the body. */
export function expectEnvelope(answer: Answer, status: number, endpoint: string): Body {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/),
  });
  const body = JSON.parse(utf8.decode(answer.bytes)) as Body;
  expect(Object.keys(body)).toEqual(['schema_version', 'schema', 'data']);
  expect(body).toMatchObject({ schema_version: SCHEMA_VERSION, schema: `${SCHEMA_VERSION}.${endpoint}` });
  return body;
}

/** Asserts an error in the envelope without internal details. */
export function expectError(answer: Answer, status: number, endpoint: string, code: string): Body {
  const body = expectEnvelope(answer, status, endpoint);
  expect(Object.keys(body.data)).toEqual(['error']);
  expect(body.data.error).toMatchObject({
    code,
    message: expect.stringMatching(/\S/),
    request_id: answer.headers['x-request-id'],
  });
  expect(answer.text).not.toMatch(INSIDE);
  return body;
}

/** Asserts a refused query that names exactly these parameters. */
export function expectInvalidQuery(answer: Answer, endpoint: string, fields: readonly string[]): void {
  const { error } = expectError(answer, 422, endpoint, 'invalid_query').data;
  expect(Object.keys(error.fields).toSorted()).toEqual(fields.toSorted());
  for (const sentences of Object.values(error.fields)) {
    expect(sentences).toEqual([expect.stringMatching(/\S/)]);
  }
}
