/** Changes of settings that are not saved, in the storage of this tab. */
import { effect, signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ApiError, type FieldErrors, type SettingsPreviewData } from '#client/index.js';
import { parsedJson } from '#contracts/common/text.js';
import { pause, type Resource, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { keep, recall } from '../../data/storage.js';
import { isSame, type Settings, type Values } from './settings-data.js';

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

function isNothing({ overridden, values }: Settings, key: string, value: unknown): boolean {
  return value === null ? !overridden.has(key) : isSame(value, values[key]);
}

export function discard(): void {
  draft.value = null;
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
