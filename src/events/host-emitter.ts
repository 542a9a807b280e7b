import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, LazyModuleLoader, MetadataScanner, ModuleRef } from '@nestjs/core';
import type { HostLog } from '../common/host-log.js';
import { isMissing } from '../common/peer.js';
import type { EventEmitterPublisher } from './event-emitter.publisher.js';

/** Set by `@OnEvent()`. Older versions of the package do not export it. */
const EVENT_LISTENER_METADATA = 'EVENT_LISTENER_METADATA';

/** Finds the host's EventEmitter2 in any of its modules. A host without one gets its own. */
@Injectable()
export class HostEmitter {
  constructor(
    @Inject(ModuleRef) private readonly modules: ModuleRef,
    @Inject(LazyModuleLoader) private readonly loader: LazyModuleLoader,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** Without the package, nothing in the host can listen. */
  async attach(publisher: EventEmitterPublisher, log: HostLog): Promise<void> {
    const installed = await import('@nestjs/event-emitter').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (installed === null) return;
    const { EventEmitter2, EventEmitterModule } = installed;
    try {
      publisher.attach(this.modules.get(EventEmitter2, { strict: false }));
    } catch {
      this.warnOfHandlers(log);
      const loaded = await this.loader.load(() => EventEmitterModule.forRoot(), { logger: false });
      publisher.attach(loaded.get(EventEmitter2));
    }
  }

  /** Only an EventEmitterModule that the host imports registers its `@OnEvent()` methods. */
  private warnOfHandlers(log: HostLog) {
    const handlers = [...this.discovery.getProviders(), ...this.discovery.getControllers()].flatMap(
      ({ instance }: { readonly instance: unknown }) => this.handlersOf(instance),
    );
    if (handlers.length === 0) return;
    log.warn(
      `@OnEvent() of ${handlers.join(', ')} receives nothing, because the application has no EventEmitterModule. Add EventEmitterModule.forRoot() to its imports.`,
    );
  }

  private handlersOf(instance: unknown): readonly string[] {
    if (typeof instance !== 'object' || instance === null) return [];
    const prototype = Object.getPrototypeOf(instance) as object | null;
    if (prototype === null) return [];
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(EVENT_LISTENER_METADATA, Reflect.get(prototype, name) as object))
      .map((name) => `${prototype.constructor.name}.${name}`);
  }
}
