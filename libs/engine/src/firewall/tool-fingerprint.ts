import { ConfigurationError } from '../../../contracts/src/errors.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import { digestOf } from '../json/canonical-json.js';
import { readParameters } from './tool-parameters.js';

/**
 * SHA-256 over the tool's name and its schema: another schema is another tool, whatever it is called. A schema without
 * a JSON form is known by the version that the tool gives it alone; `null` where it gives none.
 */
export function fingerprintOf(tool: Pick<Tool, 'name' | 'parameters' | 'schemaVersion'>): string | null {
  const { name, parameters, schemaVersion } = tool;
  const version: unknown = schemaVersion;
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    throw new ConfigurationError(['`schemaVersion` is a text that is not empty, or left out.']);
  }
  const named = { name, ...(version !== undefined && { version }) };
  const { json, judge } = readParameters(parameters);
  // Through JSON first: schemas written in code often hold keys that are undefined.
  if (json !== null) return digestOf({ ...named, parameters: JSON.parse(JSON.stringify(json)) as unknown });
  return version === undefined ? null : digestOf({ ...named, standard: judge?.vendor ?? null });
}
