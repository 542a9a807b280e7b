import type { Type } from '@nestjs/common';
import { type ModuleRef, ModulesContainer } from '@nestjs/core';
import { type Clock, SystemClock } from '#contracts/common/clock.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Engine } from '#engine/create-engine.js';
import type { HostParts } from '#engine/start/unusable-settings.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import type { Configuration } from '#standalone/configured-settings.js';
import {
  type ApiConfiguration,
  configureSettings,
  type SettingsSource,
  unknownOptions,
} from './configuration.js';
import type { GuardrailsOptions } from './guardrails-api.options.js';
import { HostLog } from '../common/host-log.js';
import { isMissing } from '../common/peer.js';

/** The engine over its stores, as configured. Nothing is opened yet. */
export class Assembly {
  private constructor(
    readonly engine: Engine,
    readonly stores: StoreBackend,
    readonly clock: Clock,
    readonly log: HostLog,
    readonly configuration: Configuration,
    /** No stores are configured, so nothing survives a restart. */
    readonly isInMemory: boolean,
    readonly host: HostParts,
  ) {}

  static async create(
    this: void,
    options: GuardrailsOptions,
    { panel }: ApiConfiguration,
    publisher: EventPublisher,
    modules: ModuleRef,
  ): Promise<Assembly> {
    if (typeof options !== 'object' || options === null) {
      throw new ConfigurationError([
        'useFactory returned no options: write useFactory: () => ({ stores, settings })',
      ]);
    }
    const { controls = {}, tools = [], sinks = [], clock = new SystemClock() } = options;
    const { screeners = [], detectors = [], toolAuthorizer, approvalNotifier, approverGroups } = controls;
    const stores = options.stores ?? memoryStores({ clock });
    const given = configureSettings(options.settings, await findConfigService(modules), stores, {
      // The panel needs the live stream.
      ...(panel !== null && { 'events.stream': 'security' }),
      'tool_authorization.enabled': toolAuthorizer != null,
    });
    const misspelled = [
      ...unknownOptions('GuardrailsOptions', options),
      ...unknownOptions('controls', controls),
      ...(typeof (options.principal ?? instantiate) === 'function'
        ? []
        : ['principal is not a function; pass (context) => …']),
    ];
    const configuration = { ...given, reasons: [...misspelled, ...given.reasons] };
    const host = {
      sinks,
      tools,
      screeners: await Promise.all(screeners.map((screener) => instantiate(screener, modules))),
      detectors: await Promise.all(detectors.map((detector) => instantiate(detector, modules))),
      authorizer: toolAuthorizer == null ? null : await instantiate(toolAuthorizer, modules),
      notifier: approvalNotifier == null ? null : await instantiate(approvalNotifier, modules),
      approverGroups: approverGroups == null ? null : await instantiate(approverGroups, modules),
    };
    const log = new HostLog();
    // The engine is loaded at boot, so that a test or a script that only imports a guarded class starts fast.
    const { createEngine, isLongEnough, partErrors } = await import('#engine/index.js');
    const { 'hitl.token_secret': secret } = given.values;
    const engine = createEngine({
      // The engine would throw at once for parts with errors and for a short secret. So it gets neither, and the boot check
      // reports them together with all other reasons.
      ...(partErrors(host).length === 0 && host),
      stores,
      configured: isLongEnough(secret) ? given.values : { ...given.values, 'hitl.token_secret': null },
      clock,
      publisher,
      diagnostics: log,
    });
    return new Assembly(engine, stores, clock, log, configuration, options.stores === undefined, host);
  }
}

const CONFIG_TIMEOUT_MS = 30_000;

/**
 * The ConfigService of the host, from any of its modules; `null` if there is none. `@nestjs/config` is an
 * optional peer, so it is imported only if the host provides a class of this name.
 */
async function findConfigService(modules: ModuleRef): Promise<SettingsSource | null> {
  if (!isProvided('ConfigService', modules)) return null;
  const { ConfigService } = await import('@nestjs/config').catch((error: unknown) => {
    if (isMissing(error)) return { ConfigService: null };
    throw error;
  });
  if (ConfigService === null) return null;
  // Nest creates the providers of all modules concurrently, and a ConfigService after its sources have loaded. No event
  // tells when. It cannot be injected, because any module of the host may provide it, and an optional injection gives
  // `undefined` if that module is not imported here. So it is polled, at boot only.
  for (let waitedMs = 0; waitedMs < CONFIG_TIMEOUT_MS; waitedMs++) {
    const services = findAll(ConfigService, modules);
    if (services.every((service) => service !== null && service !== undefined))
      return services.at(-1) ?? null;
    await new Promise((resolve) => setTimeout(resolve, 1).unref());
  }
  throw new ConfigurationError([
    'the ConfigService of the host was not created in time: check the sources in ConfigModule.forRoot({ load })',
  ]);
}

function isProvided(name: string, modules: ModuleRef) {
  return [...modules.get(ModulesContainer, { strict: false }).values()].some((module) =>
    [...module.providers.keys()].some((token) => typeof token === 'function' && token.name === name),
  );
}

function findAll(
  token: Type<SettingsSource>,
  modules: ModuleRef,
): readonly (SettingsSource | null | undefined)[] {
  try {
    return modules.get(token, { strict: false, each: true });
  } catch {
    return [];
  }
}

async function instantiate<T extends object>(control: T | Type<T>, modules: ModuleRef): Promise<T> {
  return typeof control === 'function' ? modules.create(control) : control;
}
