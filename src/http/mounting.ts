import { Inject, Injectable } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { ApiConfiguration } from '../configuration.js';
import { API_CONFIGURATION } from '../tokens.js';
import { Host } from './host.js';
import { Mount } from './mount.js';

const mountsOf = new WeakMap<AbstractHttpAdapter, Mount[]>();

/** Places a mount in the host: the claim before the host's parsers, the dispatch before its routes. */
@Injectable()
export class Mounting {
  /** `null` while the API is off: then nothing at all is placed. */
  readonly mount: Mount | null;

  constructor(
    @Inject(API_CONFIGURATION) { enabled, prefix }: ApiConfiguration,
    private readonly host: Host,
  ) {
    const mount = enabled && prefix !== null ? new Mount(prefix, () => host.globalPrefix()) : null;
    if (mount !== null) host.whenAdapted((adapter) => placeClaim(adapter, mount));
    this.mount = mount;
  }

  placeDispatch(): void {
    const { adapter } = this.host;
    if (this.mount === null || adapter?.getType() !== 'express') return;
    adapter.use(this.mount.dispatch);
    adapter.use(this.mount.recover);
  }

  /** The prefixes of the other mounts in the same application. */
  otherPrefixes(): readonly string[] {
    const { adapter } = this.host;
    const mounts = adapter === undefined ? [] : (mountsOf.get(adapter) ?? []);
    return mounts.filter((mount) => mount !== this.mount).map(({ prefix }) => prefix);
  }
}

function placeClaim(adapter: AbstractHttpAdapter, mount: Mount): void {
  if (adapter.getType() !== 'express') return;
  adapter.use(mount.claim);
  mountsOf.set(adapter, [...(mountsOf.get(adapter) ?? []), mount]);
}
