import type { SettingChangeRecord, StoredOverrides } from '#contracts/stores/settings.store.js';
import { settingsPlan } from './builders.js';
import { entriesOf, type BackendFixture } from './backend-fixture.js';

/** Writes these overrides unconditionally; `null` removes one. */
export function write(fixture: BackendFixture, overrides: Record<string, unknown>): Promise<StoredOverrides> {
  return fixture.settings.apply(() => settingsPlan({ overrides }));
}

/** The change records, or those under a key, newest first. */
export function changesOf(fixture: BackendFixture, key?: string): Promise<SettingChangeRecord[]> {
  return entriesOf((page) => fixture.settings.changes(key === undefined ? {} : { key }, page));
}

/** A comparable form of the overrides, whose order is not significant. */
export function shown({ values, revision }: StoredOverrides): unknown {
  return { values: Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1))), revision };
}
