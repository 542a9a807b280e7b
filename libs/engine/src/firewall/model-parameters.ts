import type { JsonSchema, Tool } from '#contracts/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '../json/plain-json.js';
import { comparableName } from '../text/comparison.js';
import { readParameters } from './tool-parameters.js';

/**
 * The tool's JSON Schema without the owner keys of the top level, where the firewall adds them; `null` where it has no
 * JSON form. Deeper owner keys stay: they are overwritten where they are given, but never added.
 */
export function withoutOwnerKeys(tool: Pick<Tool, 'parameters'>, settings: Settings): JsonSchema | null {
  const { json } = readParameters(tool.parameters);
  if (json === null || settings.mode('tool_firewall').isOff()) return json;
  const ownerKeys = new Set(settings.get('tool_firewall.owner_keys').map(comparableName));
  const isShown = (name: unknown): boolean =>
    typeof name !== 'string' || !ownerKeys.has(comparableName(name));
  const { properties, required } = json;
  return {
    ...json,
    ...(isPlainObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isShown(name))),
    }),
    ...(Array.isArray(required) && { required: required.filter(isShown) }),
  };
}
