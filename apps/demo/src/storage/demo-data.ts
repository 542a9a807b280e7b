// The data folder of the demo: its secrets, its database, and the mark of an unfinished history.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { isRecord, parsedJson } from '#contracts/common/text.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { createPgliteDriver, typeormStores } from '#stores/typeorm/index.js';
import type { Environment } from './environment.js';
import { USERS, type UserId } from './sessions.js';
import { DESTRUCTIVE_TOOLS, POLICIES } from '../shop/support-tools.js';
import { FolderLock, readIfExists } from './folder-lock.js';

/** The settings of the demo. All others keep their defaults. */
export function demoSettings({
  tokenSecret,
  hashKey,
}: Pick<Credentials, 'tokenSecret' | 'hashKey'>): Partial<SettingValues> {
  return {
    'hitl.enabled': true,
    'hitl.destructive_tools': DESTRUCTIVE_TOOLS,
    'hitl.policies': POLICIES,
    // Visitors may change policies. In production this lets one operator allow every call.
    'hitl.policies_overridable': true,
    'hitl.ttl': 7 * 24 * 3600,
    'hitl.token_secret': tokenSecret,
    'audit_hygiene.hash_key': hashKey,
  };
}

/** The secrets and the stores of the demo, kept in a private folder inside `DATA_DIR`. */
export class DemoData {
  private constructor(
    readonly credentials: Credentials,
    readonly credentialsFile: string,
    /** Opened and closed by the guardrails module. */
    readonly stores: StoreBackend,
    readonly seedMarker: SeedMarker,
    /** Where the sink of the demo writes. */
    readonly eventsFile: string,
    private readonly closeDatabase: () => Promise<void>,
  ) {}

  static async open(
    { dataFolder, databaseUrl }: Environment,
    printLine: (line: string) => void,
  ): Promise<DemoData> {
    const folder = openPrivateFolder(dataFolder);
    const credentialsFile = join(folder, 'credentials.json');
    const databaseFolder = join(folder, databaseUrl === null ? 'postgres' : 'database');
    const seedMarker = SeedMarker.of(databaseFolder, databaseUrl);
    const lock = databaseUrl === null ? FolderLock.acquire(databaseFolder) : null;
    try {
      const credentials = openCredentials(credentialsFile);
      const embedded = lock && (await openEmbedded(databaseFolder, seedMarker, printLine));
      const stores = typeormStores({
        ...(embedded === null ? { url: databaseUrl ?? '' } : { driver: createPgliteDriver(embedded) }),
        migrate: true,
      });
      // The log of the demo has warnings only, so the steps of a long migration are printed.
      const open = stores.open.bind(stores);
      stores.open = (limits) => open(limits, printLine);
      const eventsFile = join(folder, 'events.jsonl');
      return new DemoData(credentials, credentialsFile, stores, seedMarker, eventsFile, async () => {
        await embedded?.close();
        lock?.release();
      });
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  /** Call it after the application is closed, because the application uses the stores until then. */
  close(): Promise<void> {
    return this.closeDatabase();
  }
}

/**
 * Opens a folder that only the current user can read. `DATA_DIR` itself may have existed before and be readable, so
 * everything is kept in a subfolder with mode 0700. If other users could write `DATA_DIR`, they could replace the
 * subfolder, so that is an error.
 */
export function openPrivateFolder(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const folder = join(dataFolder, 'private');
  // Windows has no permission bits.
  if (process.platform !== 'win32' && (statSync(dataFolder).mode & 0o022) !== 0)
    throw new Error(
      `Other users can write to ${dataFolder}. Run chmod go-w on it, or set DATA_DIR to another folder.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** An interrupted seeding leaves demo data only, so the database is created again. */
async function openEmbedded(
  folder: string,
  seedMarker: SeedMarker,
  printLine: (line: string) => void,
): Promise<PGlite> {
  if (seedMarker.isSet) {
    printLine('The first start was interrupted. Creating the database again.');
    rmSync(folder, { recursive: true, force: true });
  }
  if (!existsSync(folder)) {
    printLine(`Creating an embedded PostgreSQL in ${folder}. This takes some seconds.`);
    seedMarker.set();
  }
  return PGlite.create(folder);
}

/** A file that exists while a database is being seeded. Each database has a separate marker. */
export class SeedMarker {
  private constructor(private readonly file: string) {}

  /** `databaseUrl` identifies a database that is not stored at `path`. */
  static of(path: string, databaseUrl: string | null = null): SeedMarker {
    const suffix =
      databaseUrl === null ? '' : `-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 12)}`;
    return new SeedMarker(`${path}${suffix}.seeding`);
  }

  get isSet(): boolean {
    return existsSync(this.file);
  }

  set(): void {
    writeFileSync(this.file, 'This database is being filled with demo history.\n');
  }

  clear(): void {
    rmSync(this.file, { force: true });
  }
}

type SecretName = `${UserId}.${'token' | 'password'}` | 'sessionSecret' | 'tokenSecret' | 'hashKey';

const SECRET_NAMES: readonly SecretName[] = [
  ...USERS.flatMap(({ id }) => [`${id}.token`, `${id}.password`] as const),
  'sessionSecret',
  'tokenSecret',
  'hashKey',
];

/** The random secrets of one data folder, created at the first start. */
export type Credentials = Readonly<Record<SecretName, string>>;

export function openCredentials(file: string): Credentials {
  const text = readIfExists(file);
  return text === null ? createCredentials(file) : parseCredentials(file, text);
}

function createCredentials(file: string) {
  const credentials = Object.fromEntries(
    SECRET_NAMES.map((name) => [name, randomSecret(name.endsWith('.password') ? 12 : 32)]),
  ) as Credentials;
  // The text goes to a draft first, so that a killed process never leaves a partial file.
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return credentials;
}

function parseCredentials(file: string, text: string) {
  chmodSync(file, 0o600);
  const value = parsedJson(text);
  const stored = isRecord(value) ? value : {};
  const missing = SECRET_NAMES.filter((name) => typeof stored[name] !== 'string' || stored[name].length < 16);
  if (missing.length === 0) return stored as Credentials;
  throw new Error(`${file} lacks ${missing.join(', ')}. Repair it, or delete it to create new secrets.`);
}

function randomSecret(bytes: number) {
  return randomBytes(bytes).toString('base64url');
}
