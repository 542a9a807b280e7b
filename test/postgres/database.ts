import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { typeormStores } from '../../libs/stores/typeorm/src/index.js';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Any number will do, as long as every worker of a run takes the same one. */
const TEMPLATE_LOCK = 7_305_116;

/** An empty, migrated database of the caller's own: a clone of a template that the first caller of a run makes. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = databaseName(randomBytes(6).toString('hex'));
  await onServer(async (server) => {
    const template = await templateDatabase(server);
    await server.query(`create database ${name} template ${template}`);
  });
  return {
    url: urlOf(name),
    drop: () =>
      onServer(async (server) => {
        await server.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** An empty database without our tables. */
export async function bareDatabase(): Promise<FreshDatabase> {
  const name = databaseName(randomBytes(6).toString('hex'));
  await onServer(async (server) => void (await server.query(`create database ${name}`)));
  return {
    url: urlOf(name),
    drop: () =>
      onServer(async (server) => void (await server.query(`drop database if exists ${name} with (force)`))),
  };
}

let template: Promise<string> | undefined;

function templateDatabase(server: pg.Client): Promise<string> {
  return (template ??= makeTemplate(server));
}

/** Workers exclude each other by a lock; under its own name the template is whole. */
async function makeTemplate(server: pg.Client): Promise<string> {
  const name = databaseName('template');
  const unfinished = databaseName('unfinished');
  await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return name;
    await server.query(`drop database if exists ${unfinished} with (force)`);
    await server.query(`create database ${unfinished}`);
    const stores = typeormStores({ url: urlOf(unfinished), migrate: true });
    await stores.open();
    await stores.close();
    await server.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await server.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function onServer(work: (server: pg.Client) => Promise<void>): Promise<void> {
  const server = new pg.Client(required('TEST_PG_URL'));
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}

const databaseName = (word: string): string => `${required('TEST_PG_RUN')}_${word}`;

function urlOf(database: string): string {
  const url = new URL(required('TEST_PG_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the set-up of the system tests.`);
  return value;
}
