import { closestName, isRecord } from '../common/text.js';
import {
  definitionOf,
  environmentName,
  isSettingKey,
  SETTING_KEYS,
  type SettingKey,
} from './settings.schema.js';

/** The result of reading an untrusted settings object: valid values, and errors for every other key. */
export interface SettingsInput {
  /** `null` removes the override. */
  readonly values: ReadonlyMap<SettingKey, unknown>;
  readonly unknown: Readonly<Record<string, readonly string[]>>;
  readonly invalid: Readonly<Record<string, readonly string[]>>;
}

const GROUPS: ReadonlySet<string> = new Set(
  SETTING_KEYS.flatMap((key) => {
    const path = key.split('.');
    return path.slice(1).map((_, index) => path.slice(0, index + 1).join('.'));
  }),
);

/** Unknown names that get a suggestion. */
const MAX_COMPARED = 20;

/**
 * Reads `{ "modes.hitl": "off" }` and `{ "modes": { "hitl": "off" } }`; one key in both forms is an error.
 *
 * @param purpose a `configuration` may set every key; `overrides` may set open and `unlocked` keys, and `null`
 * @param unlocked keys that may be overridden although they are locked
 */
export function readSettingsInput(
  raw: Readonly<Record<string, unknown>>,
  purpose: 'configuration' | 'overrides',
  unlocked: ReadonlySet<SettingKey> = new Set(),
): SettingsInput {
  const values = new Map<SettingKey, unknown>();
  const unknown: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
  const invalid: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
  const seen = new Set<SettingKey>();
  const isOverride = purpose === 'overrides';

  const take = (key: SettingKey, value: unknown) => {
    const definition = definitionOf(key);
    if (isOverride && definition.locked && !unlocked.has(key)) {
      const { unlockedBy } = definition;
      unknown[key] = [
        unlockedBy === undefined
          ? 'is configuration only and cannot be overridden'
          : `is configuration only and cannot be overridden, unless the deployer sets ${unlockedBy}`,
      ];
    } else if (seen.has(key)) {
      values.delete(key);
      invalid[key] = ['is written twice, dotted and nested'];
    } else if (value === null && isOverride) {
      values.set(key, null);
    } else {
      const parsed = definition.kind.parse(value);
      if (parsed.ok) values.set(key, parsed.value);
      else invalid[key] = parsed.reasons;
    }
    seen.add(key);
  };

  // An input can have a hundred thousand names. Only the first ones are compared with all settings.
  let compared = 0;
  const refuse = (key: string) => {
    unknown[key] = [notASetting(key, compared < MAX_COMPARED ? SETTING_KEYS : [])];
    compared += 1;
  };

  const walk = (prefix: string, node: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(node)) {
      const key = prefix === '' ? name : `${prefix}.${name}`;
      if (value === undefined) continue;
      if (isSettingKey(key)) take(key, value);
      else if (!GROUPS.has(key)) refuse(key.slice(0, 200));
      else if (isRecord(value)) walk(key, value);
      else invalid[key] = ['must be an object'];
    }
  };
  walk('', raw);
  return { values, unknown, invalid };
}

function notASetting(name: string, names: readonly string[]) {
  const closest = closestName(name, names);
  return closest === null ? 'is not a setting' : `is not a setting; did you mean ${closest}?`;
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says about settings. */
export interface FromEnvironment {
  readonly values: ReadonlyMap<SettingKey, unknown>;
  /** Why the variables of these settings are invalid. */
  readonly invalid: ReadonlyMap<SettingKey, string>;
  /** Variables with our prefix that no setting has, such as misspelled ones, with the closest name. They have no effect. */
  readonly unknown: readonly string[];
}

/** Variables of the command line. */
const OF_COMMANDS = ['GUARDRAILS_API_URL', 'GUARDRAILS_API_AUTHORIZATION', 'GUARDRAILS_APPROVAL_TOKEN'];

/** Reads the settings in environment variables. */
export function readEnvironment(environment: Environment): FromEnvironment {
  const values = new Map<SettingKey, unknown>();
  const invalid = new Map<SettingKey, string>();
  for (const key of SETTING_KEYS) {
    const name = environmentName(key);
    const text = environment[name];
    if (text === undefined) continue;
    const parsed = definitionOf(key).kind.parseText(text);
    if (parsed.ok) values.set(key, parsed.value);
    else invalid.set(key, `the environment variable ${name} ${parsed.reasons.join('; ')}`);
  }
  const names = SETTING_KEYS.map(environmentName);
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith('GUARDRAILS_') && ![...names, ...OF_COMMANDS].includes(name))
    .map((name) => `the environment variable ${name} ${notASetting(name, names)}`);
  return { values, invalid, unknown };
}
