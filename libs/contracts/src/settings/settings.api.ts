/** Settings: those in force, what a change would do, and the changes. */
import { filterText, pageOf, RANGE } from '../common/query.js';
import {
  about,
  anything,
  boolean,
  choice,
  count,
  example,
  id,
  type JsonSchema,
  list,
  mapOf,
  moment,
  nextCursor,
  nullable,
  object,
  optional,
  type SchemaOf,
  type Static,
  text,
} from '../common/schema.js';
import {
  definitionOf,
  environmentName,
  isSettingKey,
  SETTING_KEYS,
  type SettingKey,
} from './settings.schema.js';
import { DEFAULT_SETTINGS, nest, Settings } from './settings.js';

type Properties = Readonly<Record<string, JsonSchema>>;

function closed(properties: Properties, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more, additionalProperties: false };
}

/** `modes.hitl` becomes the member `hitl` of the object `modes`. */
function nested(
  keys: readonly SettingKey[],
  valueOf: (key: SettingKey) => JsonSchema,
  groupOf: (members: Properties) => JsonSchema,
): Properties {
  const groups = Object.entries(nest(keys.map((key) => [key, valueOf(key)])));
  return Object.fromEntries(
    groups.map(([name, value]) => [
      name,
      isSettingKey(name) ? (value as JsonSchema) : groupOf(value as Properties),
    ]),
  );
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

const shownSettings: SchemaOf<Readonly<Record<string, unknown>>> = complete(
  nested(SHOWN_KEYS, shownValue, complete),
);

/** Dotted keys, nested ones, or both. */
const settingsInput: SchemaOf<object> = closed({
  ...nested(OPEN_KEYS, override, closed),
  ...Object.fromEntries(OPEN_KEYS.map((key) => [key, override(key)])),
});

export const SettingsBody = object({ settings: example(settingsInput, { 'modes.input_screen': 'monitor' }) });
export type SettingsBody = Static<typeof SettingsBody>;

/** The setting of the examples: `monitor` is stored, `enforce` is configured. */
const KEY = 'modes.input_screen';
const { kind, help } = definitionOf(KEY);
const inForce = new Settings({ ...DEFAULT_SETTINGS, [KEY]: 'monitor' });

const SettingSchemaData = object(
  {
    key: example(choice(SHOWN_KEYS), KEY),
    kind: example(text, kind.name),
    value_schema: about(
      mapOf(anything),
      'JSON Schema (2020-12) of a value: allowed values and limits.',
      kind.schema,
    ),
    help: example(text, help),
    default: example(anything, 'enforce'),
    configured: about(anything, 'The value without an override.', 'enforce'),
    environment: about(
      text,
      'The environment variable that sets the configured value.',
      environmentName(KEY),
    ),
    locked: about(boolean, 'PUT refuses it.'),
    weakens: object({
      values: about(
        list(anything),
        'The values that protect less than the others, the weakest last. For an object, these are values of its entries.',
        ['monitor', 'off'],
      ),
      entries: about(
        nullable(choice(['added', 'removed'])),
        'Whether added or removed entries weaken this list or object.',
      ),
    }),
  },
  'SettingSchema',
);

/** The description of one setting in `GET /settings`. */
export type SettingSchemaData = Static<typeof SettingSchemaData>;

const MEMBERS = {
  settings: about(shownSettings, 'The settings in force.', inForce.shown()),
  overridden: about(list(choice(OPEN_KEYS)), 'Keys with a stored override.', [KEY]),
  revision: about(count, 'Increases by one with every effective change.', 3),
  updated_at: about(nullable(moment), 'When a setting was last changed; `null` if never.'),
  updated_by: about(nullable(text), 'The actor of that change.', 'ops-1'),
  warnings: about(
    list(text),
    'Controls that are off or in monitor mode, and exceptions that are in force, end within 7 days, or have ended.',
    inForce.warnings(new Date(0)),
  ),
  schema: about(list(SettingSchemaData), 'Every setting of `settings`, in its order.'),
};

export const SettingsData = object(MEMBERS, 'SettingsData');
export type SettingsData = Static<typeof SettingsData>;

export const SettingsUpdateData = object(
  { ...MEMBERS, changed: about(list(text), 'Dotted keys whose effective value changed.', [KEY]) },
  'SettingsUpdateData',
);
export type SettingsUpdateData = Static<typeof SettingsUpdateData>;

const CHANGE = {
  key: about(
    text,
    'Dotted; a pattern is `input_screen.patterns.<rule id>`, a policy `hitl.policies.<tool>`.',
    KEY,
  ),
  old_value: example(anything, 'enforce'),
  new_value: example(anything, 'monitor'),
};

export const SettingsPreviewData = object(
  {
    changes: about(
      list(object({ ...CHANGE, weakens: about(boolean, 'The new value protects less.', true) })),
      'What PUT /settings would record.',
    ),
    warnings: about(
      list(text),
      'What would protect less, and the warnings of GET /settings that would be new.',
      [`${KEY} protects less as monitor.`],
    ),
    superseded: about(
      object({
        count: example(count, 1),
        approvals: about(
          list(object({ approval_id: example(id, 12), tool: example(text, 'refund') })),
          'The newest 100.',
        ),
      }),
      'Pending approvals whose calls would no longer run, because the policy that they were requested under changes.',
    ),
  },
  'SettingsPreviewData',
);
export type SettingsPreviewData = Static<typeof SettingsPreviewData>;

export const SettingsChangesQuery = object({
  ...pageOf(200, 50),
  key: optional(about(filterText, 'A setting, including the keys below it.', 'input_screen.patterns')),
  actor: optional(about(filterText, 'Who changed the setting.', 'ops-1')),
  ...RANGE,
});
export type SettingsChangesQuery = Static<typeof SettingsChangesQuery>;

const SettingChangeData = object(
  {
    id: example(id, 7),
    actor_id: example(text, 'ops-1'),
    ...CHANGE,
    occurred_at: moment,
    request_id: example(nullable(text), 'req-7f3a'),
  },
  'SettingChange',
);

/** One recorded change of a setting. */
export type SettingChangeData = Static<typeof SettingChangeData>;

export const SettingsChangesData = object(
  { changes: list(SettingChangeData), next_cursor: nextCursor },
  'SettingsChangesData',
);
export type SettingsChangesData = Static<typeof SettingsChangesData>;
