import { describe, expect, it } from '@jest/globals';
import { boolean, integer, list, literal, nullable, object, Optional, text } from './json-schema.js';

interface Wire {
  readonly id: number;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly partial?: true;
}

const fields = {
  id: integer(1),
  name: nullable(text),
  tags: list(text),
  partial: new Optional(literal(true)),
};

describe('a schema of a wire type', () => {
  it('requires every field but those that may be missing', () => {
    expect(object<Wire>(fields)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        name: { type: ['string', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
        partial: { const: true },
      },
      required: ['id', 'name', 'tags'],
    });
  });

  // The compiler checks this: no line below may compile.
  it('does not compile when it drifts from the type', () => {
    const { id: _, ...withoutId } = fields;
    // @ts-expect-error a field is missing
    object<Wire>(withoutId);
    // @ts-expect-error a field is of another type
    object<Wire>({ ...fields, id: boolean });
    // @ts-expect-error null is on the wire, and not in the schema
    object<Wire>({ ...fields, name: text });
    // @ts-expect-error null is in the schema, and never on the wire
    object<Wire>({ ...fields, id: nullable(integer(1)) });
    // @ts-expect-error a field may be missing, and the schema requires it
    object<Wire>({ ...fields, partial: literal(true) });
    // @ts-expect-error a field is always there, and the schema lets it be missing
    object<Wire>({ ...fields, tags: new Optional(list(text)) });
    // @ts-expect-error a field is in the schema, and not on the wire
    object<Wire>({ ...fields, surprise: text });
  });
});
