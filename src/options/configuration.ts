import { type Environment, readEnvironment } from '#contracts/settings/settings-input.js';
import { DEFAULT_SETTINGS, nest } from '#contracts/settings/settings.js';
import {
  definitionOf,
  environmentName,
  type SettingKey,
  type SettingValues,
} from '#contracts/settings/settings.schema.js';
import {
  type Configuration,
  configuredSettings,
  DYNAMIC_KEYS,
  type StaticKey,
} from '#standalone/configured-settings.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { closestName } from '#contracts/common/text.js';
import {
  STATIC_OPTIONS,
  type ApiOptions,
  type ControlOptions,
  type GuardrailsApiOptions,
  type GuardrailsOptions,
  type ListenOptions,
  type ModuleShape,
  type PanelOptions,
} from './guardrails-api.options.js';
import { configureListener, type ListenerConfiguration } from './listener.configuration.js';
import { configurePanel, type PanelConfiguration } from '../panel/panel.configuration.js';

export const API_CONFIGURATION = Symbol('nest-guardrails api configuration');
export const GUARDRAILS_OPTIONS = Symbol('nest-guardrails options');

/** The part of the configuration that shapes the mount. */
export interface ApiConfiguration {
  readonly options: ApiOptions;
  readonly enabled: boolean;
  /** `null` if the given prefix is invalid. */
  readonly prefix: string | null;
  /** `null` if the panel is off, or cannot be served. */
  readonly panel: PanelConfiguration | null;
  /** `null` if the API is mounted in the host. */
  readonly listener: ListenerConfiguration | null;
  readonly reasons: readonly string[];
}

/** The part of a ConfigService of `@nestjs/config` that is used here. */
export interface SettingsSource {
  get(key: string): unknown;
}

/** The namespace under which a ConfigService holds our settings. */
export const CONFIG_NAMESPACE = 'guardrails';

const PREFIX = /^(?:[A-Za-z0-9._~-]+\/)+api$/;

const GIVEN = {
  settings: true,
  stores: true,
  controls: true,
  tools: true,
  principal: true,
  sinks: true,
  clock: true,
} satisfies Record<keyof GuardrailsOptions, true>;

const SHAPE = { api: true, panel: true, imports: true, isGlobal: true } satisfies Record<
  keyof ModuleShape,
  true
>;

/** The options of each place. */
const OPTIONS = {
  api: {
    enabled: true,
    prefix: true,
    middleware: true,
    actor: true,
    permits: true,
    listen: true,
  } satisfies Record<keyof ApiOptions, true>,
  'api.listen': { port: true, host: true, hosts: true } satisfies Record<keyof ListenOptions, true>,
  panel: { enabled: true, path: true, auth: true, login_url: true } satisfies Record<
    keyof PanelOptions,
    true
  >,
  controls: {
    screeners: true,
    detectors: true,
    toolAuthorizer: true,
    approvalNotifier: true,
    approverGroups: true,
  } satisfies Record<keyof ControlOptions, true>,
  'forRoot()': { ...SHAPE, ...GIVEN },
  'forRootAsync()': { ...SHAPE, inject: true, useFactory: true },
  GuardrailsOptions: { ...GIVEN, api: true, panel: true },
};

type Place = keyof typeof OPTIONS;

/** Options and settings with their places, for those that are written at a wrong level. */
const ELSEWHERE = [
  ...Object.entries(OPTIONS).flatMap(([place, options]) =>
    Object.keys(options).map((name) => `${place}.${name}`),
  ),
  ...DYNAMIC_KEYS.map((key) => `settings.${key.split('.')[0]}`),
];

/** A misspelled option would be ignored: with `api: { enable: true }` the API would stay off. */
export function unknownOptions(place: Place, given: object | undefined): readonly string[] {
  return Object.keys(given ?? {})
    .filter((key) => !Object.hasOwn(OPTIONS[place], key))
    .map((key) => `${place} has no option ${JSON.stringify(key)}; ${advice(place, key)}`);
}

function advice(place: Place, key: string): string {
  if (place === 'forRootAsync()' && Object.hasOwn(GIVEN, key)) return 'return it from useFactory';
  if (place === 'GuardrailsOptions' && Object.hasOwn(SHAPE, key)) return 'write it beside useFactory';
  const names = Object.keys(OPTIONS[place]);
  const closest = closestName(key, [...names, ...ELSEWHERE]);
  const hint = closest === null ? '' : `did you mean ${JSON.stringify(closest)}? `;
  return `${hint}it has ${names.join(', ')}`;
}

/** Types exclude what a factory must not return; JavaScript needs this. */
export function staticOptions(returned: GuardrailsApiOptions | undefined): readonly string[] {
  return (['api', 'panel'] as const).flatMap((group) =>
    STATIC_OPTIONS[group]
      .filter((name) => name in (returned?.[group] ?? {}))
      .map(
        (name) =>
          `useFactory returned ${group}.${name}, which is static, because routes are registered before it resolves: write it beside useFactory`,
      ),
  );
}

/** The options without those that shape the module, or do not exist. */
export function givenOptions(options: GuardrailsApiOptions): GuardrailsOptions {
  return Object.fromEntries(Object.entries(options).filter(([key]) => Object.hasOwn(GIVEN, key)));
}

/** Code takes precedence over the environment, and the environment over the default. */
export function configureApi(
  api: ApiOptions,
  panel: PanelOptions,
  misspelled: readonly string[],
  environment: Environment = process.env,
): ApiConfiguration {
  const reasons = [
    ...misspelled,
    ...unknownOptions('api', api),
    ...unknownOptions('panel', panel),
    ...unknownOptions('api.listen', api.listen),
  ];
  const variables = readEnvironment(environment);
  const fromEnvironment = (key: StaticKey): unknown => {
    const reason = variables.invalid.get(key);
    if (reason !== undefined) reasons.push(reason);
    return variables.values.has(key) ? variables.values.get(key) : DEFAULT_SETTINGS[key];
  };
  const pick = <Key extends StaticKey>(key: Key, given: unknown): SettingValues[Key] =>
    (given === undefined ? fromEnvironment(key) : fromCode(key, given, reasons)) as SettingValues[Key];
  const enabled = pick('api.enabled', api.enabled);
  const prefix = pick('api.prefix', api.prefix).replaceAll(/^\/+|\/+$/g, '');
  const isValid = PREFIX.test(prefix);
  if (!isValid) {
    reasons.push(
      `api.prefix is ${JSON.stringify(prefix)}: write a path that ends in /api, such as prefix: 'guardrails/api'`,
    );
  }
  const served = configurePanel(
    {
      enabled: pick('panel.enabled', panel.enabled),
      path: pick('panel.path', panel.path),
      auth: pick('panel.auth', panel.auth),
      loginUrl: pick('panel.login_url', panel.login_url),
    },
    { enabled, prefix: isValid ? prefix : null },
  );
  const own = api.listen ? configureListener(api.listen) : null;
  return {
    options: api,
    enabled,
    prefix: isValid ? prefix : null,
    panel: served.panel,
    listener: own?.listener ?? null,
    reasons: [...reasons, ...served.reasons, ...(own?.reasons ?? [])],
  };
}

/**
 * Code takes precedence over a ConfigService, a ConfigService over the environment, and the environment over the
 * default.
 */
export function configureSettings(
  given: unknown,
  config: SettingsSource | null,
  stores: StoreBackend,
  defaults: Partial<SettingValues>,
  environment: Environment = process.env,
): Configuration {
  return configuredSettings(
    [
      ['settings', given],
      [`ConfigService, namespace ${CONFIG_NAMESPACE}`, config?.get(CONFIG_NAMESPACE)],
    ],
    config === null ? environment : withVariables(config, environment),
    stores,
    defaults,
  );
}

/** The settings that the environment sets, nested, for `registerAs`. Invalid ones are left to the boot check. */
export function environmentSettings(
  environment: Environment = process.env,
): Readonly<Record<string, unknown>> {
  const { values } = readEnvironment(environment);
  return nest([...values].filter(([key]) => DYNAMIC_KEYS.includes(key)));
}

function withVariables(config: SettingsSource, environment: Environment): Environment {
  const entries = DYNAMIC_KEYS.map((key) => {
    const name = environmentName(key);
    const value = config.get(name) ?? environment[name];
    return [name, isScalar(value) ? String(value) : undefined] as const;
  });
  return { ...environment, ...Object.fromEntries(entries) };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function fromCode(key: SettingKey, given: unknown, reasons: string[]): unknown {
  const parsed = definitionOf(key).kind.parse(given);
  if (parsed.ok) return parsed.value;
  reasons.push(`${key} ${parsed.reasons.join('; ')}`);
  return DEFAULT_SETTINGS[key];
}
