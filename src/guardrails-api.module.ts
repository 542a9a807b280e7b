import { type DynamicModule, type Provider, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventPublisher } from '#contracts/guardrails-event.js';
import { API_CONFIGURATION, API_OPTIONS, configureApi, GUARDRAILS_OPTIONS } from './configuration.js';
import { ENGINE_EXPORTS, ENGINE_PROVIDERS } from './engine.providers.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type {
  GuardrailsApiAsyncOptions,
  GuardrailsApiOptions,
  GuardrailsOptions,
} from './guardrails-api.options.js';
import { Registrar } from './http/registrar.js';
import { GuardrailsLifecycle } from './lifecycle.service.js';

/** Guardrails for a Nest application, with the admin API if `api.enabled`. Each `forRoot()` is a separate mount. */
@Module({})
export class GuardrailsApiModule {
  static forRoot(options: GuardrailsApiOptions = {}): DynamicModule {
    return moduleOf(options, { provide: GUARDRAILS_OPTIONS, useValue: options satisfies GuardrailsOptions });
  }

  /** `api` is given beside `useFactory`, because routes are registered before the factory resolves. */
  static forRootAsync(options: GuardrailsApiAsyncOptions): DynamicModule {
    const { inject = [], useFactory } = options;
    return moduleOf(options, { provide: GUARDRAILS_OPTIONS, inject, useFactory });
  }
}

function moduleOf(
  {
    api = {},
    panel = {},
    imports = [],
    isGlobal = false,
  }: Pick<GuardrailsApiOptions, 'api' | 'panel' | 'imports' | 'isGlobal'>,
  options: Provider,
): DynamicModule {
  return {
    module: GuardrailsApiModule,
    global: isGlobal,
    imports: [DiscoveryModule, ...imports],
    providers: [
      options,
      { provide: API_OPTIONS, useValue: api },
      { provide: API_CONFIGURATION, useFactory: () => configureApi(api, panel) },
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
