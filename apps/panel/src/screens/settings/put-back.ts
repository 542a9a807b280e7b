import type { SettingChangeData } from '#client/index.js';
import { change, draftedValue } from './draft.js';
import { isObject, isSame, settingOf, type Loaded } from './settings-data.js';

/**
 * Puts the values from before a save into the draft. A change of a pattern or a policy concerns one entry of its setting.
 * Answers whether there is anything to put back; with `isDry` the draft stays as it is.
 */
export function putBack(
  loaded: Loaded,
  changes: readonly SettingChangeData[],
  { isDry = false } = {},
): boolean {
  let isAny = false;
  for (const { key: changed, old_value: old } of changes) {
    const setting = settingOf(loaded, changed);
    if (setting === undefined || setting.locked) continue;
    const { key, configured } = setting;
    const now = isDry ? loaded.values[key] : draftedValue(loaded, key);
    const value = changed === key ? old : withEntry(now, changed.slice(key.length + 1), old);
    if (isSame(value, now)) continue;
    isAny = true;
    if (!isDry) change(loaded, key, isSame(value, configured) && loaded.overridden.has(key) ? null : value);
  }
  return isAny;
}

function withEntry(value: unknown, name: string, old: unknown): Readonly<Record<string, unknown>> {
  const others = Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(([entry]) => entry !== name),
  );
  return old === null ? others : { ...others, [name]: old };
}
