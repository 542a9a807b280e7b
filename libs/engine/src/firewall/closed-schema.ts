import type { JsonSchema } from '../../../contracts/src/firewall.js';
import { isPlainObject, setOwn } from '../json/plain-json.js';
import { composed, COMPOSING_LISTS, COMPOSING_MAPS, COMPOSING_SCHEMAS } from './schema-reach.js';

/** How a subschema lies to the one around it. */
type Place =
  /** It judges a value of its own: an argument, an entry of a list. */
  | 'value'
  /** It judges part of a value that the schema around it, or one that refers to it, judges as a whole. */
  | 'part';

const PLACES: ReadonlyMap<string, Place> = new Map<string, Place>([
  ...(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const).map(
    (keyword) => [keyword, 'value'] as const,
  ),
  ...(['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const).map(
    (keyword) => [keyword, 'value'] as const,
  ),
  ...[...COMPOSING_LISTS, ...COMPOSING_SCHEMAS, ...COMPOSING_MAPS, '$defs', 'definitions'].map(
    (keyword) => [keyword, 'part'] as const,
  ),
]);

const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  ...COMPOSING_MAPS,
  '$defs',
  'definitions',
]);

const DEEPEST_SCHEMA = 200;

/**
 * A copy of a schema in which every object that declares `properties`, and says nothing about others, admits no
 * others. The outermost schema of a composition is closed, never its parts: each part knows only its own arguments.
 * `if` and `not` stay as they are, because a stricter condition would let more through.
 */
export function closedSchema(root: JsonSchema): JsonSchema {
  const close = (schema: unknown, place: Place, depth: number): unknown => {
    if (Array.isArray(schema)) return schema.map((entry) => close(entry, place, depth + 1));
    if (!isPlainObject(schema)) return schema;
    if (depth > DEEPEST_SCHEMA) throw new TypeError('The schema is nested too deep, or in a circle.');
    const copied: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      setOwn(copied, keyword, closeKeyword(keyword, value, depth));
    }
    if (place === 'value' && isOpenObject(schema, root)) copied['unevaluatedProperties'] = false;
    return copied;
  };
  const closeKeyword = (keyword: string, value: unknown, depth: number): unknown => {
    const place = PLACES.get(keyword);
    if (place === undefined) return value;
    if (!MAPS.has(keyword)) return close(value, place, depth + 1);
    if (!isPlainObject(value)) return value;
    const copied: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(value)) {
      // In draft-07 a dependency may be a list of names.
      setOwn(copied, name, Array.isArray(schema) ? schema : close(schema, place, depth + 1));
    }
    return copied;
  };
  return close(root, 'value', 0) as JsonSchema;
}

function isOpenObject(schema: JsonSchema, root: JsonSchema): boolean {
  if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return false;
  return composed(schema, root).some(({ properties }) => isPlainObject(properties));
}
