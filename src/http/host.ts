import { Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef, type AbstractHttpAdapter } from '@nestjs/core';
import type { Application } from 'express';

/** The part of Nest's container that tells the global prefix, for which Nest has no public door. */
interface ContainerOfHost {
  readonly applicationConfig?: { getGlobalPrefix(): string };
}

/** The application that we are mounted in. */
@Injectable()
export class Host {
  constructor(
    private readonly adapters: HttpAdapterHost,
    private readonly modules: ModuleRef,
  ) {}

  /** `undefined` where no HTTP is served, as in a worker. */
  get adapter(): AbstractHttpAdapter | undefined {
    return (this.adapters.httpAdapter as AbstractHttpAdapter | null) ?? undefined;
  }

  get adapterType(): string | undefined {
    return this.adapter?.getType();
  }

  get express(): Application {
    return this.adapters.httpAdapter.getInstance<Application>();
  }

  /** At once, or as soon as there is an adapter: a testing module gets its own late. */
  whenAdapted(run: (adapter: AbstractHttpAdapter) => void): void {
    const runNow = (): void => {
      if (this.adapter !== undefined) run(this.adapter);
    };
    if (this.adapter === undefined) this.adapters.init$.subscribe(runNow);
    else runNow();
  }

  /** Without outer slashes; empty where the host sets none. */
  globalPrefix(): string {
    const { container } = this.modules as unknown as { readonly container?: ContainerOfHost };
    return (container?.applicationConfig?.getGlobalPrefix() ?? '').replaceAll(/^\/+|\/+$/g, '');
  }
}
