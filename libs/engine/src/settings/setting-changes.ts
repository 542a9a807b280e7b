import { isDeepStrictEqual } from 'node:util';
import type { SettingChangeData } from '#contracts/settings/settings.api.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { SettingChange, Settings } from '#contracts/settings/settings.js';
import type { SettingKey } from '#contracts/settings/settings.schema.js';
import type { SettingChangeRecord, SettingsStore } from '#contracts/stores/settings.store.js';

/** The most changes that the error of a stale update lists. */
const MAX_CHANGES = 100;

/** A change record as the API shows it. */
export function settingChangeData(change: SettingChangeRecord): SettingChangeData {
  return {
    id: change.id,
    actor_id: change.actorId,
    key: change.key,
    old_value: change.before ?? null,
    new_value: change.after ?? null,
    occurred_at: change.occurredAt.toISOString(),
    request_id: change.requestId,
  };
}

/** The error of an update whose `If-Match` does not name the settings in force, with the changes since. */
export async function staleSettings(ifMatch: string | null, store: SettingsStore): Promise<GuardrailsError> {
  const since = /-(\d{1,15})"/.exec(ifMatch ?? '')?.[1];
  const changes =
    since === undefined
      ? []
      : (await store.changes({}, { after: Number(since), limit: MAX_CHANGES })).entries;
  return new GuardrailsError(
    'stale_settings',
    'The settings changed after they were read; nothing was written. Read them again and repeat the change.',
    { details: { changes: changes.map(settingChangeData) } },
  );
}

/** A change, and the setting that its key is part of. */
export type KeyedChange = SettingChange & { readonly setting: SettingKey };

/** Settings with one change record per entry. */
const KEYED_SETTINGS = ['input_screen.patterns', 'hitl.policies'] as const;

/** Effective changes among `keys`, in their order; one per rule for patterns, and one per tool for policies. */
export function settingsDiff(
  before: Settings,
  after: Settings,
  keys: Iterable<SettingKey>,
): readonly KeyedChange[] {
  return [...keys].flatMap((key) => {
    const [old, current] = [before.get(key), after.get(key)];
    if (isDeepStrictEqual(old, current)) return [];
    const keyed = KEYED_SETTINGS.find((candidate) => candidate === key);
    if (keyed === undefined) return [{ setting: key, key, before: old, after: current }];
    return entryChanges(keyed, before.get(keyed), after.get(keyed));
  });
}

function entryChanges(
  setting: SettingKey,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): KeyedChange[] {
  const ownOf = (values: Readonly<Record<string, unknown>>, name: string) =>
    Object.hasOwn(values, name) ? values[name] : null;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names
    .map((name) => ({
      setting,
      key: `${setting}.${name}`,
      before: ownOf(before, name),
      after: ownOf(after, name),
    }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}
