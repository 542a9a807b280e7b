import type {
  SettingsChangesData,
  SettingsData,
  SettingsUpdateData,
} from '../../libs/contracts/src/api/responses.js';
import { DEFAULT_SETTINGS, Settings } from '../../libs/contracts/src/settings/settings.js';
import { about, anything, list, nullable, object, text, type Fields } from './json-schema.js';
import * as parameters from './parameters.js';
import { answer, type RouteDescription } from './route-description.js';
import { overridableKey, settingsInput, shownSettings } from './settings-values.js';
import { count, id, moment, nextCursor } from './wire-values.js';

const fields: Fields<SettingsData> = {
  settings: about(shownSettings, 'What is in effect.'),
  overridden: about(list(overridableKey), 'Keys with a stored override.'),
  revision: about(count, 'Grows by one with every effective change.'),
  warnings: about(list(text), 'A control that is off, or only observing.'),
};

const changes = object<SettingsChangesData>({
  changes: list(
    object<SettingsChangesData['changes'][number]>({
      id,
      actor_id: text,
      key: about(text, 'Dotted; a pattern is `input_screen.patterns.<rule id>`.'),
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
);

const example: SettingsData = {
  settings: shown.shown(),
  overridden: shown.overridden,
  revision: shown.revision,
  warnings: shown.warnings(),
};

export const SETTINGS = {
  'settings.show': {
    summary: 'Settings in effect',
    answer: answer<SettingsData>('SettingsData', object(fields), example),
    etag: true,
    storeless: true,
  },
  'settings.update': {
    summary: 'Change settings',
    description:
      'All or nothing. Keys are dotted or nested, the same one not in both forms; `null` returns a key to the ' +
      'value of the configuration. Booleans may also be given as `1`, `0` or as text, integers as their digits. ' +
      'Patterns, rule modes and lists are set whole.',
    headers: [parameters.ifMatch],
    body: {
      schema: { type: 'object', properties: { settings: settingsInput }, required: ['settings'] },
      example: { settings: { 'modes.input_screen': 'monitor' } },
    },
    answer: answer<SettingsUpdateData>(
      'SettingsUpdateData',
      object({ ...fields, changed: about(list(text), 'Dotted keys that have another effect now.') }),
      { ...example, changed: ['modes.input_screen'] },
    ),
    etag: true,
    errors: ['stale_settings', 'invalid_settings', 'not_overridable'],
  },
  'settings.changes': {
    summary: 'Who changed which setting, newest first',
    query: [parameters.cursor, parameters.limit(200, 50), parameters.settingKey],
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
