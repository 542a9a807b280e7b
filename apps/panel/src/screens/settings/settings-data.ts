import type { SettingSchemaData, SettingsData } from '#client/index.js';
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

function canonical(value: unknown) {
  const sorted = (_: string, member: unknown): unknown =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? 'null';
}

/** Sub-pages by their names in the address, each with the beginnings of its keys. The last one has all other keys. */
export const GROUPS = [
  { name: undefined, title: 'Modes', starts: ['enabled', 'modes.'] },
  {
    name: 'firewall',
    title: CONTROL_WORDS.tool_firewall.label,
    starts: ['tool_firewall.', 'tool_authorization.'],
  },
  { name: 'screening', title: CONTROL_WORDS.input_screen.label, starts: ['input_screen.'] },
  { name: 'output', title: CONTROL_WORDS.output_handler.label, starts: ['output_handler.'] },
  { name: 'approvals', title: CONTROL_WORDS.hitl.label, starts: ['hitl.'] },
  { name: 'matching', title: 'Matching', starts: ['normalization.', 'pattern_safety.'] },
  { name: 'audit', title: 'Audit and retention', starts: [''] },
] as const;

export function groupOf(key: string) {
  return GROUPS.find(({ starts }) => starts.some((start) => key.startsWith(start)));
}

/** The settings whose names and descriptions contain every word of `search`. */
export function matching(schema: readonly SettingSchemaData[], search: string): readonly SettingSchemaData[] {
  const words = search.toLowerCase().split(/\s+/);
  return schema.filter(({ key, help }) => {
    const text = `${key} ${labelOf(key)} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The setting of a change record, whose key may name one entry of it. */
export function settingOf({ schema }: Settings, changed: string): SettingSchemaData | undefined {
  return schema.find(({ key }) => changed === key || changed.startsWith(`${key}.`));
}

/** A value with another entry, or with none where it is `null`. */
export function withEntry(value: unknown, name: string, entry: unknown): Values {
  const { [name]: _, ...others } = objectOf(value);
  return entry === null ? others : { ...others, [name]: entry };
}

/** A difference in words: what was there, what is there now, or both. */
export interface Difference {
  /** The entry that differs, where the value has several. */
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The entries of lists and objects that were added, removed or changed. */
export function differences(before: unknown, after: unknown, name = ''): readonly Difference[] {
  if (isSame(before, after)) return [];
  if (isPlainObject(before ?? after) && isPlainObject(after ?? before)) {
    const [from, to] = [objectOf(before), objectOf(after)];
    return Object.keys({ ...from, ...to }).flatMap((member) =>
      differences(from[member], to[member], name === '' ? member : `${name}.${member}`),
    );
  }
  if (Array.isArray(before ?? after) && Array.isArray(after ?? before)) {
    const [from, to] = [before ?? [], after ?? []] as [readonly unknown[], readonly unknown[]];
    const lacks = (list: readonly unknown[]) => (entry: unknown) => !list.some((one) => isSame(one, entry));
    const rows = [
      ...from.filter(lacks(to)).map((entry) => ({ name, before: entry })),
      ...to.filter(lacks(from)).map((entry) => ({ name, after: entry })),
    ];
    if (rows.length > 0) return rows;
  }
  return [{ name, before: before ?? undefined, after: after ?? undefined }];
}
