/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

declare const described: unique symbol;

/** A JSON Schema that says exactly `T`: the compiler refuses one that has drifted from the wire type. */
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

/** `additionalProperties` stays open: later versions may add fields, and clients must not stumble over them. */
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

/** Names that are not known beforehand. */
export function mapOf<T>(
  values: SchemaOf<T>,
  limits: JsonSchema = {},
): SchemaOf<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: values, ...limits };
}

/** One field for each of these names. */
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

export function about<T>(schema: SchemaOf<T>, description: string): SchemaOf<T> {
  return { ...schema, description };
}
