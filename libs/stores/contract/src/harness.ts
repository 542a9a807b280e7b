import type { StoreBackend } from '../../../contracts/src/store-backend.js';

/** The four functions of a test runner that the suite needs: Jest, Vitest and node:test all have them. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly beforeEach: (body: () => Promise<void>) => unknown;
  readonly afterEach: (body: () => Promise<void>) => unknown;
}

/** How the suite gets at one backend. */
export interface BackendHarness {
  readonly name: string;
  /** A fresh, empty, opened backend. */
  open(): Promise<StoreBackend>;
  close(backend: StoreBackend): Promise<void>;
  /** Another instance over the same data. Left out where one process is all there is. */
  openSecond?(backend: StoreBackend): Promise<StoreBackend>;
}

/** The backend of the case at hand, and a second instance of it for the cases in which two of them meet. */
export class Stage {
  private current: StoreBackend | undefined;
  private others: StoreBackend[] = [];

  constructor(private readonly harness: BackendHarness) {}

  get backend(): StoreBackend {
    if (this.current === undefined) throw new Error('The backend is open within a case only.');
    return this.current;
  }

  /** Another instance over the same data; the same one where the backend knows no other. */
  async another(): Promise<StoreBackend> {
    if (this.harness.openSecond === undefined) return this.backend;
    const other = await this.harness.openSecond(this.backend);
    this.others.push(other);
    return other;
  }

  /** `count` acts at once, by two instances in turn. */
  async together<Result>(
    count: number,
    act: (backend: StoreBackend, index: number) => Promise<Result>,
  ): Promise<Result[]> {
    const instances = [this.backend, await this.another()] as const;
    return Promise.all(
      Array.from({ length: count }, (_, index) => act(instances[index % 2 === 0 ? 0 : 1], index)),
    );
  }

  async rise(): Promise<void> {
    this.current = await this.harness.open();
  }

  async fall(): Promise<void> {
    const open = [...this.others, ...(this.current === undefined ? [] : [this.current])];
    this.others = [];
    this.current = undefined;
    for (const backend of open) await this.harness.close(backend);
  }
}
