import { APPROVAL_STATUSES } from '#contracts/approvals.js';
import { CONTROL_KEYS, MODE_NAMES, OUTCOMES } from '#contracts/control-mode.js';
import type { Span } from '#contracts/text.js';

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

declare const described: unique symbol;

/** A JSON Schema of exactly `T`. One that differs from the wire type does not compile. */
export type SchemaOf<T> = JsonSchema & { readonly [described]?: (value: T) => T };

/** A field that may be missing. */
export class Optional<T> {
  constructor(readonly schema: SchemaOf<T>) {}
}

export type Fields<T> = {
  readonly [Key in keyof T]-?: {} extends Pick<T, Key>
    ? Optional<Exclude<T[Key], undefined>>
    : SchemaOf<T[Key]>;
};

export const anything: SchemaOf<unknown> = {};
export const boolean: SchemaOf<boolean> = { type: 'boolean' };
export const text: SchemaOf<string> = { type: 'string' };

/** `additionalProperties` stays open, because later versions may add fields. */
export function object<T>(fields: Fields<T>): SchemaOf<T> {
  const entries = Object.entries<SchemaOf<unknown> | Optional<unknown>>(fields as never);
  const required = entries.filter(([, field]) => !(field instanceof Optional));
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, field instanceof Optional ? field.schema : field]),
    ),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}

/** An object whose names are not fixed. */
export function mapOf<T>(
  values: SchemaOf<T>,
  limits: JsonSchema = {},
): SchemaOf<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: values, ...limits };
}

/** An object with one field for each of these names. */
export function record<Key extends string, T>(
  keys: readonly Key[],
  values: SchemaOf<T>,
): SchemaOf<Readonly<Record<Key, T>>> {
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, values])),
    required: keys,
  };
}

export function list<T>(items: SchemaOf<T>, limits: JsonSchema = {}): SchemaOf<readonly T[]> {
  return { type: 'array', items, ...limits };
}

export function choice<const Choice extends string>(choices: readonly Choice[]): SchemaOf<Choice> {
  return { type: 'string', enum: choices };
}

export function literal<const Value extends string | boolean>(value: Value): SchemaOf<Value> {
  return { const: value };
}

export function nullable<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  const { type, ...rest }: JsonSchema = schema;
  return typeof type === 'string' && rest.enum === undefined
    ? { ...rest, type: [type, 'null'] }
    : { anyOf: [{ ...schema } as JsonSchema, { type: 'null' }] };
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): SchemaOf<number> {
  return { type: 'integer', minimum, maximum };
}

export function pattern(source: string): SchemaOf<string> {
  return { type: 'string', pattern: source };
}

export function deprecated<T>(schema: SchemaOf<T>, description: string): SchemaOf<T> {
  return { ...schema, deprecated: true, description };
}

export function about<T>(schema: SchemaOf<T>, description: string): SchemaOf<T> {
  return { ...schema, description };
}

export const id = integer(1);
export const count = integer(0);
export const control = choice(CONTROL_KEYS);
export const mode = choice(MODE_NAMES);
export const outcome = choice(OUTCOMES);
export const approvalStatus = choice(APPROVAL_STATUSES);
export const sha256 = pattern('^[0-9a-f]{64}$');

export const moment: SchemaOf<string> = {
  ...pattern('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'),
  format: 'date-time',
};

export const day: SchemaOf<string> = { ...pattern('^\\d{4}-\\d{2}-\\d{2}$'), format: 'date' };

export const rulesetVersion = about(
  pattern('^.+-[0-9a-f]{12}$'),
  'Identifies the rules in force: `<label>-<first 12 hex digits of a digest over them>`.',
);

export const span: SchemaOf<Span> = {
  type: 'array',
  prefixItems: [count, count],
  items: false,
  minItems: 2,
  description: '`[start, end)` in UTF-8 bytes.',
};

export const principalId = about(text, 'The principal: the person or account for whom the model ran.');

export const violations = about(
  mapOf({ ...text, maxLength: 500 }, { propertyNames: { maxLength: 200 }, maxProperties: 50 }),
  'Argument name → reason.',
);

/** Why a tool failed. */
export const runError = nullable(object<{ code: string; message: string }>({ code: text, message: text }));

export const nextCursor = about(nullable(id), 'Pass it as `cursor` for the next page; `null` at the end.');

export const PARTIAL =
  'The search ended before the page was full: the page is short or empty, and `next_cursor` continues the search.';
