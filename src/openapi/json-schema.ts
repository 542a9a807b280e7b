/** Schemas that are checked against a type which stands elsewhere. */
import { type JsonSchema, Optional, type SchemaOf } from '#contracts/schema.js';

export * from '#contracts/schema.js';

export type Fields<T> = {
  readonly [Key in keyof T]-?: {} extends Pick<T, Key>
    ? Optional<SchemaOf<Exclude<T[Key], undefined>>>
    : SchemaOf<T[Key]>;
};

/** `additionalProperties` stays open, because later versions may add fields. */
export function object<T>(fields: Fields<T>): SchemaOf<T> {
  const entries = Object.entries<JsonSchema | Optional<JsonSchema>>(fields as never);
  const required = entries.filter(([, field]) => !(field instanceof Optional));
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, field instanceof Optional ? field.schema : field]),
    ),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}
