import type { SettingChangeRecord, StoredOverrides } from '../../../contracts/src/settings/settings.store.js';
import { settingsPlan } from './builders.js';
import { type BackendFixture, entriesOf } from './backend-fixture.js';

/** Writes these overrides, whatever is stored; `null` removes one. */
export function write(fixture: BackendFixture, overrides: Record<string, unknown>): Promise<StoredOverrides> {
  return fixture.backend.settings.apply(() => settingsPlan({ overrides }));
}

/** The records of every change, or of those under a key, newest first. */
export function changesOf(fixture: BackendFixture, key?: string): Promise<SettingChangeRecord[]> {
  return entriesOf((page) => fixture.backend.settings.changes(key === undefined ? {} : { key }, page));
}

/** What is stored, to be compared: the order of the overrides means nothing. */
export function shown({ values, revision }: StoredOverrides): unknown {
  return { values: Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1))), revision };
}
