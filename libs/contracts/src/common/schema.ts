/** Values that are JSON Schema (2020-12) and know the type that they describe: the one home of a record on the wire. */
import { CONTROL_KEYS, MODE_NAMES, OUTCOMES } from './control-mode.js';
import type { ByteSpan } from './spans.js';

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

declare const described: unique symbol;

/** A JSON Schema of `T`, as the builders below make it. A plain `JsonSchema` has no type, and fits every `T`. */
export type SchemaOf<T> = JsonSchema & { readonly [described]?: (value: T) => T };

/** The type that a schema describes. */
export type Static<Schema> = Schema extends SchemaOf<infer T> ? T : never;

/** A member that may be missing. */
export class Optional<Schema extends JsonSchema> {
  constructor(readonly schema: Schema) {}
}

export type Members = Readonly<Record<string, JsonSchema | Optional<JsonSchema>>>;

type OptionalNames<M extends Members> = {
  [Name in keyof M]: M[Name] extends Optional<JsonSchema> ? Name : never;
}[keyof M];

type Described<M extends Members> = {
  readonly [Name in Exclude<keyof M, OptionalNames<M>>]: Static<M[Name]>;
} & {
  readonly [Name in OptionalNames<M>]?: M[Name] extends Optional<infer Schema> ? Static<Schema> : never;
};

/** An object with these members. With a name, the OpenAPI document has it as a component. */
export function object<const M extends Members>(
  members: M,
  name?: string,
): SchemaOf<{ readonly [Name in keyof Described<M>]: Described<M>[Name] }> {
  const entries = Object.entries(members);
  const required = entries.filter(([, member]) => !(member instanceof Optional));
  return {
    ...(name !== undefined && { title: name }),
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([key, member]) => [key, member instanceof Optional ? member.schema : member]),
    ),
    ...(required.length > 0 && { required: required.map(([key]) => key) }),
  };
}

export function optional<Schema extends JsonSchema>(schema: Schema): Optional<Schema> {
  return new Optional(schema);
}

export const anything: SchemaOf<unknown> = {};
export const boolean: SchemaOf<boolean> = { type: 'boolean' };
export const text: SchemaOf<string> = { type: 'string' };
export const decimal: SchemaOf<number> = { type: 'number' };

/** An object whose names are not fixed. */
export function mapOf<T>(
  values: SchemaOf<T>,
  limits: JsonSchema = {},
): SchemaOf<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: values, ...limits };
}

/** An object with one member for each of these names. */
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
  if (typeof type === 'string' && rest['enum'] === undefined) return { ...rest, type: [type, 'null'] };
  const { examples, ...others }: JsonSchema = schema;
  return { anyOf: [others, { type: 'null' }], ...(examples !== undefined && { examples }) };
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): SchemaOf<number> {
  return { type: 'integer', minimum, maximum };
}

export function pattern(source: string): SchemaOf<string> {
  return { type: 'string', pattern: source };
}

/** @param sample an example; those of answers consist of the examples of their members */
export function about<T>(schema: SchemaOf<T>, description: string, sample?: T): SchemaOf<T> {
  return { ...schema, description, ...(sample !== undefined && { examples: [sample] }) };
}

export function example<T>(schema: SchemaOf<T>, value: T): SchemaOf<T> {
  return { ...schema, examples: [value] };
}

/** A value that may be null, as in the example. */
export function none<T>(schema: SchemaOf<T>): SchemaOf<T | null> {
  return example(nullable(schema), null);
}

export function deprecated<T>(schema: SchemaOf<T>, description: string): SchemaOf<T> {
  return { ...schema, deprecated: true, description };
}

export const id = integer(1);
export const count = integer(0);
export const control = choice(CONTROL_KEYS);
export const mode = choice(MODE_NAMES);
export const outcome = choice(OUTCOMES);
export const sha256 = pattern('^[0-9a-f]{64}$');

/** A time as answers contain it. */
export const moment: SchemaOf<string> = {
  ...pattern('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'),
  format: 'date-time',
  examples: ['2026-03-31T09:14:55.310Z'],
};

export const day: SchemaOf<string> = { ...pattern('^\\d{4}-\\d{2}-\\d{2}$'), format: 'date' };

export const rulesetVersion = about(
  pattern('^.+-[0-9a-f]{12}$'),
  'Identifies the rules in force: `<label>-<first 12 hex digits of a digest over them>`.',
  'builtin-3f9a1c07be52',
);

export const span: SchemaOf<ByteSpan> = {
  type: 'array',
  prefixItems: [count, count],
  items: false,
  minItems: 2,
  description: '`[start, end)` in UTF-8 bytes.',
  examples: [[7, 39]],
};

export const principalId = about(
  text,
  'The principal: the person or account for whom the model ran.',
  'customer-42',
);

export const violations = about(
  mapOf({ ...text, maxLength: 500 }, { propertyNames: { maxLength: 200 }, maxProperties: 50 }),
  'Argument name → reason.',
);

export const nextCursor = about(nullable(id), 'Pass it as `cursor` for the next page; `null` at the end.');

/** In pages of a search. */
export const partial = about(
  literal(true),
  'The search ended before the page was full: the page is short or empty, and `next_cursor` continues the search.',
);

/** A value that fits a schema: its example, or the plainest one. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: choices, type, properties, required = [], items } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(choices)) return choices[0];
  if (schema['anyOf'] !== undefined || (Array.isArray(type) && type.includes('null'))) return null;
  if (type === 'array')
    return (items as JsonSchema)['type'] === 'object' ? [exampleOf(items as JsonSchema)] : [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 0;
  if (type !== 'object') return '';
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchema>)
      .filter(([name]) => (required as readonly string[]).includes(name))
      .map(([name, member]) => [name, exampleOf(member)]),
  );
}
