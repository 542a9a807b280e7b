import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventPublisher } from '#contracts/events/guardrails-event.js';
import { Approvals } from '#engine/controls/approvals/approvals.js';
import { Guardrails } from '#engine/guardrails.js';
import { Assembly } from './options/assembly.js';
import { API_CONFIGURATION, GUARDRAILS_OPTIONS } from './options/configuration.js';
import { Callers } from './decorators/callers.js';
import { GuardedTools } from './decorators/guarded-tools.js';
import type { GuardrailsOptions } from './options/guardrails-api.options.js';
import { GuardrailsHealthIndicator } from './health/guardrails-health.indicator.js';

/** The engine and what hosts inject. Needs options, configuration and an `EventPublisher`. */
export const ENGINE_PROVIDERS: readonly Provider[] = [
  {
    provide: Assembly,
    inject: [GUARDRAILS_OPTIONS, API_CONFIGURATION, EventPublisher, ModuleRef],
    useFactory: Assembly.create,
  },
  { provide: Approvals, inject: [Assembly], useFactory: ({ engine }: Assembly) => engine.approvals },
  { provide: Guardrails, inject: [Assembly], useFactory: ({ engine }: Assembly) => engine.guardrails },
  {
    provide: Callers,
    inject: [GUARDRAILS_OPTIONS, Assembly],
    useFactory: (given: GuardrailsOptions | undefined, { configuration }: Assembly) =>
      new Callers(given?.principal, configuration.values['refusals.details']),
  },
  GuardedTools,
  GuardrailsHealthIndicator,
];

/** What hosts inject. Decorators inject `Callers`. */
export const ENGINE_EXPORTS = [Guardrails, Approvals, GuardedTools, GuardrailsHealthIndicator, Callers];

// The error of Nest for a missing provider contains only its name, so the name tells where it comes from.
for (const provider of ENGINE_EXPORTS) {
  const value = `${provider.name} (from GuardrailsApiModule.forRoot({ isGlobal: true }))`;
  Object.defineProperty(provider, 'name', { value });
}
