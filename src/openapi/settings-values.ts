import {
  definitionOf,
  SETTING_KEYS,
  type SettingKey,
} from '../../libs/contracts/src/settings/settings.schema.js';
import { choice, nullable, type JsonSchema, type SchemaOf } from './json-schema.js';

type Properties = Readonly<Record<string, JsonSchema>>;

function closed(properties: Properties, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more, additionalProperties: false };
}

/** `modes.hitl` becomes the field `hitl` of the object `modes`. */
function nested(
  keys: readonly SettingKey[],
  valueOf: (key: SettingKey) => JsonSchema,
  groupOf: (fields: Properties) => JsonSchema,
): Properties {
  const properties: Record<string, JsonSchema> = {};
  const groups: Record<string, Record<string, JsonSchema>> = {};
  for (const key of keys) {
    const [group = key, name] = key.split('.');
    if (name === undefined) properties[group] = valueOf(key);
    else (groups[group] ??= {})[name] = valueOf(key);
  }
  for (const [group, fields] of Object.entries(groups)) properties[group] = groupOf(fields);
  return properties;
}

function shownValue(key: SettingKey): JsonSchema {
  const { kind, help } = definitionOf(key);
  return { ...kind.schema, description: help };
}

/** `null` takes an override back. */
function override(key: SettingKey): JsonSchema {
  const { kind, help, default: fallback } = definitionOf(key);
  return { ...nullable(kind.schema), description: help, default: fallback };
}

const OPEN_KEYS = SETTING_KEYS.filter((key) => !definitionOf(key).locked);
const SHOWN_KEYS = SETTING_KEYS.filter((key) => definitionOf(key).shown);

function complete(properties: Properties): JsonSchema {
  return closed(properties, { required: Object.keys(properties) });
}

/** What GET /settings shows. */
export const shownSettings: SchemaOf<Readonly<Record<string, unknown>>> = complete(
  nested(SHOWN_KEYS, shownValue, complete),
);

/** What PUT /settings takes: dotted keys, nested ones, or both. */
export const settingsInput = closed({
  ...nested(OPEN_KEYS, override, closed),
  ...Object.fromEntries(OPEN_KEYS.map((key) => [key, override(key)])),
});

export const overridableKey = choice(OPEN_KEYS);
