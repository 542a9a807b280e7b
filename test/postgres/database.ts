import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { fromSetUp, type FreshDatabase } from '../servers/set-up.js';

export type { FreshDatabase };

/** A migrated database for the caller, cloned from a template that the first caller creates. */
export async function freshDatabase(): Promise<FreshDatabase> {
  return createDatabase(await templateDatabase());
}

/** A database for the caller, without our tables. */
export function bareDatabase(): Promise<FreshDatabase> {
  return createDatabase('template1');
}

async function createDatabase(template: string): Promise<FreshDatabase> {
  const name = databaseName(randomBytes(6).toString('hex'));
  await administer(`create database ${name} template ${template}`);
  const url = urlOf(name);
  let connection: Promise<Client> | undefined;
  return {
    url,
    async run(statements) {
      connection ??= connected(url);
      await (await connection).query(statements);
    },
    async drop() {
      await (await connection)?.end();
      await administer(`drop database if exists ${name} with (force)`);
    },
  };
}

let administrator: Promise<Client> | undefined;
let lastStatement: Promise<unknown> = Promise.resolve();

/** Runs statements one after the other on one connection of the worker, because a connection costs ten milliseconds. */
function administer(statement: string): Promise<unknown> {
  const run = async (): Promise<unknown> => {
    administrator ??= connected(fromSetUp('TEST_PG_URL')).then((client) => {
      client.on('error', () => (administrator = undefined));
      // The worker ends while it is open. The types lack this method.
      (client as Client & { unref(): void }).unref();
      return client;
    });
    return (await administrator).query(statement);
  };
  lastStatement = lastStatement.then(run, run);
  return lastStatement;
}

/** An arbitrary number that all workers share. */
const TEMPLATE_LOCK = 7_305_116;

let template: Promise<string> | undefined;

function templateDatabase(): Promise<string> {
  return (template ??= onServer(makeTemplate));
}

/** Only one worker creates the template, under a lock. The template gets its final name when it is complete. */
async function makeTemplate(server: Client): Promise<string> {
  const name = databaseName('template');
  const unfinished = databaseName('unfinished');
  await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount !== 0) return name;
  await server.query(`drop database if exists ${unfinished} with (force)`);
  await server.query(`create database ${unfinished}`);
  const stores = typeormStores({ url: urlOf(unfinished), migrate: true });
  await stores.open();
  await stores.close();
  await server.query(`alter database ${unfinished} rename to ${name}`);
  return name;
}

/** Uses a separate connection, whose end also releases its locks. */
export async function onServer<Result>(
  work: (server: Client) => Promise<Result>,
  url = fromSetUp('TEST_PG_URL'),
): Promise<Result> {
  const server = await connected(url);
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

/** The rows that a statement returns. */
export const rowsOf = <Row extends object = Record<string, unknown>>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> =>
  onServer(async (server) => (await server.query<Row>(statement, [...values])).rows, url);

/** Open stores of the database. */
export async function openStores({ url }: FreshDatabase): Promise<StoreBackend> {
  const stores = typeormStores({ url });
  await stores.open();
  return stores;
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

/** The error of a refused statement, or `done`. */
export const refusalOf = (url: string, statement: string): Promise<string> =>
  onServer(
    (server) =>
      server.query(statement).then(
        () => 'done',
        (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
      ),
    url,
  );

const databaseName = (word: string): string => `${fromSetUp('TEST_PG_RUN')}_${word}`;

function urlOf(database: string): string {
  const url = new URL(fromSetUp('TEST_PG_URL'));
  url.pathname = `/${database}`;
  return url.href;
}
