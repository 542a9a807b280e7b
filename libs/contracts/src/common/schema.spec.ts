import { describe, expect, it } from '@jest/globals';
import {
  boolean,
  exampleOf,
  integer,
  list,
  literal,
  nullable,
  object,
  optional,
  type Static,
  text,
} from './schema.js';

const Wire = object({
  id: integer(1),
  name: nullable(text),
  tags: list(text),
  partial: optional(literal(true)),
});
type Wire = Static<typeof Wire>;

describe('a schema of a record', () => {
  it('requires every member but those that may be missing', () => {
    expect(Wire).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        name: { type: ['string', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
        partial: { const: true },
      },
      required: ['id', 'name', 'tags'],
    });
    expect(exampleOf(Wire)).toEqual({ id: 1, name: null, tags: [] });
  });

  // Checked by the compiler: each line below an expectation must not compile.
  it('has the type of the record', () => {
    const whole: Wire = { id: 1, name: null, tags: [] };
    const { id: _, ...withoutId } = whole;
    const records: Wire[] = [
      whole,
      { ...whole, partial: true },
      // @ts-expect-error a member is missing
      withoutId,
      // @ts-expect-error a member is of another type
      { ...whole, id: '1' },
      // @ts-expect-error null is not in the schema
      { ...whole, tags: null },
      // @ts-expect-error a member is not in the schema
      { ...whole, surprise: true },
    ];
    expect(records).toHaveLength(6);
    // @ts-expect-error a schema of another record
    const other: typeof Wire = object({ id: boolean });
    expect(other).not.toEqual(Wire);
  });
});
