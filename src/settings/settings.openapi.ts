import {
  about,
  anything,
  boolean,
  choice,
  count,
  type Fields,
  id,
  type JsonSchema,
  list,
  mapOf,
  moment,
  nextCursor,
  nullable,
  object,
  type SchemaOf,
  text,
} from '../openapi/json-schema.js';
import type {
  SettingChangeData,
  SettingSchemaData,
  SettingsChangesData,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
} from '#contracts/api/responses.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import * as parameters from '../openapi/parameters.js';
import { presentSchema } from './settings.controller.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';
import { definitionOf, SETTING_KEYS, type SettingKey } from '#contracts/settings/settings.schema.js';

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

/** `null` removes an override. */
function override(key: SettingKey): JsonSchema {
  const { kind, help, default: fallback } = definitionOf(key);
  return { ...nullable(kind.schema), description: help, default: fallback };
}

/** Open or shown only under a configuration-only setting. */
const UNLOCKABLE_KEYS = SETTING_KEYS.filter((key) => definitionOf(key).unlockedBy !== undefined);
const OPEN_KEYS = SETTING_KEYS.filter((key) => !definitionOf(key).locked || UNLOCKABLE_KEYS.includes(key));
const SHOWN_KEYS = SETTING_KEYS.filter((key) => definitionOf(key).shown || UNLOCKABLE_KEYS.includes(key));
const OPTIONAL_NAMES = UNLOCKABLE_KEYS.map((key) => key.slice(key.indexOf('.') + 1));

function complete(properties: Properties): JsonSchema {
  const required = Object.keys(properties).filter((name) => !OPTIONAL_NAMES.includes(name));
  return closed(properties, { required });
}

/** The settings of GET /settings. */
const shownSettings: SchemaOf<Readonly<Record<string, unknown>>> = complete(
  nested(SHOWN_KEYS, shownValue, complete),
);

/** The settings that PUT /settings accepts: dotted keys, nested ones, or both. */
const settingsInput = closed({
  ...nested(OPEN_KEYS, override, closed),
  ...Object.fromEntries(OPEN_KEYS.map((key) => [key, override(key)])),
});

const overridableKey = choice(OPEN_KEYS);

const settingSchema = object<SettingSchemaData>({
  key: choice(SHOWN_KEYS),
  kind: text,
  value_schema: about(mapOf(anything), 'JSON Schema (2020-12) of a value: allowed values and limits.'),
  help: text,
  default: anything,
  configured: about(anything, 'The value without an override.'),
  environment: about(text, 'The environment variable that sets the configured value.'),
  locked: about(boolean, 'PUT refuses it.'),
  weakens: object<SettingSchemaData['weakens']>({
    values: about(
      list(anything),
      'The values that protect less than the others, the weakest last. For an object, these are values of its entries.',
    ),
    entries: about(
      nullable(choice(['added', 'removed'])),
      'Whether added or removed entries weaken this list or object.',
    ),
  }),
});

const fields: Fields<SettingsData> = {
  settings: about(shownSettings, 'The settings in force.'),
  overridden: about(list(overridableKey), 'Keys with a stored override.'),
  revision: about(count, 'Increases by one with every effective change.'),
  updated_at: about(nullable(moment), 'When a setting was last changed; `null` if never.'),
  updated_by: about(nullable(text), 'The actor of that change.'),
  warnings: about(
    list(text),
    'Controls that are off or in monitor mode, and exceptions that are in force, end within 7 days, or have ended.',
  ),
  schema: about(list(settingSchema), 'Every setting of `settings`, in its order.'),
};

const changedKey = about(
  text,
  'Dotted; a pattern is `input_screen.patterns.<rule id>`, a policy `hitl.policies.<tool>`.',
);

const preview = object<SettingsPreviewData>({
  changes: about(
    list(
      object<SettingsPreviewData['changes'][number]>({
        key: changedKey,
        old_value: anything,
        new_value: anything,
        weakens: about(boolean, 'The new value protects less.'),
      }),
    ),
    'What PUT /settings would record.',
  ),
  warnings: about(
    list(text),
    'What would protect less, and the warnings of GET /settings that would be new.',
  ),
  superseded: about(
    object<SettingsPreviewData['superseded']>({
      count,
      approvals: about(
        list(object<SettingsPreviewData['superseded']['approvals'][number]>({ approval_id: id, tool: text })),
        'The newest 100.',
      ),
    }),
    'Pending approvals whose calls would no longer run, because the policy that they were requested under changes.',
  ),
});

const changes = object<SettingsChangesData>({
  changes: list(
    object<SettingChangeData>({
      id,
      actor_id: text,
      key: changedKey,
      old_value: anything,
      new_value: anything,
      occurred_at: moment,
      request_id: nullable(text),
    }),
  ),
  next_cursor: nextCursor,
});

const shown = new Settings(
  { ...DEFAULT_SETTINGS, 'modes.input_screen': 'monitor' },
  ['modes.input_screen'],
  3,
  { id: 7, actorId: 'ops-1', occurredAt: new Date('2026-03-31T09:15:02.118Z') },
);

const example: SettingsData = {
  settings: shown.shown(),
  overridden: shown.overridden,
  revision: shown.revision,
  updated_at: '2026-03-31T09:15:02.118Z',
  updated_by: 'ops-1',
  warnings: shown.warnings(new Date(0)),
  schema: [presentSchema('modes.input_screen', 'enforce', false)],
};

export const SETTINGS = {
  'settings.show': {
    summary: 'Settings in force',
    answer: answer<SettingsData>('SettingsData', object(fields), example),
    etag: true,
    storeless: true,
  },
  'settings.update': {
    summary: 'Change settings',
    description:
      'A 412 lists the changes since the `ETag` of `If-Match` in `details.changes`, the newest 100, like GET /settings/changes. All or nothing. Keys are dotted or nested; the same key in both forms is refused. `null` returns a key to its configured value. Booleans may also be sent as `1`, `0` or text, integers as digits. Patterns, rule modes and lists are replaced as a whole.',
    headers: [parameters.ifMatch],
    body: {
      schema: { type: 'object', properties: { settings: settingsInput }, required: ['settings'] },
      example: { settings: { 'modes.input_screen': 'monitor' } },
    },
    answer: answer<SettingsUpdateData>(
      'SettingsUpdateData',
      object({ ...fields, changed: about(list(text), 'Dotted keys whose effective value changed.') }),
      { ...example, changed: ['modes.input_screen'] },
    ),
    etag: true,
    errors: ['stale_settings', 'invalid_settings', 'not_overridable'],
  },
  'settings.preview': {
    summary: 'What a change of settings would do; stores nothing',
    description: 'The body and the validation of PUT /settings, compared with the settings in force.',
    body: {
      schema: { type: 'object', properties: { settings: settingsInput }, required: ['settings'] },
      example: { settings: { 'modes.input_screen': 'monitor' } },
    },
    answer: answer<SettingsPreviewData>('SettingsPreviewData', preview, {
      changes: [{ key: 'modes.input_screen', old_value: 'enforce', new_value: 'monitor', weakens: true }],
      warnings: ['modes.input_screen protects less as monitor.'],
      superseded: { count: 1, approvals: [{ approval_id: 12, tool: 'refund' }] },
    }),
    errors: ['invalid_settings', 'not_overridable'],
  },
  'settings.changes': {
    summary: 'Changes of settings with their actors, newest first',
    query: [
      parameters.cursor,
      parameters.after,
      parameters.limit(200, 50),
      parameters.settingKey,
      parameters.changeActor,
      parameters.from,
      parameters.to,
    ],
    answer: answer<SettingsChangesData>('SettingsChangesData', changes, {
      changes: [
        {
          id: 7,
          actor_id: 'ops-1',
          key: 'modes.input_screen',
          old_value: 'enforce',
          new_value: 'monitor',
          occurred_at: '2026-03-31T09:15:02.118Z',
          request_id: 'req-7f3a',
        },
      ],
      next_cursor: null,
    }),
  },
} as const satisfies Record<string, RouteDescription>;
