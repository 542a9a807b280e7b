import type { SettingChangeData } from '#contracts/api/responses.js';
import { GuardrailsError } from '#contracts/errors.js';
import type { SettingChangeRecord, SettingsStore } from '#contracts/settings/settings.store.js';

/** The most changes that the error of a stale update lists. */
const MOST_CHANGES = 100;

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
      : (await store.changes({}, { after: Number(since), limit: MOST_CHANGES })).entries;
  return new GuardrailsError(
    'stale_settings',
    'The settings changed after they were read; nothing was written. Read them again and repeat the change.',
    { details: { changes: changes.map(settingChangeData) } },
  );
}
