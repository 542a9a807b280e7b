import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { logSeal } from '#engine/index.js';
import { describeStoreBackend } from '#stores/contract/index.js';

export interface BackendOnDatabase<Database> {
  readonly name: string;
  database(): Promise<Database>;
  instances(database: Database): readonly [first: StoreBackend, second: StoreBackend];
  /** Restores the state of an unused database. */
  empty(database: Database): Promise<unknown>;
}

/** Some tests make hundreds of calls wait for the lock of one row. */
const LIMITS = { statementTimeoutMs: 30_000 };

/** As for an application with a secret. */
function sealed(stores: StoreBackend): StoreBackend {
  stores.log.sealRows(logSeal('a secret of at least 32 characters'));
  return stores;
}

/** Runs the contract suite with one database and two instances; the tables are emptied before each test. */
export function describeBackend<Database extends { drop(): Promise<void> }>(
  backend: BackendOnDatabase<Database>,
): void {
  let database: Database;
  let first: StoreBackend;
  let second: StoreBackend;

  beforeAll(async () => {
    database = await backend.database();
    [first, second] = backend.instances(database);
    await Promise.all([sealed(first).open(LIMITS), sealed(second).open(LIMITS)]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });

  describeStoreBackend(
    { describe, it, beforeEach, afterEach },
    {
      name: backend.name,
      async open() {
        await backend.empty(database);
        return first;
      },
      openSecond: async () => second,
      close: async () => undefined,
      async reopen() {
        await first.close();
        [first] = backend.instances(database);
        await sealed(first).open(LIMITS);
        return first;
      },
    },
  );
}
