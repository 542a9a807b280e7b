import type { BeforeApplicationShutdown, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { bootCheck } from './boot/boot-check.js';
import type { ApiConfiguration } from './configuration.js';
import { Core } from './core.js';
import { EventEmitterPublisher } from './events/event-emitter.publisher.js';
import { HostEmitter } from './events/host-emitter.js';
import type { ApiOptions } from './guardrails-api.options.js';
import type { AccessCheck } from './http/access-check.js';
import { apiParts } from './http/api-parts.js';
import { Host } from './http/host.js';
import { createInnerApplication, type InnerApplication } from './http/inner-application.js';
import { Mounting } from './http/mounting.js';
import { Ticker } from './ticker.js';
import { API_CONFIGURATION, API_OPTIONS } from './tokens.js';

/** Settings changed on another instance are in force here within two of these. */
const SETTINGS_EVERY_MS = 1000;
const RELAY_EVERY_MS = 1000;
const PRUNE_EVERY_MS = 60_000;
const OUTCOMES_EVERY_MS = 2000;
const RECOVERY_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 60_000;

/** Starts everything in order — check, stores, engine, routes — and ends it in reverse. */
@Injectable()
export class GuardrailsRuntime implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly tickers: readonly Ticker[];
  private inner: InnerApplication | null = null;
  private opened = false;

  constructor(
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
    @Inject(API_CONFIGURATION) private readonly api: ApiConfiguration,
    private readonly core: Core,
    private readonly publisher: EventEmitterPublisher,
    private readonly emitter: HostEmitter,
    private readonly host: Host,
    private readonly mounting: Mounting,
    private readonly modules: ModuleRef,
  ) {
    const { engine } = core;
    this.tickers = [
      new Ticker('reading the settings', SETTINGS_EVERY_MS, () => engine.refresh()),
      // The relay hears at once of what is queued here; this is for other instances' events, and for second tries.
      new Ticker('delivering events', RELAY_EVERY_MS, async () => engine.relay.wake()),
      new Ticker(
        'forgetting what is old',
        RETENTION_EVERY_MS,
        () => engine.retentionSchedule.tick(),
        'at once',
      ),
      new Ticker('forgetting old events', PRUNE_EVERY_MS, async () => void (await engine.relay.prune())),
      new Ticker('telling outcomes of approvals', OUTCOMES_EVERY_MS, () => engine.telling.deliverDue()),
      new Ticker(
        'seeing to approvals left behind',
        RECOVERY_EVERY_MS,
        () => engine.recovery.recover(),
        'at once',
      ),
    ];
  }

  async onModuleInit(): Promise<void> {
    const checks = await this.check();
    if (this.core.forgets) {
      new Logger('Guardrails').warn(
        'no stores are configured: everything is kept in memory, and nothing survives a restart',
      );
    }
    const { values } = this.core.configuration;
    await this.core.stores.open({ statementTimeoutMs: 1_000 * values['store.statement_timeout'] });
    this.opened = true;
    try {
      await this.core.engine.start();
      this.publisher.attach(await this.emitter.find());
      await this.mount(checks);
      for (const ticker of this.tickers) ticker.start();
    } catch (error) {
      await this.onApplicationShutdown();
      throw error;
    }
  }

  /** The host's server waits for every answer to end: for live streams, and for code that waits for a decision. */
  beforeApplicationShutdown(): void {
    this.core.engine.leave();
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.opened) return;
    this.opened = false;
    this.mounting.mount?.close();
    for (const ticker of this.tickers) await ticker.stop();
    await this.inner?.close();
    await this.core.engine.stop();
    await this.core.stores.close();
  }

  private check(): Promise<readonly AccessCheck[]> {
    return bootCheck({
      api: this.api,
      middleware: this.options.middleware,
      configuration: this.core.configuration,
      notifies: this.core.notifies,
      adapterType: this.host.adapterType,
      otherPrefixes: this.mounting.otherPrefixes(),
      modules: this.modules,
    });
  }

  private async mount(checks: readonly AccessCheck[]): Promise<void> {
    const { mount } = this.mounting;
    if (mount === null || this.host.adapter === undefined) return;
    const parts = apiParts(this.core, checks, this.options.actor);
    this.inner = await createInnerApplication(mount.prefix, this.host.express, parts);
    mount.open(this.inner.listener, this.core.configuration.values['api.body_limit']);
  }
}
