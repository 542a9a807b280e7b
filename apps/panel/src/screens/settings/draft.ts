import { effect, signal } from '@preact/signals';
import { keep, recall } from '../../data/storage.js';
import { isSame, type Loaded, type Values } from './settings-data.js';

const STORED = 'guardrails.settings.draft';

/** Changes that are not saved. `null` returns a key to its configured value. */
interface Draft {
  readonly changes: Values;
  /** The settings that the changes were made on. */
  readonly base: Values;
}

export const draft = signal<Draft | null>(stored());

effect(() => {
  keep('session', STORED, draft.value === null ? null : JSON.stringify(draft.value));
});

function stored(): Draft | null {
  try {
    return JSON.parse(recall('session', STORED) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/** The value that a key would have after saving. */
export function draftedValue(loaded: Loaded, key: string): unknown {
  const changes = draft.value?.changes ?? {};
  if (!Object.hasOwn(changes, key)) return loaded.values[key];
  return changes[key] === null ? configuredValue(loaded, key) : changes[key];
}

function configuredValue(loaded: Loaded, key: string): unknown {
  return loaded.schema.find((setting) => setting.key === key)?.configured;
}

/** Puts a change into the draft, or takes it out if it changes nothing. */
export function change(loaded: Loaded, key: string, value: unknown): void {
  const { changes = {}, base = loaded.values } = draft.value ?? {};
  const others = Object.fromEntries(Object.entries(changes).filter(([name]) => name !== key));
  const next = isNothing(loaded, key, value) ? others : { ...others, [key]: value };
  draft.value = Object.keys(next).length === 0 ? null : { changes: next, base };
}

function isNothing(loaded: Loaded, key: string, value: unknown): boolean {
  return value === null ? !loaded.overridden.has(key) : isSame(value, loaded.values[key]);
}

export function discard(): void {
  draft.value = null;
}

export interface Others {
  /** Keys that somebody else changed since the draft began. */
  readonly changed: readonly string[];
  /** Those of them that the draft changes to something else. */
  readonly conflicts: readonly string[];
}

/** What others saved since the draft began. */
export function othersOf(loaded: Loaded): Others {
  const { base = loaded.values, changes = {} } = draft.value ?? {};
  const changed = Object.keys(loaded.values).filter((key) => !isSame(base[key], loaded.values[key]));
  const conflicts = changed.filter(
    (key) => Object.hasOwn(changes, key) && !isSame(draftedValue(loaded, key), loaded.values[key]),
  );
  return { changed, conflicts };
}

/** Continues from the settings that are in force now, after conflicts were decided by key. */
export function rebase(loaded: Loaded, theirs: ReadonlySet<string>): void {
  const kept = Object.entries(draft.value?.changes ?? {}).filter(
    ([key, value]) => !theirs.has(key) && !isNothing(loaded, key, value),
  );
  draft.value = kept.length === 0 ? null : { changes: Object.fromEntries(kept), base: loaded.values };
}
