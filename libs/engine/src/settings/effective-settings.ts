import { Settings } from '../../../contracts/src/settings/settings.js';
import {
  definitionOf,
  isSettingKey,
  type SettingKey,
  type SettingValues,
} from '../../../contracts/src/settings/settings.schema.js';
import type { StoredOverrides } from '../../../contracts/src/settings/settings.store.js';

export interface EffectiveSettings {
  readonly settings: Settings;
  /** Stored overrides that no longer pass the schema: ignored, never half-trusted. */
  readonly ignored: readonly string[];
}

/** The deployer's values, with every stored override on top that still passes the schema. */
export function effectiveSettings(configured: SettingValues, stored: StoredOverrides): EffectiveSettings {
  const values: Record<string, unknown> = { ...configured };
  const overridden: SettingKey[] = [];
  const ignored: string[] = [];
  for (const [key, raw] of stored.values) {
    const definition = isSettingKey(key) ? definitionOf(key) : null;
    const parsed = definition === null || definition.locked ? null : definition.kind.parse(raw);
    if (parsed?.ok !== true || lacks(key, parsed.value, configured) !== null) {
      ignored.push(key);
      continue;
    }
    values[key] = parsed.value;
    overridden.push(key as SettingKey);
  }
  overridden.sort();
  return {
    settings: new Settings(Object.freeze(values) as SettingValues, overridden, stored.revision),
    ignored,
  };
}

/** What a value needs that only the deployer can give, where it is missing. */
export function lacks(key: string, value: unknown, configured: SettingValues): string | null {
  const hashes = key === 'audit_hygiene.prompt_storage' && value === 'hash';
  if (!hashes || configured['audit_hygiene.hash_key'] !== null) return null;
  return 'hash needs audit_hygiene.hash_key, which is configuration: without a key a dictionary finds the text again';
}
