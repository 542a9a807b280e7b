import { literal, pattern, text, type JsonSchema } from './json-schema.js';

const header = (description: string, schema: JsonSchema) => ({ description, required: true, schema });

/** Every header of ours beyond `Content-Type`, by the names under which they stand among the components. */
export const HEADERS = {
  'Cache-Control': header('Nothing of this is kept on the way.', literal('no-store')),
  'X-Content-Type-Options': header('It is JSON and nothing else.', literal('nosniff')),
  'X-Request-Id': header("The caller's, where it was sane, or else ours.", pattern('^[\\w.:-]{1,128}$')),
  ETag: header('Names the settings in effect, for `If-Match`.', pattern('^"[^"]+"$')),
  'Retry-After': header('Seconds after which another try makes sense.', pattern('^[1-9][0-9]*$')),
  Allow: header('The verbs that this path takes.', text),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every answer, and those of this one. */
export function headers(...own: readonly HeaderName[]) {
  const names: readonly HeaderName[] = ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
