import { Injectable } from '@nestjs/common';
import { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';

/** The host's EventEmitter2, wherever it stands; a host that has none is given one. */
@Injectable()
export class HostEmitter {
  constructor(
    private readonly modules: ModuleRef,
    private readonly loader: LazyModuleLoader,
  ) {}

  async find(): Promise<EventEmitter2> {
    try {
      return this.modules.get(EventEmitter2, { strict: false });
    } catch {
      const loaded = await this.loader.load(() => EventEmitterModule.forRoot(), { logger: false });
      return loaded.get(EventEmitter2);
    }
  }
}
