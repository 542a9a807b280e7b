// The configured value of every setting: options, then environment, then defaults. `startEngine` and the Nest module call it.
import { readFileSync, statSync } from 'node:fs';
import { type Environment, readEnvironment, readSettingsInput } from '#contracts/settings/settings-input.js';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import { SETTING_KEYS, type SettingKey, type SettingValues } from '#contracts/settings/settings.schema.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { isRecord } from '#contracts/common/text.js';
import { invalidCheckpointKey } from '#engine/record/checkpoint-notes.js';
import { MemoryStores } from '#stores/memory/memory-stores.js';

/** Settings of the API and the panel that routes depend on. They are options beside `settings`. */
const STATIC_KEYS = [
  'api.enabled',
  'api.prefix',
  'panel.enabled',
  'panel.path',
  'panel.auth',
  'panel.login_url',
] as const satisfies readonly SettingKey[];
export type StaticKey = (typeof STATIC_KEYS)[number];
type DynamicKey = Exclude<SettingKey, StaticKey>;

/** Settings as a host writes them: any part of them, dotted or nested. Parts that are left out keep their default. */
export type GivenSettings = DeepPartial<Pick<SettingValues, DynamicKey> & NestedValues>;

type NestedValues = {
  readonly [Group in GroupOf<DynamicKey>]: {
    readonly [Key in DynamicKey as NameIn<Group, Key>]: SettingValues[Key];
  };
};
type GroupOf<Key> = Key extends `${infer Group}.${string}` ? Group : never;
type NameIn<Group extends string, Key> = Key extends `${Group}.${infer Name}` ? Name : never;
type DeepPartial<T> = {
  readonly [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | undefined;
};

export const DYNAMIC_KEYS = SETTING_KEYS.filter(
  (key) => !(STATIC_KEYS as readonly SettingKey[]).includes(key),
);

/** The configured value of every setting. */
export interface Configuration {
  readonly values: SettingValues;
  /** Why values cannot be used. Nothing starts if there are any. */
  readonly reasons: readonly string[];
  /** Misspelled environment variables, and a secret that was made. */
  readonly warnings: readonly string[];
}

/** A source of settings, by its name in errors. */
type SettingsLayer = readonly [source: string, settings: unknown];

/**
 * An earlier layer takes precedence over a later one, any layer over the environment, and the environment over the
 * default.
 *
 * @param stores in memory and outside of production, a missing secret for approvals is made
 * @param defaults values of this host that replace defaults
 */
export function configuredSettings(
  layers: readonly SettingsLayer[],
  environment: Environment,
  stores: StoreBackend,
  defaults: Partial<SettingValues> = {},
): Configuration {
  const reasons: string[] = [];
  const values: Record<string, unknown> = { ...DEFAULT_SETTINGS, ...defaults };
  const variables = readEnvironment(environment);
  const warnings = [...variables.unknown];
  const read = [...layers.map(([source, input]) => readSettings(source, input, reasons)), variables.values];
  for (const key of DYNAMIC_KEYS) {
    const layer = read.find((settings) => settings.has(key));
    const reason = variables.invalid.get(key);
    if (layer !== undefined) values[key] = layer.get(key);
    else if (reason !== undefined) reasons.push(reason);
  }
  const canMake = stores instanceof MemoryStores && environment['NODE_ENV'] !== 'production';
  if (canMake && values['hitl.enabled'] && values['hitl.token_secret'] === null) {
    values['hitl.token_secret'] = SECRET_OF_PROCESS;
    warnings.push(
      'hitl.token_secret is missing: a random one is used until this process ends, because the stores are in memory. With a database or NODE_ENV=production the application does not start without it: set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48.',
    );
  }
  const checkpoint = resolveCheckpointKey((values as SettingValues)['audit.checkpoint_key']);
  values['audit.checkpoint_key'] = checkpoint.key;
  return {
    values: values as SettingValues,
    reasons: [...reasons, ...checkpoint.reasons],
    warnings,
  };
}

/** Mounts that share their stores need the same one. */
const SECRET_OF_PROCESS = crypto.randomUUID() + crypto.randomUUID();

function readSettings(source: string, input: unknown, reasons: string[]): ReadonlyMap<SettingKey, unknown> {
  if (input === undefined) return new Map();
  if (!isRecord(input)) {
    reasons.push(`${source} must be an object of settings: write { hitl: { enabled: true } }`);
    return new Map();
  }
  const { values, unknown, invalid } = readSettingsInput(input, 'configuration');
  for (const [key, sentences] of Object.entries({ ...unknown, ...invalid })) {
    reasons.push(`${source}: ${key} ${sentences.join('; ')}`);
  }
  for (const key of STATIC_KEYS.filter((staticKey) => values.has(staticKey))) {
    const [group, name] = key.split('.');
    reasons.push(`${source}: ${key} is static: write it as ${group}: { ${name}: … }, beside settings`);
  }
  return values;
}

const FILE = 'file:';
const READABLE_BY_OTHERS = 0o007;

/** The checkpoint key itself, read from its file if a path is given, or why it cannot be used. */
export function resolveCheckpointKey(setting: string | null): {
  readonly key: string | null;
  readonly reasons: readonly string[];
} {
  if (setting === null) return { key: null, reasons: [] };
  try {
    const key = setting.startsWith(FILE) ? keyIn(setting.slice(FILE.length)) : setting;
    const reasons = invalidCheckpointKey(key);
    return { key: reasons.length === 0 ? key : null, reasons };
  } catch (error) {
    if (error instanceof ConfigurationError) return { key: null, reasons: error.reasons };
    return { key: null, reasons: [`audit.checkpoint_key: the file cannot be read: ${codeOf(error)}`] };
  }
}

function keyIn(path: string): string {
  if ((statSync(path).mode & READABLE_BY_OTHERS) !== 0)
    throw new ConfigurationError([
      'audit.checkpoint_key: other users can read or change the file of the key: run chmod 600 on it, and use a new key if somebody may have read it',
    ]);
  return readFileSync(path, 'utf8');
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
