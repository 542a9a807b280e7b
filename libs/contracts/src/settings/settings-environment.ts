import { DEFAULT_SETTINGS } from './settings.js';
import { definitionOf, environmentName, type SettingKey } from './settings.schema.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of a setting; its default where it says nothing, or nothing that can be used. */
export interface FromEnvironment {
  readonly value: unknown;
  /** Why what it says cannot be used; `null` where it can. */
  readonly reason: string | null;
}

export function settingFromEnvironment(key: SettingKey, environment: Environment): FromEnvironment {
  const name = environmentName(key);
  const text = environment[name];
  if (text === undefined) return { value: DEFAULT_SETTINGS[key], reason: null };
  const parsed = definitionOf(key).kind.parseText(text);
  if (parsed.ok) return { value: parsed.value, reason: null };
  const reason = `the environment variable ${name} ${parsed.reasons.join('; ')}`;
  return { value: DEFAULT_SETTINGS[key], reason };
}
