import assert from 'node:assert/strict';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { decision, type DecisionParts } from './builders.js';

/** The four functions of a test runner that the suite needs: Jest, Vitest and node:test all have them. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly beforeEach: (body: () => Promise<void>) => unknown;
  readonly afterEach: (body: () => Promise<void>) => unknown;
}

export type Stores = Omit<StoreBackend, 'open' | 'close'>;

/** Opens and closes the backend under test. */
export interface BackendHarness {
  readonly name: string;
  /** A new, empty, opened backend. */
  open(): Promise<StoreBackend>;
  close(backend: StoreBackend): Promise<void>;
  /** Another instance over the same data. Omit it if only one process can use the data. */
  openSecond?(backend: StoreBackend): Promise<StoreBackend>;
  /**
   * Closes the backend and opens it again over the same data, as a restart of the process does. Omit it only if the
   * backend keeps its data in memory; without it the suite does not check that writes survive a restart.
   */
  reopen?(backend: StoreBackend): Promise<StoreBackend>;
}

/** The backend of the running test case, and further instances over the same data. */
export class BackendFixture {
  private current: StoreBackend | undefined;
  private others: StoreBackend[] = [];

  readonly audit = this.store('audit');
  readonly firewall = this.store('firewall');
  readonly output = this.store('output');
  readonly approvals = this.store('approvals');
  readonly budgets = this.store('budgets');
  readonly runs = this.store('runs');
  readonly runIndex = this.store('runIndex');
  readonly settings = this.store('settings');
  readonly overview = this.store('overview');
  readonly reviews = this.store('reviews');
  readonly outbox = this.store('outbox');
  readonly retention = this.store('retention');
  readonly holds = this.store('holds');
  readonly log = this.store('log');

  constructor(private readonly harness: BackendHarness) {}

  get backend(): StoreBackend {
    if (this.current === undefined) throw new Error('The backend is open only while a test case runs.');
    return this.current;
  }

  /** A second instance over the same data, or the first one if the harness has no `openSecond`. */
  async another(): Promise<StoreBackend> {
    if (this.harness.openSecond === undefined) return this.backend;
    const other = await this.harness.openSecond(this.backend);
    this.others.push(other);
    return other;
  }

  /** Appends decisions one after another and returns their ids. */
  async append(...decisions: readonly DecisionParts[]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const parts of decisions) ids.push(await this.audit.append(decision(parts)));
    return ids;
  }

  /** The entries of the audit, newest first. */
  entries(filter: AuditFilter = {}, limit?: number) {
    return entriesOf((page) => this.audit.list(filter, page), limit);
  }

  /** Starts `count` acts at the same time, alternating between two instances. */
  async concurrently<Result>(
    count: number,
    act: (backend: StoreBackend, index: number) => Promise<Result>,
  ): Promise<Result[]> {
    const instances = [this.backend, await this.another()] as const;
    return Promise.all(
      Array.from({ length: count }, (_, index) => act(instances[index % 2 === 0 ? 0 : 1], index)),
    );
  }

  /** A store that calls the same one of the backend of the running test case. */
  private store<Name extends keyof Stores>(name: Name): Stores[Name] {
    return new Proxy({} as Stores[Name], {
      get: (_, member) => {
        const store = this.backend[name];
        const value: unknown = Reflect.get(store, member);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
  }

  async open(): Promise<void> {
    this.current = await this.harness.open();
  }

  async reopen(): Promise<void> {
    if (this.harness.reopen === undefined) throw new Error('The harness has no `reopen`.');
    this.current = await this.harness.reopen(this.backend);
  }

  async close(): Promise<void> {
    const open = [...this.others, ...(this.current === undefined ? [] : [this.current])];
    this.others = [];
    this.current = undefined;
    for (const backend of open) await this.harness.close(backend);
  }
}

/** Test cases of a part of the suite. */
export type Contract = (runner: Runner, fixture: BackendFixture) => void;

/** All pages of a list. A search may return pages shorter than the limit before the last one. */
export async function pagesOf<Entry>(
  read: (page: PageRequest) => Promise<Page<Entry>>,
  limit = 200,
): Promise<Page<Entry>[]> {
  const pages: Page<Entry>[] = [];
  let cursor: number | null = Number.MAX_SAFE_INTEGER;
  while (cursor !== null) {
    const page: Page<Entry> = await read({ cursor, limit });
    assert.ok(page.entries.length <= limit, 'a page is no longer than its limit');
    assert.ok(
      page.next_cursor === null || page.next_cursor < cursor,
      'every cursor is lower than the one before',
    );
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

/** All entries of a list, newest first. */
export async function entriesOf<Entry>(
  read: (page: PageRequest) => Promise<Page<Entry>>,
  limit = 200,
): Promise<Entry[]> {
  return (await pagesOf(read, limit)).flatMap((page) => page.entries);
}

export function idsOf<Id>(rows: readonly { readonly id: Id }[]): Id[] {
  return rows.map(({ id }) => id);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
