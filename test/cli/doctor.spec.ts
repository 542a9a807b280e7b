import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import { guardrailsMigrations } from '#stores/typeorm/index.js';
import { bareDatabase, freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { cli, type CliResult } from './built-cli.js';

let database: FreshDatabase;

beforeEach(async () => {
  database = await freshDatabase();
});

afterEach(async () => {
  await database.drop();
});

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly remedy: string | null;
}

interface Report extends CliResult {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly of: (check: string) => readonly Finding[];
}

async function doctor(environment: NodeJS.ProcessEnv = {}): Promise<Report> {
  const ended = await cli(['doctor', '--json'], { DATABASE_URL: database.url, ...environment });
  const { ok, findings } = JSON.parse(ended.stdout) as Pick<Report, 'ok' | 'findings'>;
  return { ...ended, ok, findings, of: (check) => findings.filter((finding) => finding.check === check) };
}

const inDatabase = <Result>(work: (server: Client) => Promise<Result>): Promise<Result> =>
  onServer(work, database.url);

describe('nest-guardrails doctor', () => {
  it('reports no errors for a migrated database', async () => {
    const { code, ok, of } = await doctor();
    expect([code, ok]).toEqual([0, true]);
    for (const check of ['configuration', 'database', 'server', 'clock', 'tables', 'overrides'])
      expect(of(check).map(({ level }) => level)).toEqual(['ok']);
  });

  it('prints findings, remedies and totals', async () => {
    const { code, stdout } = await cli(['doctor'], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {7}database: 127\.0\.0\.1:\d+\/\w+ accepts connections\.$/m);
    expect(stdout).toMatch(
      /^warning {2}rights: postgres is a superuser.*\n {9}→ Let the application connect/m,
    );
    expect(stdout).toMatch(/Errors: 0\. Warnings: \d+\.\n$/);
  });

  it('lists what is stored of runs', async () => {
    expect((await doctor()).of('runs')[0]?.message).toMatch(/^0 runs are stored, .* in them\.$/);
    await inDatabase((server) =>
      server.query(
        "insert into guardrails_runs (key, run_id, salt, label, expires_at) select key, key, '', 0, key::timestamptz from unnest(array['2031-02-03', '2031-02-04']) key",
      ),
    );
    expect((await doctor()).of('runs')).toEqual([
      {
        check: 'runs',
        level: 'ok',
        message: expect.stringMatching(/^2 runs are stored, .* may be deleted after 2031-02-03 00:00:00/),
        remedy: null,
      },
    ]);
  });

  it('and the other commands recommend migrate if the tables do not exist', async () => {
    const bare = await bareDatabase();
    try {
      const { code, of } = await doctor({ DATABASE_URL: bare.url });
      expect(code).toBe(1);
      expect(of('tables')).toMatchObject([{ level: 'error', remedy: 'Run nest-guardrails migrate.' }]);
      for (const words of [['verify'], ['checkpoint'], ['reviews', 'export', '--out', '/nowhere/r.jsonl']]) {
        const { code: ended, stderr } = await cli(words, { DATABASE_URL: bare.url });
        expect(ended).toBe(3);
        expect(stderr).toMatch(/ has no tables guardrails_….* Run nest-guardrails migrate to create/);
        expect(stderr.match(/ does not exist/g)).toHaveLength(1);
      }
    } finally {
      await bare.drop();
    }
  });

  it('accepts migrations that a host ran with its own, and so does migrate', async () => {
    const bare = await bareDatabase();
    const host = new DataSource({ type: 'postgres', url: bare.url, migrations: [...guardrailsMigrations()] });
    try {
      await (await host.initialize()).runMigrations();
      const { code, of } = await doctor({ DATABASE_URL: bare.url });
      expect([code, of('tables').map(({ level }) => level)]).toEqual([0, ['ok']]);
      const migrated = await cli(['migrate'], { DATABASE_URL: bare.url });
      expect(migrated.stdout).toMatch(/is up to date\.\n$/);
    } finally {
      await host.destroy();
      await bare.drop();
    }
  });

  it('reports a missing column and an unknown migration', async () => {
    await inDatabase(async (server) => {
      await server.query('alter table guardrails_audit_evidence drop column run_id');
      await server.query(
        "insert into guardrails_migrations (timestamp, name) values (1, 'guardrails_later1')",
      );
    });
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of('tables')).toMatchObject([
      { level: 'error', message: expect.stringContaining('guardrails_audit_evidence.run_id') },
      { level: 'warning', message: expect.stringContaining('guardrails_later1') },
    ]);
  });

  it('reports a database that does not answer, without the password', async () => {
    const { code, of, stdout } = await doctor({
      DATABASE_URL: 'postgres://ops:hunter2secret@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(of('database')).toMatchObject([
      {
        level: 'error',
        message: expect.stringMatching(/127\.0\.0\.1:1\/none does not answer.*ECONNREFUSED/s),
      },
    ]);
    expect(stdout).not.toContain('hunter2secret');
  });

  it('checks the settings in the environment', async () => {
    const { code, of } = await doctor({
      GUARDRAILS_MODES_HITL: 'sometimes',
      GUARDRAILS_MODE_HITL: 'off',
      GUARDRAILS_RETENTION_DAYS: '30',
    });
    expect(code).toBe(1);
    expect(of('configuration')).toMatchObject([
      { level: 'error', message: expect.stringContaining('GUARDRAILS_MODES_HITL') },
      { level: 'warning', message: expect.stringContaining('GUARDRAILS_MODE_HITL') },
    ]);
  });

  it('reports invalid stored overrides', async () => {
    await inDatabase((server) =>
      server.query(
        `insert into guardrails_settings (key, value) values ('modes.hitl', '"off"'), ('modes.input_screen', '"maybe"'), ('gone.long_ago', '1')`,
      ),
    );
    const { code, of } = await doctor();
    expect(code).toBe(0);
    expect(of('overrides').map(({ level }) => level)).toEqual(['warning', 'warning']);
    expect(
      of('overrides')
        .map(({ message }) => message)
        .join(),
    ).toMatch(/gone\.long_ago.*modes\.input_screen/s);
  });

  it('reports missing and excess rights of a role', async () => {
    const role = `clerk_${process.pid}`;
    await inDatabase(async (server) => {
      await server.query(`create role ${role} login password 'clerk'`);
      await server.query(`grant select on all tables in schema public to ${role}`);
      await server.query(`grant insert, delete on guardrails_audit_evidence to ${role}`);
    });
    const asClerk = new URL(database.url);
    asClerk.username = role;
    asClerk.password = 'clerk';
    try {
      const { code, of } = await doctor({ DATABASE_URL: asClerk.href });
      expect(code).toBe(1);
      expect(of('rights')).toContainEqual(
        expect.objectContaining({
          level: 'error',
          remedy: `grant INSERT, UPDATE on guardrails_approvals to ${role};`,
        }),
      );
      expect(of('rights')).toContainEqual({
        check: 'rights',
        level: 'warning',
        message: `${role} may DELETE on guardrails_audit_evidence, which is append-only.`,
        remedy: `revoke DELETE on guardrails_audit_evidence from ${role};`,
      });
    } finally {
      await inDatabase(async (server) => {
        await server.query(`drop owned by ${role}`);
        await server.query(`drop role ${role}`);
      });
    }
  });
});
