import { Agent } from 'node:http';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { StoreBackend } from '#contracts/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { freshDatabase } from '../../postgres/database.js';
import type { GuardrailsOptions } from '#src/guardrails-api.options.js';
import { TestClient } from './client.js';
import { crowdedHost } from './crowded-host.js';
import { TestHost, type HostSetup } from './host.js';
import { SetClock } from './set-clock.js';
import { WatchedStores } from './watched-stores.js';

export type HostKind = 'plain' | 'crowded';
export type StoresKind = 'memory' | 'postgres';

/** Every suite runs in each of these. */
export const SURROUNDINGS: readonly { readonly host: HostKind; readonly stores: StoresKind }[] = [
  { host: 'plain', stores: 'memory' },
  { host: 'crowded', stores: 'postgres' },
];

const SETUPS: Readonly<Record<HostKind, HostSetup>> = { plain: {}, crowded: crowdedHost };

/** The host of a suite, set in `beforeAll`. */
export class Bench {
  readonly clock = new SetClock();
  host!: TestHost;
  /** The client of the API. */
  api!: TestClient;
  stores!: WatchedStores;
  /** `null` in memory. */
  databaseUrl: string | null = null;

  constructor(
    readonly hostKind: HostKind,
    readonly storesKind: StoresKind,
  ) {}

  /** All values over PostgreSQL; every third over memory, which runs the same HTTP code. */
  some<Value>(values: readonly Value[]): readonly Value[] {
    return this.storesKind === 'postgres' ? values : values.filter((_, index) => index % 3 === 0);
  }

  /** The `data` of a read that must succeed. */
  async read<Data>(path: string): Promise<Data> {
    const { status, text, body } = await this.api.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body.data as unknown as Data;
  }
}

/** Runs a suite in every combination of host and stores, with one host per file. */
export function describeOnHosts(guardrails: GuardrailsOptions, suite: (bench: Bench) => void): void {
  describe.each(SURROUNDINGS)('in a $host host over $stores', ({ host, stores }) => {
    const bench = new Bench(host, stores);
    const connections = new Agent({ keepAlive: true });
    let release: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      const opened = await storesOf(bench);
      release = opened.release;
      bench.stores = new WatchedStores(opened.backend);
      bench.host = await TestHost.start({
        ...SETUPS[host],
        guardrails: { ...guardrails, stores: bench.stores, clock: bench.clock },
      });
      bench.api = new TestClient(bench.host.origin, '/guardrails/api', connections);
    });

    afterAll(async () => {
      connections.destroy();
      await bench.host.stop();
      await release?.();
    });

    suite(bench);
  });
}

async function storesOf(
  bench: Bench,
): Promise<{ readonly backend: StoreBackend; readonly release: () => Promise<void> }> {
  if (bench.storesKind === 'memory') {
    return { backend: memoryStores({ clock: bench.clock }), release: async () => undefined };
  }
  const database = await freshDatabase();
  bench.databaseUrl = database.url;
  const backend = typeormStores({ url: database.url, statementTimeoutMs: 2000 });
  return { backend, release: () => database.drop() };
}
