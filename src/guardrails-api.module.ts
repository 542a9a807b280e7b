import type { DynamicModule, NestModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Guardrails } from '../libs/engine/src/guardrails.js';
import type {
  GuardrailsApiAsyncOptions,
  GuardrailsApiOptions,
  GuardrailsOptions,
} from './guardrails-api.options.js';
import { mountProviders } from './guardrails-api.providers.js';
import { Mounting } from './http/mounting.js';
import { GUARDRAILS_OPTIONS } from './tokens.js';

/** Guardrails for the host, and its admin API where that is switched on. Each `forRoot()` is a mount of its own. */
@Module({})
export class GuardrailsApiModule implements NestModule {
  constructor(private readonly mounting: Mounting) {}

  static forRoot(options: GuardrailsApiOptions = {}): DynamicModule {
    return moduleOf(options, { provide: GUARDRAILS_OPTIONS, useValue: options satisfies GuardrailsOptions });
  }

  /** `api` shapes the mount and stands beside `useFactory`; everything that the factory answers may wait. */
  static forRootAsync(options: GuardrailsApiAsyncOptions): DynamicModule {
    const { inject = [], useFactory } = options;
    return moduleOf(options, { provide: GUARDRAILS_OPTIONS, inject, useFactory });
  }

  configure(): void {
    this.mounting.placeDispatch();
  }
}

function moduleOf(
  { api, imports = [], isGlobal = false }: Pick<GuardrailsApiOptions, 'api' | 'imports' | 'isGlobal'>,
  options: Provider,
): DynamicModule {
  return {
    module: GuardrailsApiModule,
    global: isGlobal,
    imports,
    providers: [options, ...mountProviders(api)],
    exports: [Guardrails],
  };
}
