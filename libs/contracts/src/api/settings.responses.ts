import type { SettingKey } from '../settings/settings.schema.js';

export interface SettingsData {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overridden: readonly SettingKey[];
  readonly revision: number;
  readonly warnings: readonly string[];
}

export interface SettingsUpdateData extends SettingsData {
  /** Dotted keys; a pattern is `input_screen.patterns.<rule id>`, as in the change log. */
  readonly changed: readonly string[];
}

export interface SettingsChangesData {
  readonly changes: readonly {
    readonly id: number;
    readonly actor_id: string;
    readonly key: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
    readonly occurred_at: string;
    readonly request_id: string | null;
  }[];
  readonly next_cursor: number | null;
}
