import { type DynamicModule, type Provider, Inject, Module, Optional } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ConfigurationError } from '#contracts/common/errors.js';
import { EventPublisher } from '#contracts/events/guardrails-event.js';
import {
  API_CONFIGURATION,
  configureApi,
  givenOptions,
  GUARDRAILS_OPTIONS,
  staticOptions,
  unknownOptions,
} from './options/configuration.js';
import { ENGINE_EXPORTS, ENGINE_PROVIDERS } from './engine.providers.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type {
  GuardrailsApiAsyncOptions,
  GuardrailsApiOptions,
  ModuleShape,
} from './options/guardrails-api.options.js';
import { Registrar } from './admin-api/registrar.js';
import { GuardrailsLifecycle } from './lifecycle.service.js';

/** Guardrails for a Nest application, with the admin API if `api.enabled`. Each `forRoot()` is a separate mount. */
@Module({})
export class GuardrailsApiModule {
  constructor(@Optional() @Inject(API_CONFIGURATION) configuration?: object) {
    if (configuration !== undefined) return;
    throw new ConfigurationError([
      'imports contains GuardrailsApiModule without forRoot(): write GuardrailsApiModule.forRoot({ … }) once; with isGlobal: true no other module needs to import it',
    ]);
  }

  static forRoot(options: GuardrailsApiOptions = {}): DynamicModule {
    return moduleOf(
      options,
      { provide: GUARDRAILS_OPTIONS, useValue: givenOptions(options) },
      unknownOptions('forRoot()', options),
    );
  }

  /** Everything may come from `useFactory`, except `api.enabled`, `prefix`, `middleware`, `listen` and `panel.path`. */
  static forRootAsync(options: GuardrailsApiAsyncOptions): DynamicModule {
    const { inject = [], useFactory } = options;
    return moduleOf(
      options,
      { provide: GUARDRAILS_OPTIONS, inject, useFactory },
      unknownOptions('forRootAsync()', options),
    );
  }
}

function moduleOf(
  { api = {}, panel = {}, imports = [], isGlobal = false }: ModuleShape,
  options: Provider,
  misspelled: readonly string[],
): DynamicModule {
  return {
    module: GuardrailsApiModule,
    global: isGlobal,
    imports: [...imports],
    providers: [
      options,
      {
        provide: API_CONFIGURATION,
        inject: [GUARDRAILS_OPTIONS],
        useFactory: (returned?: GuardrailsApiOptions) =>
          configureApi({ ...returned?.api, ...api }, { ...returned?.panel, ...panel }, [
            ...misspelled,
            ...staticOptions(returned),
          ]),
      },
      DiscoveryService,
      MetadataScanner,
      ...ENGINE_PROVIDERS,
      { provide: EventPublisher, useExisting: EventEmitterPublisher },
      Registrar,
      EventEmitterPublisher,
      HostEmitter,
      GuardrailsLifecycle,
    ],
    exports: ENGINE_EXPORTS,
  };
}
