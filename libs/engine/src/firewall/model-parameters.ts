import type { JsonSchema, Tool } from '#contracts/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '../json/plain-json.js';
import { comparableName } from '../text/comparison.js';
import { readParameters } from './tool-parameters.js';

/** Keywords whose members are named by the author of the schema. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Keywords that contain values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/** The tool's JSON Schema without the properties that the firewall sets; `null` where it has no JSON form. */
export function withoutOwnerKeys(tool: Pick<Tool, 'parameters'>, settings: Settings): JsonSchema | null {
  const { json } = readParameters(tool.parameters);
  if (json === null) return null;
  const ownerKeys = new Set(settings.get('tool_firewall.owner_keys').map(comparableName));
  const isShown = (name: unknown): boolean =>
    typeof name !== 'string' || !ownerKeys.has(comparableName(name));
  const everywhere = settings.get('tool_authorization.owner_key_depth') === 'recursive';
  return settings.mode('tool_firewall').enforces() ? shown(json, isShown, everywhere) : json;
}

function shown(schema: JsonSchema, isShown: (name: unknown) => boolean, everywhere: boolean): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (!everywhere) return value;
    if (Array.isArray(value)) return value.map(inner);
    return isPlainObject(value) ? shown(value, isShown, everywhere) : value;
  };
  const members = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'required' && Array.isArray(value)) return [keyword, value.filter(isShown)];
    if (VALUES.has(keyword)) return [keyword, value];
    if (!NAMED.has(keyword) || !isPlainObject(value)) return [keyword, inner(value)];
    const kept = Object.entries(value).filter(([name]) => keyword !== 'properties' || isShown(name));
    return [keyword, Object.fromEntries(kept.map(([name, each]) => [name, inner(each)]))];
  });
  return Object.fromEntries(members);
}
