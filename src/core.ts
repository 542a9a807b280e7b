import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { type Clock, SystemClock } from '../libs/contracts/src/clock.js';
import { ConfigurationError } from '../libs/contracts/src/errors.js';
import type { EventPublisher } from '../libs/contracts/src/events.js';
import type { SettingValues } from '../libs/contracts/src/settings/settings.schema.js';
import type { StoreBackend } from '../libs/contracts/src/store-backend.js';
import { createEngine } from '../libs/engine/src/create-engine.js';
import type { Engine } from '../libs/engine/src/engine.js';
import { memoryStores } from '../libs/stores/memory/src/memory-stores.js';
import { isLongEnough } from './boot/secrets.js';
import { configureSettings, type Configuration } from './configuration.js';
import type { GuardrailsOptions } from './guardrails-api.options.js';
import { LogDiagnostics } from './log.diagnostics.js';

/** The engine over its stores, as configured. Nothing is opened yet. */
export class Core {
  constructor(
    readonly engine: Engine,
    readonly stores: StoreBackend,
    readonly clock: Clock,
    readonly configuration: Configuration,
    /** Nothing survives a restart. */
    readonly forgets: boolean,
    /** Somebody is told of calls that wait. */
    readonly notifies: boolean,
  ) {}
}

export async function assembleCore(
  options: GuardrailsOptions,
  publisher: EventPublisher,
  modules: ModuleRef,
): Promise<Core> {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError([
      'useFactory answered no options: write useFactory: () => ({ stores, settings })',
    ]);
  }
  const { controls = {}, tools = [], sinks = [], clock = new SystemClock() } = options;
  const configuration = configureSettings(options.settings);
  const stores = options.stores ?? memoryStores({ clock });
  const { screeners = [], detectors = [], toolAuthorizer, approvalNotifier } = controls;
  const engine = createEngine({
    stores,
    configured: withoutShortSecret(configuration.values),
    clock,
    publisher,
    sinks,
    tools,
    screeners: await Promise.all(screeners.map((screener) => made(screener, modules))),
    detectors: await Promise.all(detectors.map((detector) => made(detector, modules))),
    authorizer: toolAuthorizer === undefined ? null : await made(toolAuthorizer, modules),
    notifier: approvalNotifier === undefined ? null : await made(approvalNotifier, modules),
    diagnostics: new LogDiagnostics(),
  });
  const notifies = approvalNotifier !== undefined;
  return new Core(engine, stores, clock, configuration, options.stores === undefined, notifies);
}

/** The boot check refuses a short secret, together with everything else that is wrong; until then the engine does without. */
function withoutShortSecret(values: SettingValues): SettingValues {
  return isLongEnough(values['hitl.token_secret']) ? values : { ...values, 'hitl.token_secret': null };
}

async function made<T extends object>(control: T | Type<T>, modules: ModuleRef): Promise<T> {
  return typeof control === 'function' ? modules.create(control) : control;
}
