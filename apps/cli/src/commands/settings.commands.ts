import type { SettingsPreviewData } from '#client/index.js';
import { parsedJson } from '#contracts/common/text.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, UsageError, type Command, type ParsedOptions } from '../shared/command.js';
import { jsonObjectFile, printable } from '../shared/text-input.js';

export const settingsGetCommand: Command = {
  name: 'settings get',
  summary: 'Prints the settings in force, or one of them, as JSON.',
  positionals: ['key'],
  options: {
    ...API_OPTIONS,
    key: { value: 'KEY', help: 'Prints only the value of this setting.' },
    overridden: { help: 'Prints only the settings that are overridden, as settings set --file reads them.' },
  },
  examples: [
    'nest-guardrails settings get modes.input_screen',
    'nest-guardrails settings get --overridden > overrides.json',
  ],
  exits: ['The settings are printed.', null, 'The setting is unknown, or the request failed.'],

  async run(session) {
    const { options, terminal } = session;
    const { data } = await apiClient(session).call('settings.show');
    const keys = options.has('overridden') ? data.overridden : data.schema.map(({ key }) => key);
    const settings = new Map<string, unknown>(keys.map((key) => [key, valueAt(data.settings, key)]));
    const key = options.text('key');
    if (key !== null && !settings.has(key)) {
      const close = keys.filter((name) => name.includes(key.split('.')[0] ?? key));
      throw new Error(
        `There is no setting ${key}, or with --overridden no override of it. Close names: ${close.join(', ') || 'none'}. Leave out the name to print all settings.`,
      );
    }
    const shown = key === null ? Object.fromEntries(settings) : settings.get(key);
    terminal.print(JSON.stringify(shown, null, 2));
    return 0;
  },
};

/** The value of a dotted key. */
function valueAt(settings: unknown, key: string) {
  return key.split('.').reduce((value, part) => (value as Record<string, unknown>)[part], settings);
}

export const settingsSetCommand: Command = {
  name: 'settings set',
  summary: 'Overrides settings, and prints what changed and what protects less.',
  positionals: ['key', 'value'],
  details: [
    'All overrides of one command are applied together or not at all. It fails if another change was saved meanwhile.',
  ],
  options: {
    ...API_OPTIONS,
    key: { value: 'KEY', help: 'The setting.' },
    value: {
      value: 'JSON|TEXT',
      help: 'Its new value: JSON, or else a string. null restores the configured value.',
    },
    file: { value: 'FILE', help: 'Overrides as a JSON object of keys and values, instead of --key.' },
    'dry-run': { help: 'Prints the changes without applying them.' },
    json: { help: 'Prints the preview of the API.' },
  },
  examples: [
    'nest-guardrails settings set modes.output_handler monitor',
    'nest-guardrails settings set --file overrides.json --dry-run',
  ],
  exits: ['The settings are in force.', null, 'A value is invalid, or the request failed; nothing changed.'],

  async run(session) {
    const { options, terminal } = session;
    const settings = await overridesOf(options);
    const client = apiClient(session);
    const { etag, data: shown } = await client.call('settings.show');
    const { data: preview } = await client.call('settings.preview', { body: { settings } });
    // An override that equals the configured value can be removed, although no value changes.
    const removed = shown.overridden.filter((key) => overrideOf(key, settings) === null);
    if (!options.has('dry-run') && preview.changes.length + removed.length > 0)
      await client.call('settings.update', { body: { settings }, ifMatch: etag ?? undefined });
    printResult(session, preview, changeLines(preview, removed));
    if (options.has('dry-run')) terminal.printError('Nothing was changed, because of --dry-run.');
    return 0;
  },
};

async function overridesOf(options: ParsedOptions): Promise<Readonly<Record<string, unknown>>> {
  const [key, value, file] = [options.text('key'), options.text('value'), options.text('file')];
  if ((key === null) === (file === null) || (key === null) !== (value === null))
    throw new UsageError('Pass either --key and --value, or --file.');
  if (file === null) return { [key ?? '']: valueOf(value ?? '') };
  return jsonObjectFile('file', file);
}

/** JSON, or else the text itself. */
function valueOf(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/** Settings are given dotted or nested. */
function overrideOf(key: string, settings: Readonly<Record<string, unknown>>) {
  if (Object.hasOwn(settings, key)) return settings[key];
  const [group = '', name = ''] = key.split('.');
  return (settings[group] as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function changeLines(
  { changes, warnings, superseded }: SettingsPreviewData,
  removed: readonly string[],
): string {
  if (changes.length + removed.length === 0) return 'Nothing changes.';
  const isChanged = (key: string) => changes.some((change) => change.key === key);
  return [
    ...removed
      .filter((key) => !isChanged(key))
      .map((key) => `${key}: the override is removed; its value was the configured one`),
    ...changes.map(
      ({ key, old_value: before, new_value: after, weakens }) =>
        `${key}: ${printable(before)} → ${printable(after)}${weakens ? ' (protects less)' : ''}`,
    ),
    ...warnings.map((warning) => `warning: ${printable(warning)}`),
    ...(superseded.count === 0 ? [] : [`${superseded.count} pending calls can no longer run.`]),
  ].join('\n');
}
