import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleInit,
} from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { UNGUARDED } from '#contracts/settings/settings.js';
import { MemoryStores } from '#stores/memory/memory-stores.js';
import { PeriodicTasks } from '#standalone/periodic-tasks.js';
import { openStores } from '#standalone/start-engine.js';
import { Assembly } from './options/assembly.js';
import { bootCheck } from './boot-check.js';
import { API_CONFIGURATION, type ApiConfiguration } from './options/configuration.js';
import { GuardedTools } from './decorators/guarded-tools.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type { AccessCheck } from './http/access.guard.js';
import type { AdminApi } from './admin-api/admin-api.module.js';
import { peer } from './common/peer.js';
import { Registrar } from './admin-api/registrar.js';

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
    this.warn();
    await openStores(this.assembly.stores, this.assembly.configuration.values, (line) => logger.log(line));
    this.isOpen = true;
    try {
      await this.assembly.engine.start();
      await this.emitter.attach(this.publisher, this.assembly.log);
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
    const { log, engine, stores } = this.assembly;
    if (!engine.settings.current().get('enabled')) logger.error(UNGUARDED);
    log.endBoot([
      this.registrar.addresses(),
      ...CONTROL_KEYS.map((control) => engine.settings.current().line(control)),
      `Storage: ${stores.constructor.name}.`,
    ]);
  }

  /** The host's server waits for open responses: live streams, and code that waits for an approval. */
  beforeApplicationShutdown(): void {
    this.assembly.engine.beginStop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.assembly.log.endBoot([]);
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.registrar.listener?.close();
    this.registrar.dispatcher?.close();
    await this.tasks.stop();
    await this.adminApi?.close();
    await this.assembly.engine.stop();
    await this.assembly.stores.close();
  }

  private warn() {
    const { log, isInMemory, configuration } = this.assembly;
    for (const warning of configuration.warnings) log.warn(warning);
    if (isInMemory) {
      log.warn(
        'No stores are configured: everything is kept in memory and lost at a restart. Pass stores: typeormStores({ url }).',
      );
    }
    const mounts: readonly Assembly[] = this.modules.get(Assembly, { strict: false, each: true });
    const separate = new Set(
      mounts.map(({ stores }) => stores).filter((backend) => backend instanceof MemoryStores),
    );
    if (separate.size > 1 && mounts[0] === this.assembly) {
      log.warn(
        `This application calls forRoot() ${mounts.length} times with separate stores in memory: the entries and approvals of one are missing in the others. Call it once, with isGlobal: true, or pass the same stores to each.`,
      );
    }
    if (this.registrar.adapterType !== undefined && process.listenerCount('SIGTERM') === 0) {
      log.warn(
        'A SIGTERM ends this process at once and resets the requests in progress, because nothing handles it: call app.enableShutdownHooks() before app.listen().',
      );
    }
  }

  private check(): Promise<readonly AccessCheck[]> {
    return bootCheck({
      api: this.api,
      assembly: this.assembly,
      registrar: this.registrar,
      modules: this.modules,
      toolReasons: this.tools.register(),
    });
  }

  private async mount(checks: readonly AccessCheck[]) {
    const { dispatcher, listener, adapterType } = this.registrar;
    if (dispatcher === null || (listener === null && adapterType === undefined)) return;
    const { prefix, panel } = dispatcher;
    const { actor, permits } = this.api.options;
    const panelPath = panel?.path ?? null;
    // An application without the API does not load this module.
    const { AdminApi } = await peer(
      'api.enabled',
      () => import('./admin-api/admin-api.module.js'),
      '@nestjs/platform-express class-validator class-transformer',
    );
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
