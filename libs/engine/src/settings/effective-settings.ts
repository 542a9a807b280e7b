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
    if (parsed?.ok !== true) {
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
