import type { BeforeApplicationShutdown, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ConfigurationError, GuardrailsError } from '#contracts/errors.js';
import type { StoreBackend } from '#contracts/store-backend.js';
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

/** Settings changed on another instance apply here within two of these intervals. */
const SETTINGS_INTERVAL_MS = 1000;
const RELAY_INTERVAL_MS = 1000;
const PRUNE_INTERVAL_MS = 60_000;
const OUTCOMES_INTERVAL_MS = 2000;
const RECOVERY_INTERVAL_MS = 30_000;
const RETENTION_INTERVAL_MS = 60_000;
const CHECKPOINT_INTERVAL_MS = 5_000;

const logger = new Logger('Guardrails');

/** Starts the module: boot check, stores, engine, routes, periodic tasks. Shutdown runs in reverse order. */
@Injectable()
export class GuardrailsLifecycle implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly tickers: readonly Ticker[];
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
    const { engine } = assembly;
    this.tickers = [
      new Ticker('Refreshing the settings', SETTINGS_INTERVAL_MS, () => engine.refresh()),
      // Events queued on this instance wake the relay at once; this delivers those of other instances, and retries.
      new Ticker('Delivering events', RELAY_INTERVAL_MS, async () => engine.relay.wake()),
      new Ticker('Retention', RETENTION_INTERVAL_MS, () => engine.retentionSchedule.tick(), 'now'),
      new Ticker('Checkpoints', CHECKPOINT_INTERVAL_MS, () => engine.checkpoints.tick(), 'now'),
      new Ticker('Pruning events', PRUNE_INTERVAL_MS, async () => void (await engine.relay.prune())),
      new Ticker('Notifying outcomes of approvals', OUTCOMES_INTERVAL_MS, () =>
        engine.outcomeNotifier.deliverDue(),
      ),
      new Ticker('Recovering approvals', RECOVERY_INTERVAL_MS, () => engine.recovery.recover(), 'now'),
    ];
  }

  async onModuleInit(): Promise<void> {
    const checks = await this.check();
    if (this.assembly.isInMemory) {
      logger.warn(
        'No stores are configured: everything is kept in memory and lost at a restart. Pass stores: typeormStores({ url }).',
      );
    }
    const { values } = this.assembly.configuration;
    await openStores(this.assembly.stores, 1_000 * values['store.statement_timeout']);
    this.isOpen = true;
    try {
      await this.assembly.engine.start();
      this.publisher.attach(await this.emitter.find());
      await this.mount(checks);
      for (const ticker of this.tickers) ticker.start();
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
    this.registrar.dispatcher?.close();
    for (const ticker of this.tickers) await ticker.stop();
    await this.adminApi?.close();
    await this.assembly.engine.stop();
    await this.assembly.stores.close();
  }

  private check(): Promise<readonly AccessCheck[]> {
    return bootCheck({
      api: this.api,
      middleware: this.options.middleware,
      configuration: this.assembly.configuration,
      hasNotifier: this.assembly.hasNotifier,
      hasApproverGroups: this.assembly.hasApproverGroups,
      adapterType: this.registrar.adapterType,
      otherPaths: this.registrar.otherPaths(),
      hasPanelFiles: this.registrar.dispatcher?.panel !== null,
      modules: this.modules,
      toolReasons: this.tools.register(),
    });
  }

  private async mount(checks: readonly AccessCheck[]): Promise<void> {
    const { dispatcher, adapterType } = this.registrar;
    if (dispatcher === null || adapterType === undefined) return;
    const { prefix } = dispatcher;
    const { actor, permits } = this.options;
    this.adminApi = await AdminApi.create({ prefix, assembly: this.assembly, checks, actor, permits });
    this.registrar.placeDispatch();
    dispatcher.open(this.adminApi, this.assembly.configuration.values['api.body_limit']);
  }
}

async function openStores(stores: StoreBackend, statementTimeoutMs: number): Promise<void> {
  try {
    await stores.open({ statementTimeoutMs });
  } catch (error) {
    if (!(error instanceof GuardrailsError) || error.code !== 'store_unavailable') throw error;
    throw new ConfigurationError([
      `the store cannot be opened: ${messageOf(error.cause)}. Check that the database runs and that its address is right; npx nest-guardrails doctor examines both`,
    ]);
  }
}

/** Node reports one error for each address that it tried, without a common message. */
function messageOf(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && first.message !== '' ? first.message : String(first);
}

/** Runs a task periodically, never twice at once, and does not keep the process alive. */
export class Ticker {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly task: () => Promise<void>,
    private readonly firstRun: 'now' | 'after an interval' = 'after an interval',
  ) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), this.intervalMs).unref();
    if (this.firstRun === 'now') this.tick();
  }

  /** Resolves once the current run has ended. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  private tick(): void {
    this.running ??= this.run().finally(() => (this.running = null));
  }

  /** Logs the first failure of a series only. */
  private async run(): Promise<void> {
    try {
      await this.task();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) {
        const trace = error instanceof Error ? error.stack : String(error);
        logger.error(`${this.name} failed. It is retried every ${this.intervalMs} ms.`, trace);
      }
      this.isFailing = true;
    }
  }
}
