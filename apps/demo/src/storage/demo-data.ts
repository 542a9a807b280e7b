import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { StoreBackend } from '../../../../libs/contracts/src/index.js';
import { createPgliteDriver, typeormStores } from '../../../../libs/stores/typeorm/src/index.js';
import type { Environment } from '../environment.js';
import { openCredentials, type Credentials } from './credentials.js';
import { FirstFill } from './first-fill.js';
import { FolderLock } from './folder-lock.js';

type Say = (line: string) => void;

/** What the demo keeps between two starts: its secrets, and everything the guardrails record. */
export class DemoData {
  private constructor(
    readonly credentials: Credentials,
    /** Opened and closed by the guardrails module. */
    readonly stores: StoreBackend,
    readonly firstFill: FirstFill,
    private readonly closeDatabase: () => Promise<void>,
  ) {}

  static async open({ dataFolder, databaseUrl }: Environment, say: Say): Promise<DemoData> {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const credentialsFile = join(dataFolder, 'credentials.json');
    if (databaseUrl !== null) {
      const stores = typeormStores({ url: databaseUrl, migrate: true });
      const firstFill = FirstFill.of(join(dataFolder, 'database'), databaseUrl);
      return new DemoData(openCredentials(credentialsFile), stores, firstFill, async () => {});
    }
    const folder = join(dataFolder, 'postgres');
    const firstFill = FirstFill.of(folder);
    const lock = FolderLock.acquire(folder);
    try {
      const credentials = openCredentials(credentialsFile);
      const database = await openEmbedded(folder, firstFill, say);
      const stores = typeormStores({ driver: createPgliteDriver(database), migrate: true });
      return new DemoData(credentials, stores, firstFill, async () => {
        await database.close();
        lock.release();
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Call it last: when the application is closed, nobody uses the stores any more. */
  close(): Promise<void> {
    return this.closeDatabase();
  }
}

/** While the first filling is under way the folder holds nothing but demo data, so one that was cut short begins anew. */
async function openEmbedded(folder: string, firstFill: FirstFill, say: Say): Promise<PGlite> {
  if (firstFill.isUnderWay) {
    say('The first start was interrupted; its half-filled database is made anew.');
    rmSync(folder, { recursive: true, force: true });
  }
  if (!existsSync(folder)) {
    say(`Making an embedded PostgreSQL in ${folder}; this takes some seconds, once.`);
    firstFill.begin();
  }
  return PGlite.create(folder);
}
