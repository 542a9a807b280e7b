import type { SettingSchemaData, SettingsData } from '#client/index.js';
import { CONTROL_LABELS, type ControlKey } from '../../text/names.js';

export type Values = Readonly<Record<string, unknown>>;

/** The settings as the server answered them, by dotted key. */
export interface Loaded {
  readonly values: Values;
  readonly schema: readonly SettingSchemaData[];
  readonly overridden: ReadonlySet<string>;
  readonly warnings: readonly string[];
  readonly etag: string | null;
  /** When and by whom a setting was last changed. */
  readonly updated: { readonly at: string; readonly by: string } | null;
}

export function loadedFrom(
  { settings, schema, overridden, warnings, updated_at: at, updated_by: by }: SettingsData,
  etag: string | null,
): Loaded {
  return {
    values: Object.fromEntries(schema.map(({ key }) => [key, valueAt(settings, key)])),
    schema,
    overridden: new Set(overridden),
    warnings,
    etag,
    updated: at === null || by === null ? null : { at, by },
  };
}

function valueAt(settings: Values, key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), settings);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal. The order of members does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member)
        ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? 'null'
  );
}

const GROUPS: readonly (readonly [title: string, starts: readonly string[]])[] = [
  ['Modes', ['enabled', 'modes.']],
  ['Input screening', ['input_screen.']],
  ['Normalization and matching', ['normalization.', 'pattern_safety.']],
  ['Tool firewall', ['tool_firewall.', 'tool_authorization.']],
  ['Output handler', ['output_handler.']],
  ['Approvals', ['hitl.']],
  ['Audit and retention', ['audit', 'retention.']],
  ['Others', ['']],
];

export interface Group {
  readonly title: string;
  readonly settings: readonly SettingSchemaData[];
}

/** Each setting is in the first group that fits. Settings must contain every word of `search`. */
export function groupsOf(schema: readonly SettingSchemaData[], search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/);
  const found = schema.filter(({ key, help }) => {
    const text = `${key} ${labelOf(key)} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const titleOf = (key: string): string | undefined =>
    GROUPS.find(([, starts]) => starts.some((start) => key.startsWith(start)))?.[0];
  return GROUPS.map(([title]) => ({
    title,
    settings: found.filter(({ key }) => titleOf(key) === title),
  })).filter(({ settings }) => settings.length > 0);
}

/** The setting of a change record, whose key may name one entry of it. */
export function settingOf({ schema }: Loaded, changed: string): SettingSchemaData | undefined {
  return schema.find(({ key }) => changed === key || changed.startsWith(`${key}.`));
}

const UPPER = /\b(?:nfkc|html|pii)\b/gi;

/** `redact_pii` → `Redact PII`. */
export function labelOf(key: string): string {
  const [first = '', ...rest] = key.split('.');
  if (first === 'modes') return `${CONTROL_LABELS[rest[0] as ControlKey]} mode`;
  if (key === 'enabled') return 'Master switch';
  const words = (rest.at(-1) ?? first).replaceAll('_', ' ');
  const isShort = first === 'retention';
  const text = isShort
    ? `${first} ${words}`
    : words === 'enabled'
      ? `${(CONTROL_LABELS[first as ControlKey] ?? first).replaceAll('_', ' ')} enabled`
      : words;
  return (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll(UPPER, (word) => word.toUpperCase());
}

/** Why a value cannot be sent; the server checks the rest. */
export function problemOf({ value_schema: schema }: SettingSchemaData, value: unknown): string | null {
  if (value === null) return null;
  if (schema['type'] === 'integer') {
    const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
    if (!Number.isSafeInteger(value)) return 'Enter a whole number.';
    if (minimum !== undefined && Number(value) < minimum) return `Enter at least ${minimum}.`;
    if (maximum !== undefined && Number(value) > maximum) return `Enter at most ${maximum}.`;
  }
  if (schema['type'] === 'object' && !isObject(value)) return 'This is not a JSON object.';
  return null;
}

export function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value.length === 0 ? 'empty list' : value.join(', ');
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : JSON.stringify(value, null, 2);
  if (isObject(value)) return Object.keys(value).length === 0 ? 'none' : JSON.stringify(value, null, 2);
  return value === undefined || value === null ? 'none' : JSON.stringify(value);
}
