import {
  type Environment,
  readSettingsInput,
  settingFromEnvironment,
} from '../libs/contracts/src/settings/settings-input.js';
import { DEFAULT_SETTINGS } from '../libs/contracts/src/settings/settings.js';
import {
  definitionOf,
  SETTING_KEYS,
  type SettingKey,
  type SettingValues,
} from '../libs/contracts/src/settings/settings.schema.js';
import type { ApiOptions } from './guardrails-api.options.js';

/** The deployer's value of every setting, and each one that cannot be used, in words. */
export interface Configuration {
  readonly values: SettingValues;
  readonly reasons: readonly string[];
}

/** What shapes the mount: known at once, whatever the rest waits for. */
export interface ApiConfiguration {
  readonly enabled: boolean;
  /** `null` where what was given is no prefix. */
  readonly prefix: string | null;
  readonly reasons: readonly string[];
}

const PREFIX = /^(?:[A-Za-z0-9._~-]+\/)+api$/;
const BESIDE_THE_FACTORY: readonly SettingKey[] = ['api.enabled', 'api.prefix'];

/** Code wins over the environment, and the environment over the default. */
export function configureApi(api: ApiOptions, environment: Environment = process.env): ApiConfiguration {
  const reasons: string[] = [];
  const pick = <Key extends 'api.enabled' | 'api.prefix'>(key: Key, given: unknown): SettingValues[Key] =>
    (given === undefined
      ? fromEnvironment(key, environment, reasons)
      : fromCode(key, given, reasons)) as SettingValues[Key];
  const enabled = pick('api.enabled', api.enabled);
  const prefix = pick('api.prefix', api.prefix).replaceAll(/^\/+|\/+$/g, '');
  const fits = PREFIX.test(prefix);
  if (!fits) {
    reasons.push(
      `api.prefix is ${JSON.stringify(prefix)}: write a path that ends in /api, such as prefix: 'guardrails/api'`,
    );
  }
  return { enabled, prefix: fits ? prefix : null, reasons };
}

export function configureSettings(given: unknown, environment: Environment = process.env): Configuration {
  const reasons: string[] = [];
  const values: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const inCode = settingsInCode(given, reasons);
  for (const key of SETTING_KEYS) {
    if (BESIDE_THE_FACTORY.includes(key)) continue;
    values[key] = inCode.has(key) ? inCode.get(key) : fromEnvironment(key, environment, reasons);
  }
  return { values: values as SettingValues, reasons };
}

function settingsInCode(given: unknown, reasons: string[]): ReadonlyMap<SettingKey, unknown> {
  if (given === undefined) return new Map();
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    reasons.push('settings must be an object of settings');
    return new Map();
  }
  const { values, unknown, invalid } = readSettingsInput(given as Readonly<Record<string, unknown>>, true);
  for (const [key, sentences] of Object.entries({ ...unknown, ...invalid })) {
    reasons.push(`settings: ${key} ${sentences.join('; ')}`);
  }
  for (const key of BESIDE_THE_FACTORY) {
    if (values.has(key))
      reasons.push(`settings: ${key} stands in api: { ${key.slice(4)}: … }, beside settings`);
  }
  return values;
}

function fromEnvironment(key: SettingKey, environment: Environment, reasons: string[]): unknown {
  const { value, reason } = settingFromEnvironment(key, environment);
  if (reason !== null) reasons.push(reason);
  return value;
}

function fromCode(key: SettingKey, given: unknown, reasons: string[]): unknown {
  const parsed = definitionOf(key).kind.parse(given);
  if (parsed.ok) return parsed.value;
  reasons.push(`${key} ${parsed.reasons.join('; ')}`);
  return DEFAULT_SETTINGS[key];
}
