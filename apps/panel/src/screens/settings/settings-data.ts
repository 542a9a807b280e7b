import type { SettingSchemaData, SettingsData } from '#client/index.js';
import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import { isPlainObject } from '#contracts/common/text.js';
import { type Resource, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { CONTROL_WORDS } from '../../text/names.js';
import { labelOf } from './sentences.js';

export type Values = Readonly<Record<string, unknown>>;

/** The settings as the server answered them, by dotted key. */
export interface Settings extends Pick<SettingsData, 'schema' | 'warnings' | 'updated_at' | 'updated_by'> {
  readonly values: Values;
  readonly overridden: ReadonlySet<string>;
  readonly etag: string | null;
}

export function useSettings(): Resource<Settings> {
  return useResource('settings', async (signal) => {
    const { data, etag } = await client.call('settings.show', { signal });
    return loadedFrom(data, etag);
  });
}

export function loadedFrom(data: SettingsData, etag: string | null): Settings {
  const values = Object.fromEntries(data.schema.map(({ key }) => [key, valueAt(data.settings, key)]));
  return { ...data, values, overridden: new Set(data.overridden), etag };
}

function valueAt(settings: Values, key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => (isPlainObject(at) ? at[part] : undefined), settings);
}

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): Values {
  return isPlainObject(value) ? value : {};
}

/** Whether two JSON values are equal. The order of members does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? 'null';
}

/** Groups of settings that belong to a control. */
const BESIDE: Readonly<Partial<Record<ControlKey, readonly string[]>>> = {
  tool_firewall: ['tool_authorization.'],
};

const GROUPS: readonly (readonly [title: string, starts: readonly string[]])[] = [
  ['Modes', ['enabled', 'modes.']],
  ...CONTROL_KEYS.map((key) => [CONTROL_WORDS[key].label, [`${key}.`, ...(BESIDE[key] ?? [])]] as const),
  ['Normalization and matching', ['normalization.', 'pattern_safety.']],
  ['Audit and retention', ['audit', 'retention.']],
  ['Others', ['']],
];

interface Group {
  readonly title: string;
  readonly settings: readonly SettingSchemaData[];
}

/** Each setting is in the first group that fits. Settings must contain every word of `search`. */
export function groupsOf(schema: readonly SettingSchemaData[], search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/);
  const matching = schema.filter(({ key, help }) => {
    const text = `${key} ${labelOf(key)} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const titleOf = (key: string): string | undefined =>
    GROUPS.find(([, starts]) => starts.some((start) => key.startsWith(start)))?.[0];
  return GROUPS.map(([title]) => ({
    title,
    settings: matching.filter(({ key }) => titleOf(key) === title),
  })).filter(({ settings }) => settings.length > 0);
}

/** The setting of a change record, whose key may name one entry of it. */
export function settingOf({ schema }: Settings, changed: string): SettingSchemaData | undefined {
  return schema.find(({ key }) => changed === key || changed.startsWith(`${key}.`));
}
