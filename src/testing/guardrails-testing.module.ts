import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { EventPublisher } from '#contracts/events/guardrails-event.js';
import { CLASSIFIER_ID } from '#contracts/screening/screening.js';
import { BUILT_IN_RULES } from '#engine/controls/screening/rules/built-in-rules.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { Assembly } from '../options/assembly.js';
import { bootCheck } from '../boot-check.js';
import { API_CONFIGURATION, configureApi, GUARDRAILS_OPTIONS } from '../options/configuration.js';
import { GuardedTools } from '../decorators/guarded-tools.js';
import { ENGINE_EXPORTS, ENGINE_PROVIDERS } from '../engine.providers.js';
import { EventEmitterPublisher } from '../events/event-emitter.publisher.js';
import { HostEmitter } from '../events/host-emitter.js';
import type { GuardrailsOptions } from '../options/guardrails-api.options.js';
import {
  GuardrailsScript,
  ScriptedAuthorizer,
  ScriptedScreener,
  ScriptPublisher,
} from './guardrails-script.js';

/** The options of `GuardrailsTestingModule.forRoot()`. */
export interface GuardrailsTestingOptions extends Omit<GuardrailsOptions, 'stores' | 'sinks'> {
  /** Also screens with the built-in rules. Default `false`: only the script blocks. */
  readonly builtInRules?: boolean;
}

const API = configureApi({ enabled: false }, { enabled: false }, [], {});

/**
 * Replaces GuardrailsApiModule in tests of a host: the real engine in memory, without routes and periodic
 * tasks. The script decides about prompts, tools and approvals. `Guardrails`, `Approvals`, `GuardedTools`
 * and `GuardrailsScript` are injectable everywhere.
 *
 * In the place of the module of an application: `.overrideModule(CONSTANT).useModule(GuardrailsTestingModule.forRoot())`, where
 * the application imports the constant, the result of `GuardrailsApiModule.forRoot()`. Nothing of its options carries over.
 * Approvals are on and calls that wait are approved, also if the application forgot `hitl.enabled`.
 */
@Module({})
export class GuardrailsTestingModule {
  static forRoot(options: GuardrailsTestingOptions = {}): DynamicModule {
    const script = new GuardrailsScript();
    return {
      module: GuardrailsTestingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: GuardrailsScript, useValue: script },
        { provide: GUARDRAILS_OPTIONS, useFactory: () => scripted(options, script) },
        { provide: API_CONFIGURATION, useValue: API },
        EventEmitterPublisher,
        HostEmitter,
        {
          provide: EventPublisher,
          inject: [EventEmitterPublisher],
          useFactory: (listeners: EventEmitterPublisher) => new ScriptPublisher(script, listeners),
        },
        ...ENGINE_PROVIDERS,
        TestingLifecycle,
      ],
      exports: [GuardrailsScript, ...ENGINE_EXPORTS],
    };
  }
}

function scripted(
  { builtInRules = false, settings = {}, controls = {}, ...options }: GuardrailsTestingOptions,
  script: GuardrailsScript,
): GuardrailsOptions {
  return {
    principal: () => null,
    ...options,
    stores: memoryStores(options.clock === undefined ? {} : { clock: options.clock }),
    settings: {
      'hitl.enabled': true,
      'hitl.token_secret': 'a secret of tests, which protects nothing',
      ...(!builtInRules && { 'input_screen.rule_modes': WITHOUT_BUILT_IN_RULES }),
      ...settings,
    },
    controls: {
      toolAuthorizer: new ScriptedAuthorizer(script),
      ...controls,
      screeners: [...(controls.screeners ?? []), new ScriptedScreener(script)],
    },
  };
}

const WITHOUT_BUILT_IN_RULES = Object.fromEntries(
  [CLASSIFIER_ID, ...BUILT_IN_RULES.map(({ id }) => id)].map((id) => [id, 'off' as const]),
);

@Injectable()
class TestingLifecycle implements OnModuleInit, OnApplicationShutdown {
  private isOpen = false;

  constructor(
    @Inject(Assembly) private readonly assembly: Assembly,
    @Inject(GuardedTools) private readonly tools: GuardedTools,
    @Inject(GuardrailsScript) private readonly script: GuardrailsScript,
    @Inject(EventEmitterPublisher) private readonly listeners: EventEmitterPublisher,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
    @Inject(HostEmitter) private readonly emitter: HostEmitter,
  ) {}

  async onModuleInit(): Promise<void> {
    const { assembly, modules } = this;
    await bootCheck({
      api: API,
      assembly,
      registrar: null,
      toolReasons: this.tools.register(),
      modules,
    });
    await assembly.stores.open();
    await assembly.engine.start();
    await this.emitter.attach(this.listeners, assembly.log);
    assembly.log.endBoot([]);
    this.script.attach(assembly.engine);
    this.isOpen = true;
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.assembly.engine.stop();
    await this.assembly.stores.close();
  }
}
