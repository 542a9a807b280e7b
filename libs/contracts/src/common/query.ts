/** Parameters of queries, as a schema of what the handler gets. The query reader of the API reads them by it. */
import {
  about,
  boolean,
  id,
  type JsonSchema,
  optional,
  type Optional,
  type SchemaOf,
  text,
} from './schema.js';

/** A parameter that is always set, because it has a default. */
export function byDefault<T>(value: T, schema: SchemaOf<T>): SchemaOf<T> {
  return { ...schema, default: value };
}

export const filterText: SchemaOf<string> = { ...text, minLength: 1, maxLength: 500 };

export const flag = about(boolean, '`1` and `0` are accepted too.', true);

/** The filter "attribute = value": the schema of an attribute without `null`. */
export function equalTo(attribute: JsonSchema): JsonSchema {
  const { type, anyOf, pattern: _, ...others } = attribute;
  const [choices] = (anyOf ?? []) as readonly JsonSchema[];
  const [one] = [type].flat();
  const isText = one === 'string' && !('enum' in others);
  return { ...others, ...choices, ...(one !== undefined && { type: one }), ...(isText && filterText) };
}

const DATE = '\\d{4}-\\d{2}-\\d{2}';
const TIME = '\\d{2}:\\d{2}(:\\d{2}(\\.\\d{3})?)?(Z|[+-]\\d{2}:\\d{2})?';
const instant: SchemaOf<Date> = { type: 'string', pattern: `^${DATE}(T${TIME})?$` };

/** Both ends are inclusive; a bare date in `to` includes that whole day. */
export const RANGE: { readonly from: Optional<SchemaOf<Date>>; readonly to: Optional<SchemaOf<Date>> } = {
  from: optional({
    ...instant,
    description: 'Inclusive. Without an offset it is UTC.',
    examples: ['2026-03-01'],
  }),
  to: optional({
    ...instant,
    description: 'Inclusive. A bare date includes that whole UTC day.',
    examples: ['2026-03-31T12:00:00Z'],
  }),
};

/** Filters of lists of tool calls. */
export const OF_TOOL_CALLS = {
  tool: optional(about(filterText, 'The tool called.', 'refund')),
  principal_id: optional(about(filterText, 'The principal for whom the model ran.', 'customer-42')),
  application: optional(about(filterText, 'The calling application.', 'support-chat')),
};

/** A part of a list. A size above the largest is reduced to it. */
export function cursorOf(largest: number, size: number) {
  return {
    cursor: optional(about(id, 'The `next_cursor` of the previous page.', 4711)),
    limit: byDefault(
      size,
      about(
        { type: 'integer', minimum: 1 },
        `Size of a page. Values above ${largest} are reduced to ${largest}.`,
        size,
      ),
    ),
  };
}

/** A page of a list, which can also be asked for its newer rows only. */
export function pageOf(largest: number, size: number) {
  const { cursor, limit } = cursorOf(largest, size);
  const newer = 'Only newer rows: with a higher id than this one. Not together with `cursor`.';
  return { cursor, after: optional(about(id, newer, 4711)), limit };
}
