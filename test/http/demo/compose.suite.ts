import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { DemoModule } from '../../../apps/demo/src/demo.module.js';
import { readEnvironment } from '../../../apps/demo/src/storage/environment.js';
import { DemoData } from '../../../apps/demo/src/storage/demo-data.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { onServer } from '../../postgres/database.js';
import { fromSetUp } from '../../servers/set-up.js';
import { bench } from '../../support/engine.js';

// Runs what docker-compose.yml declares without Docker: the environment of both services and their health commands,
// on the PostgreSQL of the tests. Only addresses, ports and names that must be unique are replaced.

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
}

const execute = promisify(execFile);
const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
const { services } = parse(
  readFileSync(file, 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, value: string) => value),
) as { readonly services: { readonly database: Service; readonly demo: Service } };

const suffix = randomBytes(4).toString('hex');
const account = services.database.environment;
const role = `${account['POSTGRES_USER']}_${suffix}`;
const name = `${account['POSTGRES_DB']}_${suffix}`;
const server = new URL(fromSetUp('TEST_PG_URL'));

/** The exit code of a health command, with the address and the names of this test. */
async function health({ healthcheck }: Service, replace: (word: string) => string): Promise<number> {
  const [kind, command = '', ...words] = healthcheck.test;
  expect(kind).toBe('CMD');
  return execute(command === 'node' ? process.execPath : command, words.map(replace)).then(
    () => 0,
    (error: { readonly code: number }) => error.code,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'compose-'));
await onServer(async (client) => {
  await client.query(`create role ${role} login password '${account['POSTGRES_PASSWORD']}'`);
  await client.query(`create database ${name} owner ${role}`);
});
const url = new URL(services.demo.environment['DATABASE_URL'] ?? '');
[url.hostname, url.port, url.username, url.pathname] = [server.hostname, server.port, role, name];
const environment = readEnvironment({
  ...services.demo.environment,
  DATABASE_URL: url.href,
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
});
// One decision, so that the demo does not seed its history.
const earlier = await bench({}, { stores: typeormStores({ url: url.href, migrate: true }) });
await earlier.engine.guardrails.screen('hello', { application: 'another' });
await earlier.engine.stop();
await earlier.stores.close();
const data = await DemoData.open(environment, () => {});
const application = await NestFactory.create(DemoModule.over(data), {
  logger: ['error'],
  abortOnError: false,
});
await application.listen(environment.port, environment.host);

afterAll(async () => {
  await application.close();
  await data.close();
  await onServer(async (client) => {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`drop role ${role}`);
  });
  rmSync(folder, { recursive: true });
});

describe('docker-compose.yml on the PostgreSQL of the tests', () => {
  const port = (): number => (application.getHttpServer().address() as AddressInfo).port;

  it('starts the demo as the owner of its database, with its secrets in DATA_DIR', async () => {
    const overview = await fetch(`http://127.0.0.1:${port()}/guardrails/api/overview`, {
      headers: { authorization: `Bearer ${data.credentials['ops-1.token']}` },
    });
    expect(overview.status).toBe(200);
    expect(readdirSync(join(folder, 'data'))).toEqual(['private']);
  });

  it('has a health command for the demo that fails only if the demo does not answer', async () => {
    expect(await health(services.demo, (word) => word.replace(':3000', `:${port()}`))).toBe(0);
    expect(await health(services.demo, (word) => word.replace(':3000', ':1'))).toBe(1);
  });

  it('has a health command for the database that pg_isready accepts', async () => {
    const installed = ['/usr/bin/pg_isready', ...debianBinaries()].find((path) => existsSync(path));
    const command = services.database.healthcheck.test;
    expect(command.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    // pg_isready is part of the image, but not of the server of the tests.
    const words = command.slice(2).concat(`--port=${server.port}`);
    expect(words).toEqual(expect.arrayContaining([`--username=${account['POSTGRES_USER']}`]));
    if (installed !== undefined) expect((await execute(installed, words)).stdout).toContain('accepting');
  });
});

function debianBinaries(): readonly string[] {
  const versions = '/usr/lib/postgresql';
  return existsSync(versions)
    ? readdirSync(versions).map((version) => `${versions}/${version}/bin/pg_isready`)
    : [];
}
