import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { freshDatabase } from '../../postgres/database.js';
import type { GuardrailsOptions } from '#src/options/guardrails-api.options.js';
import { TestClient } from './client.js';
import { crowdedHost } from './crowded-host.js';
import { TestHost, type HostSetup } from './host.js';
import { SetClock } from './set-clock.js';
import { WatchedStores } from './watched-stores.js';

export type HostKind = 'plain' | 'crowded';
export type StoresKind = 'memory' | 'postgres';

const SETUPS: Readonly<Record<HostKind, HostSetup>> = { plain: {}, crowded: crowdedHost };

/** Declares no test, with or without `each`. */
const undeclared = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as typeof it;

/** The host of a suite, set in `beforeAll`. Suites declare their tests by its `it` and `itOnEachStore`. */
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

  /** Declares a test of code above the stores: it runs over memory only. */
  get it(): typeof it {
    return this.storesKind === 'memory' ? it : undeclared;
  }

  /** Declares a test whose result the store decides: its SQL, its locks, its stored values. */
  readonly itOnEachStore = it;

  /** The `data` of a read that must succeed. */
  async read<Data>(path: string): Promise<Data> {
    const { status, text, body } = await this.api.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body.data as unknown as Data;
  }
}

/** Runs a suite over memory, in a host with every global setting of Nest, which interferes most. */
export function describeOnHost(guardrails: GuardrailsOptions, suite: (bench: Bench) => void): void {
  describe('in a crowded host over memory', () =>
    describeBench(new Bench('crowded', 'memory'), guardrails, suite));
}

/** Also runs the tests of `itOnEachStore` over PostgreSQL, in a host without settings of its own. */
export function describeOnEachStore(guardrails: GuardrailsOptions, suite: (bench: Bench) => void): void {
  describeOnHost(guardrails, suite);
  describe('in a plain host over postgres', () =>
    describeBench(new Bench('plain', 'postgres'), guardrails, suite));
}

/** One host for all tests of the suite. */
function describeBench(bench: Bench, guardrails: GuardrailsOptions, suite: (bench: Bench) => void): void {
  const connections = new Agent({ keepAlive: true });
  let release: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const opened = await storesOf(bench);
    release = opened.release;
    bench.stores = new WatchedStores(opened.backend);
    bench.host = await TestHost.start({
      ...SETUPS[bench.hostKind],
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
