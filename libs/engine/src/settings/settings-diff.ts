import { isDeepStrictEqual } from 'node:util';
import type { SettingChange } from '../../../contracts/src/settings/setting-change.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { SettingKey } from '../../../contracts/src/settings/settings.schema.js';

export type KeyedChange = SettingChange & { readonly setting: SettingKey };

/** What changed among `keys`, in their order; patterns are told rule by rule. */
export function settingsDiff(
  before: Settings,
  after: Settings,
  keys: Iterable<SettingKey>,
): readonly KeyedChange[] {
  return [...keys].flatMap((key): KeyedChange[] => {
    const [old, current] = [before.get(key), after.get(key)];
    if (isDeepStrictEqual(old, current)) return [];
    if (key !== 'input_screen.patterns') return [{ setting: key, key, before: old, after: current }];
    return patternChanges(before.get(key), after.get(key)).map((change) => ({ setting: key, ...change }));
  });
}

function patternChanges(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): SettingChange[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return ids
    .filter((id) => before[id] !== after[id])
    .map((id) => ({
      key: `input_screen.patterns.${id}`,
      before: before[id] ?? null,
      after: after[id] ?? null,
    }));
}
