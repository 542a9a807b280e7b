import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { API_CONFIGURATION, type ApiConfiguration } from '../options/configuration.js';
import { Panel } from '../panel/panel.js';
import { Dispatcher } from './dispatcher.js';
import { Listener } from './listener.js';

const dispatchersOf = new WeakMap<AbstractHttpAdapter, Dispatcher[]>();

const OWN_PORT =
  ' Only api.middleware protects this port: middleware and guards of the application do not run there.';

/** Registers the dispatcher in the host's Express application, or in a separate listener. */
@Injectable()
export class Registrar {
  /** `null` while the API is off: nothing is registered then. */
  readonly dispatcher: Dispatcher | null;
  /** `null` if the API is off or mounted in the host. */
  readonly listener: Listener | null;
  private isDispatchPlaced = false;

  constructor(
    @Inject(API_CONFIGURATION) { enabled, prefix, panel, listener }: ApiConfiguration,
    private readonly adapters: HttpAdapterHost,
  ) {
    this.dispatcher =
      enabled && prefix !== null ? new Dispatcher(prefix, panel && Panel.load(panel, prefix)) : null;
    this.listener = this.dispatcher && listener && new Listener(listener, this.dispatcher);
    if (this.listener !== null) return;
    // A testing module gets its adapter after its providers were created.
    if (this.adapter !== undefined) this.placeReceive(this.adapter);
    else this.adapters.init$.subscribe(() => this.adapter !== undefined && this.placeReceive(this.adapter));
  }

  /** `undefined` in an application without HTTP, such as a worker. */
  get adapterType(): string | undefined {
    return this.adapter?.getType();
  }

  /** Where the API and the panel are served, in a sentence. */
  addresses(): string {
    const { dispatcher, listener, adapterType } = this;
    if (dispatcher === null) return 'No API is served: api.enabled is false.';
    if (listener === null && adapterType === undefined) return 'No API is served: there is no HTTP server.';
    const paths = [dispatcher.prefix, ...(dispatcher.panel === null ? [] : [dispatcher.panel.path])];
    const addresses = paths.map((path) => `${listener?.origin ?? ''}/${path}`).join(' and ');
    return `Listening at ${addresses}.${listener === null ? '' : OWN_PORT}`;
  }

  /** The paths of other mounts in the same application: prefixes of APIs, and panels. */
  otherPaths(): readonly string[] {
    const { adapter, listener } = this;
    const dispatchers = adapter === undefined || listener !== null ? [] : (dispatchersOf.get(adapter) ?? []);
    return dispatchers
      .filter((other) => other !== this.dispatcher)
      .flatMap(({ prefix, panel }) => (panel === null ? [prefix] : [prefix, panel.path]));
  }

  /** Also called after boot: in a host without routes, Nest normalizes no path. */
  placeDispatch(): void {
    const { adapter, dispatcher, listener } = this;
    if (dispatcher === null || listener !== null || adapter?.getType() !== 'express' || this.isDispatchPlaced)
      return;
    this.isDispatchPlaced = true;
    adapter.use(dispatcher.dispatch);
    adapter.use(dispatcher.recover);
  }

  /** Runs while providers are created, which is before Nest installs the body parser. */
  private placeReceive(adapter: AbstractHttpAdapter) {
    if (this.dispatcher === null || adapter.getType() !== 'express') return;
    adapter.use(this.dispatcher.receive);
    dispatchersOf.set(adapter, [...(dispatchersOf.get(adapter) ?? []), this.dispatcher]);
    // Nest normalizes the paths of routes after it has registered the middleware of all modules. The first call is
    // therefore between the host's middleware and its routes, whatever the order of imports.
    const normalizePath = adapter.normalizePath.bind(adapter);
    adapter.normalizePath = (path) => {
      this.placeDispatch();
      return normalizePath(path);
    };
  }

  private get adapter(): AbstractHttpAdapter | undefined {
    return (this.adapters.httpAdapter as AbstractHttpAdapter | null) ?? undefined;
  }
}
