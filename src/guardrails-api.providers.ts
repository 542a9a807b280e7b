import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Guardrails } from '../libs/engine/src/guardrails.js';
import { configureApi } from './configuration.js';
import { assembleCore, Core } from './core.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type { ApiOptions } from './guardrails-api.options.js';
import { GuardrailsRuntime } from './guardrails.runtime.js';
import { Host } from './http/host.js';
import { Mounting } from './http/mounting.js';
import { API_CONFIGURATION, API_OPTIONS, GUARDRAILS_OPTIONS } from './tokens.js';

/** Everything of one mount, beside the provider of `GUARDRAILS_OPTIONS`. */
export function mountProviders(api: ApiOptions = {}): readonly Provider[] {
  return [
    { provide: API_OPTIONS, useValue: api },
    {
      provide: API_CONFIGURATION,
      inject: [API_OPTIONS],
      useFactory: (given: ApiOptions) => configureApi(given),
    },
    {
      provide: Core,
      inject: [GUARDRAILS_OPTIONS, EventEmitterPublisher, ModuleRef],
      useFactory: assembleCore,
    },
    { provide: Guardrails, inject: [Core], useFactory: ({ engine }: Core) => engine.guardrails },
    Host,
    Mounting,
    EventEmitterPublisher,
    HostEmitter,
    GuardrailsRuntime,
  ];
}
