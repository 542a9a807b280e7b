// The parts of a JSON Schema that validate the same value, and what is declared for an argument.
import type { JsonSchema } from '#contracts/firewall/firewall.js';
import { isPlainObject } from '#contracts/common/text.js';
import { stepsOf } from '../../json/plain-json.js';

/** Keywords whose subschemas validate the same value as their parent. */
export const COMPOSING_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
export const COMPOSING_SCHEMAS = ['then', 'else'] as const;
export const COMPOSING_MAPS = ['dependentSchemas', 'dependencies'] as const;

/** A reference within the document: `#`, `#/$defs/address`. Other references are not resolved. */
function referred(reference: unknown, root: JsonSchema) {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const step of stepsOf(reference)) {
    const key = decodeStep(step);
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return target;
}

function decodeStep(step: string) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A schema and all subschemas and references that validate the same value. */
export function composed(schema: unknown, root: JsonSchema): readonly JsonSchema[] {
  const parts = new Set<JsonSchema>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!isPlainObject(next) || parts.has(next)) continue;
    parts.add(next);
    waiting.push(referred(next['$ref'], root));
    for (const keyword of COMPOSING_SCHEMAS) waiting.push(next[keyword]);
    for (const keyword of COMPOSING_LISTS) {
      const list = next[keyword];
      if (Array.isArray(list)) waiting.push(...(list as unknown[]));
    }
    for (const keyword of COMPOSING_MAPS) {
      const map = next[keyword];
      if (isPlainObject(map)) waiting.push(...Object.values(map));
    }
  }
  return [...parts];
}

/** The schemas that `properties` declares for an argument, except `false`, which forbids it. */
export function declaredProperty(schemas: readonly unknown[], key: string, root: JsonSchema): unknown[] {
  return schemas
    .flatMap((schema) => composed(schema, root))
    .map(({ properties }) =>
      isPlainObject(properties) && Object.hasOwn(properties, key) ? properties[key] : false,
    )
    .filter((schema) => schema !== false);
}

/** Names of the properties that a schema declares, except those that are `false`. */
export function declaredNames(root: JsonSchema): readonly string[] {
  const names = composed(root, root).flatMap(({ properties }) =>
    isPlainObject(properties) ? Object.keys(properties).filter((name) => properties[name] !== false) : [],
  );
  return [...new Set(names)];
}

/** The schemas of one entry of a list. */
export function declaredItem(schemas: readonly unknown[], index: number, root: JsonSchema): unknown[] {
  return schemas
    .flatMap((schema) => composed(schema, root))
    .flatMap(({ prefixItems, items, additionalItems }) => {
      const tuple: readonly unknown[] = Array.isArray(prefixItems)
        ? prefixItems
        : Array.isArray(items)
          ? items
          : [];
      return index < tuple.length ? [tuple[index]] : [Array.isArray(items) ? additionalItems : items];
    })
    .filter((schema) => schema !== undefined);
}
