import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleInit,
} from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { PeriodicTasks } from '#standalone/periodic-tasks.js';
import { openStores } from '#standalone/start-engine.js';
import { Assembly } from './assembly.js';
import { bootCheck } from './boot-check.js';
import { API_CONFIGURATION, API_OPTIONS, type ApiConfiguration } from './configuration.js';
import { GuardedTools } from './decorators/guarded-tools.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type { ApiOptions } from './guardrails-api.options.js';
import type { AccessCheck } from './http/access.guard.js';
import { AdminApi } from './http/admin-api.module.js';
import { Registrar } from './http/registrar.js';

const logger = new Logger('Guardrails');

/** Starts the module: boot check, stores, engine, routes, periodic tasks. Shutdown runs in reverse order. */
@Injectable()
export class GuardrailsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly tasks: PeriodicTasks;
  private adminApi: AdminApi | null = null;
  private isOpen = false;

  constructor(
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
    @Inject(API_CONFIGURATION) private readonly api: ApiConfiguration,
    private readonly assembly: Assembly,
    private readonly publisher: EventEmitterPublisher,
    private readonly registrar: Registrar,
    private readonly tools: GuardedTools,
    private readonly modules: ModuleRef,
    private readonly emitter: HostEmitter,
  ) {
    this.tasks = new PeriodicTasks(assembly.engine, (message, error) => {
      logger.error(message, error instanceof Error ? error.stack : String(error));
    });
  }

  async onModuleInit(): Promise<void> {
    const checks = await this.check();
    if (this.assembly.isInMemory) {
      logger.warn(
        'No stores are configured: everything is kept in memory and lost at a restart. Pass stores: typeormStores({ url }).',
      );
    }
    const { values, warnings } = this.assembly.configuration;
    for (const warning of warnings) logger.warn(warning);
    await openStores(this.assembly.stores, values);
    this.isOpen = true;
    try {
      await this.assembly.engine.start();
      this.publisher.attach(await this.emitter.find());
      await this.mount(checks);
      this.tasks.start();
    } catch (error) {
      await this.onApplicationShutdown();
      throw error;
    }
  }

  /** Guards of the host are initialized before the own listener serves requests. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.registrar.listener?.open();
    } catch (error) {
      await this.onApplicationShutdown();
      throw error;
    }
  }

  /** The host's server waits for open responses: live streams, and code that waits for an approval. */
  beforeApplicationShutdown(): void {
    this.assembly.engine.beginStop();
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.registrar.listener?.close();
    this.registrar.dispatcher?.close();
    await this.tasks.stop();
    await this.adminApi?.close();
    await this.assembly.engine.stop();
    await this.assembly.stores.close();
  }

  private check(): Promise<readonly AccessCheck[]> {
    return bootCheck({
      api: this.api,
      middleware: this.options.middleware,
      configuration: this.assembly.configuration,
      host: this.assembly.host,
      adapterType: this.registrar.adapterType,
      otherPaths: this.registrar.otherPaths(),
      hasPanelFiles: this.registrar.dispatcher?.panel !== null,
      modules: this.modules,
      toolReasons: this.tools.register(),
    });
  }

  private async mount(checks: readonly AccessCheck[]): Promise<void> {
    const { dispatcher, listener, adapterType } = this.registrar;
    if (dispatcher === null || (listener === null && adapterType === undefined)) return;
    const { prefix, panel } = dispatcher;
    const { actor, permits } = this.options;
    const panelPath = panel?.path ?? null;
    this.adminApi = await AdminApi.create({
      prefix,
      panelPath,
      assembly: this.assembly,
      checks,
      actor,
      permits,
    });
    this.registrar.placeDispatch();
    dispatcher.open(this.adminApi, this.assembly.configuration.values['api.body_limit']);
  }
}
