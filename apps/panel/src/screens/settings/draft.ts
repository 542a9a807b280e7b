/** Changes of settings that are not saved, in the storage of this tab. */
import { effect, signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ApiError, type FieldErrors, type SettingsPreviewData } from '#client/index.js';
import { parsedJson } from '#contracts/common/text.js';
import type { Query } from '../../data/page.js';
import { pause, type Resource, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { keep, recall } from '../../data/storage.js';
import { differences, isSame, settingOf, type Settings, type Values, withEntry } from './settings-data.js';

const STORED = 'guardrails.settings.draft';

/** Changes that are not saved. `null` returns a key to its configured value. */
interface Draft {
  readonly changes: Values;
  /** The settings that the changes were made on. */
  readonly base: Values;
}

export const draft = signal((parsedJson(recall('session', STORED) ?? '') ?? null) as Draft | null);

effect(() => {
  keep('session', STORED, draft.value === null ? null : JSON.stringify(draft.value));
});

/** The value that a key would have after saving. */
export function draftedValue({ schema, values }: Settings, key: string): unknown {
  const changes = draft.value?.changes ?? {};
  if (!Object.hasOwn(changes, key)) return values[key];
  return changes[key] ?? schema.find((setting) => setting.key === key)?.configured;
}

/** Puts a change into the draft, or takes it out if it changes nothing. */
export function change(settings: Settings, key: string, value: unknown): void {
  const { changes = {}, base = settings.values } = draft.value ?? {};
  const { [key]: _, ...others } = changes;
  setDraft(isNothing(settings, key, value) ? others : { ...others, [key]: value }, base);
}

function setDraft(changes: Values, base: Values): void {
  draft.value = Object.keys(changes).length === 0 ? null : { changes, base };
}

function isNothing({ overridden, values }: Settings, key: string, value: unknown) {
  return value === null ? !overridden.has(key) : isSame(value, values[key]);
}

export function discard(): void {
  draft.value = null;
}

/** How many values, or entries of lists and objects, the draft changes. */
export function countChanges(settings: Settings): number {
  return Object.keys(draft.value?.changes ?? {})
    .map((key) => differences(settings.values[key], draftedValue(settings, key)).length)
    .reduce((sum, rows) => sum + Math.max(1, rows), 0);
}

const OF_DRAFT = 'draft.';

/** The members of an address that are changes, such as `draft.modes.hitl=monitor`; a key may name an entry. */
export function draftedIn(query: Query): readonly string[] {
  return Object.keys(query).filter((name) => name.startsWith(OF_DRAFT));
}

/** Puts a change of the address into the draft. */
export function takeChange(settings: Settings, query: Query, name: string): void {
  const changed = name.slice(OF_DRAFT.length);
  const text = query[name] ?? '';
  const parsed = parsedJson(text);
  const value = parsed === undefined ? text : parsed;
  const { key, locked } = settingOf(settings, changed) ?? { key: '', locked: true };
  if (locked) return;
  if (changed === key) change(settings, key, value);
  else change(settings, key, withEntry(draftedValue(settings, key), changed.slice(key.length + 1), value));
}

/** What a save has to send to undo the draft after it was saved. */
export function undoOf({ overridden, values }: Settings): Values {
  const keys = Object.keys(draft.value?.changes ?? {});
  return Object.fromEntries(keys.map((key) => [key, overridden.has(key) ? values[key] : null]));
}

interface Others {
  /** Keys that somebody else changed since the draft began. */
  readonly changed: readonly string[];
  /** Those of them that the draft changes to something else. */
  readonly conflicts: readonly string[];
}

/** What others saved since the draft began. */
export function othersOf(settings: Settings): Others {
  const { values } = settings;
  const { base = values, changes = {} } = draft.value ?? {};
  const changed = Object.keys(values).filter((key) => !isSame(base[key], values[key]));
  const conflicts = changed.filter(
    (key) => Object.hasOwn(changes, key) && !isSame(draftedValue(settings, key), values[key]),
  );
  return { changed, conflicts };
}

/** Continues from the settings that are in force now, after conflicts were decided by key. */
export function rebase(settings: Settings, theirs: readonly string[]): void {
  const remaining = Object.entries(draft.value?.changes ?? {}).filter(
    ([key, value]) => !theirs.includes(key) && !isNothing(settings, key, value),
  );
  setDraft(Object.fromEntries(remaining), settings.values);
}

const NOTHING: SettingsPreviewData = { changes: [], warnings: [], superseded: { count: 0, approvals: [] } };

export interface Preview extends Resource<SettingsPreviewData> {
  /** What the server refuses, by key. Errors stay until the next answer. */
  readonly errors: FieldErrors;
}

/** What the server answers to the changes of the draft, a moment after the last one. */
export function usePreview({ etag }: Settings, changes: Values): Preview {
  const last = useRef<FieldErrors>({});
  const isEmpty = Object.keys(changes).length === 0;
  const resource = useResource(JSON.stringify([etag, changes]), async (until) => {
    if (isEmpty) return NOTHING;
    await pause(until);
    const body = { settings: changes };
    return (await client.call('settings.preview', { body, signal: until })).data;
  });
  if (!resource.isLoading || isEmpty)
    last.current = resource.error instanceof ApiError ? resource.error.fields : {};
  return { ...resource, errors: last.current };
}
