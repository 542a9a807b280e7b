import type {
  SettingsChangesData,
  SettingsData,
  SettingsUpdateData,
} from '../../libs/contracts/src/api/responses.js';
import type { Page } from '../../libs/contracts/src/page.js';
import type { Settings } from '../../libs/contracts/src/settings/settings.js';
import type { SettingChangeRecord } from '../../libs/contracts/src/settings/settings.store.js';
import type { SettingsUpdate } from '../../libs/engine/src/settings/live-settings.js';

export function presentSettings(settings: Settings): SettingsData {
  return {
    settings: settings.shown(),
    overridden: settings.overridden,
    revision: settings.revision,
    warnings: settings.warnings(),
  };
}

export function presentUpdate({ settings, changed }: SettingsUpdate): SettingsUpdateData {
  return { ...presentSettings(settings), changed };
}

export function presentChanges({ entries, nextCursor }: Page<SettingChangeRecord>): SettingsChangesData {
  return {
    changes: entries.map((change) => ({
      id: change.id,
      actor_id: change.actorId,
      key: change.key,
      old_value: change.before ?? null,
      new_value: change.after ?? null,
      occurred_at: change.occurredAt.toISOString(),
      request_id: change.requestId,
    })),
    next_cursor: nextCursor,
  };
}
