import { randomBytes } from 'node:crypto';
import { createEngine } from 'nest-guardrails/engine';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { startPostgres } from '../postgres/postgres-server.mjs';
import { Child } from './child.mjs';

/** The fault cannot be caused on this machine. Counted as neither passed nor failed. */
export class NotSupportedHere extends Error {}

/** Databases, engines and processes for one fault. They are removed after it. */
export class FaultEnvironment {
  #cleanups = [];

  constructor(server, settings) {
    this.server = server;
    this.settings = settings;
  }

  /** Adds a cleanup. The last one added runs first. */
  onEnd(work) {
    this.#cleanups.push(work);
  }

  async end() {
    for (const work of this.#cleanups.toReversed()) await work();
  }

  /** A PostgreSQL server for this fault only. */
  async ownServer(options = {}) {
    const server = await startPostgres({ settings: this.settings, ...options });
    this.onEnd(() => server.stop());
    return server;
  }

  /** The URL of a new database; `clause` is appended to the statement that creates it. */
  async database({ server = this.server, migrated = true, clause = '' } = {}) {
    const name = `fault_${randomBytes(6).toString('hex')}`;
    await query(server.url, `create database ${name} ${clause}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    if (migrated) await migrate(url.href);
    return url.href;
  }

  /** An engine with its own stores, in this process. */
  async engine(url, { stores: storeOptions = {}, settings = {}, ...rest } = {}) {
    const stores = typeormStores({ url, ...storeOptions });
    await stores.open();
    const engine = createEngine({ stores, configured: { ...DEFAULT_SETTINGS, ...settings }, ...rest });
    await engine.start();
    this.onEnd(async () => {
      await engine.stop();
      await stores.close();
    });
    return Object.assign(engine, { stores });
  }

  /** An instance in another process. By default it produces load. */
  child(options, script) {
    const child = new Child(options, script);
    this.onEnd(() => child.kill());
    return child;
  }
}

/** The rows of one statement on a separate connection. */
export async function query(url, statement, parameters = []) {
  return onConnection(url, async (client) => (await client.query(statement, parameters)).rows);
}

export async function onConnection(url, work) {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function migrate(url) {
  const stores = typeormStores({ url, migrate: true });
  await stores.open();
  await stores.close();
}
