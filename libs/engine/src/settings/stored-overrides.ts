import { freezesOf, isFreezeKey } from '#contracts/freeze/freezes.api.js';
import { Settings } from '#contracts/settings/settings.js';
import {
  definitionOf,
  isSettingKey,
  type SettingKey,
  type SettingValues,
  unlockedKeys,
} from '#contracts/settings/settings.schema.js';
import type { StoredOverrides } from '#contracts/stores/settings.store.js';
import type { KeyedChange } from './setting-changes.js';
import { missingRequirement } from './settings-validation.js';

/** The overrides after an update, at the next revision. */
export function withOverrides(
  stored: StoredOverrides,
  values: ReadonlyMap<SettingKey, unknown>,
): StoredOverrides {
  const next = new Map(stored.values);
  for (const [key, value] of values) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return { ...stored, values: next, revision: stored.revision + 1 };
}

/** Values that take effect, and `null` for every stored override that is removed, even where its value was in force anyway. */
export function overridesToWrite(
  stored: StoredOverrides,
  values: ReadonlyMap<SettingKey, unknown>,
  changes: readonly KeyedChange[],
): ReadonlyMap<SettingKey, unknown> {
  const changed = new Set(changes.map(({ setting }) => setting));
  return new Map(
    [...values].filter(([key, value]) => changed.has(key) || (value === null && stored.values.has(key))),
  );
}

export interface EffectiveSettings {
  readonly settings: Settings;
  /** Keys of stored overrides that no longer pass the schema and are ignored. */
  readonly ignored: readonly string[];
}

/** The configured values, replaced by every stored override that passes the schema. */
export function effectiveSettings(configured: SettingValues, stored: StoredOverrides): EffectiveSettings {
  const values: Record<string, unknown> = { ...configured };
  const overridden: SettingKey[] = [];
  const ignored: string[] = [];
  const unlocked = unlockedKeys(configured);
  for (const [key, raw] of stored.values) {
    if (isFreezeKey(key)) continue;
    const definition = isSettingKey(key) ? definitionOf(key) : null;
    const isOpen = definition !== null && (!definition.locked || unlocked.has(key as SettingKey));
    const parsed = isOpen ? definition.kind.parse(raw) : null;
    if (parsed?.ok !== true || missingRequirement(key, parsed.value, configured) !== null) {
      ignored.push(key);
      continue;
    }
    values[key] = parsed.value;
    overridden.push(key as SettingKey);
  }
  overridden.sort();
  return {
    settings: new Settings(
      Object.freeze(values) as SettingValues,
      overridden,
      stored.revision,
      stored.latestChange,
      configured,
      freezesOf(stored.values),
    ),
    ignored,
  };
}
