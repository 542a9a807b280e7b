import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { decision, newRejection, settingsPlan } from '#stores/contract/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, refusalOf, type FreshDatabase } from '../postgres/database.js';
import { cli, type CliResult } from './built-cli.js';

const KEPT = ['audit_evidence', 'firewall_rejections', 'setting_changes'];

let database: FreshDatabase;
let application: string;
let maintenance: string;

function urlOf(role: string): string {
  const url = new URL(database.url);
  url.username = encodeURIComponent(role);
  url.password = 'secret';
  return url.href;
}

const asOwner = <Result>(work: (server: Client) => Promise<Result>): Promise<Result> =>
  onServer(work, database.url);

const BUDGET = { budget: 'a'.repeat(64), owner: 'customer-42', amount: '10' };
const LIMITS = [{ budget: BUDGET.budget, windowMs: 3_600_000, lte: '30' }];

/** Writes a decision, a setting change and a released reservation, as an application does. */
async function append(url: string): Promise<void> {
  const stores = typeormStores({ url });
  await stores.open();
  await stores.audit.append(decision({ principalId: 'customer-42', rejection: newRejection() }));
  await stores.settings.apply(() => settingsPlan({ overrides: { 'modes.hitl': 'off' } }));
  const reservation = { reference: randomUUID(), claims: [BUDGET] };
  await stores.budgets.admit(reservation, LIMITS, () => decision());
  await stores.budgets.release(reservation.reference);
  await stores.close();
}

const changes = (table: string): readonly string[] => [
  `update guardrails_${table} set occurred_at = occurred_at`,
  `delete from guardrails_${table}`,
  `truncate guardrails_${table} cascade`,
];

describe('the roles of nest-guardrails grants', () => {
  beforeAll(async () => {
    database = await freshDatabase();
    const run = randomBytes(4).toString('hex');
    [application, maintenance] = [`Shop "app" ${run}`, `keeper_${run}`];
    await asOwner(async (server) => {
      for (const role of [application, maintenance])
        await server.query(`create role ${server.escapeIdentifier(role)} login password 'secret'`);
      const { code, stdout } = await cli([
        'grants',
        '--application',
        application,
        '--maintenance',
        maintenance,
      ]);
      expect(code).toBe(0);
      await server.query(stdout.replaceAll(/^--.*$/gm, ''));
    });
    await append(urlOf(application));
  });

  afterAll(async () => {
    await asOwner(async (server) => {
      for (const role of [application, maintenance]) {
        await server.query(`drop owned by ${server.escapeIdentifier(role)}`);
        await server.query(`drop role ${server.escapeIdentifier(role)}`);
      }
    });
    await database.drop();
  });

  it('are sufficient for the application, and doctor reports no problem', async () => {
    const { code, stdout } = await cli(['doctor', '--json'], { DATABASE_URL: urlOf(application) });
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: { level: string }[] };
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('are checked by doctor for the rights of a retention schedule', async () => {
    const schedule = { GUARDRAILS_RETENTION_SCHEDULE: 'daily' };
    const doctor = (role: string): Promise<CliResult> =>
      cli(['doctor'], { DATABASE_URL: urlOf(role), ...schedule });
    expect((await doctor(application)).stdout).toMatch(/warning {2}schedule: .* may not erase and delete/);
    expect((await doctor(maintenance)).stdout).toMatch(/ok {7}schedule: /);
  });

  it.each(KEPT)('do not permit the application to update, delete or truncate %s', async (table) => {
    for (const statement of changes(table))
      expect(await refusalOf(urlOf(application), statement)).toMatch(/^42501: permission denied/);
  });

  it.each(KEPT)(
    'are backed by triggers that stop the owner and the maintenance role from changing %s',
    async (table) => {
      const [update, remove, empty] = changes(table) as [string, string, string];
      for (const statement of [update, remove, empty])
        expect(await refusalOf(database.url, statement)).toMatch(/^42501: guardrails_\w+ is append-only/);
      expect(await refusalOf(urlOf(maintenance), update)).toMatch(/^42501: permission denied/);
      expect(await refusalOf(urlOf(maintenance), empty)).toMatch(/^42501: permission denied/);
      expect(await refusalOf(urlOf(maintenance), remove)).toMatch(/^42501: /);
    },
  );

  it('do not permit the application to change texts, decisions and retention runs', async () => {
    for (const statement of [
      "update guardrails_audit_content set prompt = ''",
      'delete from guardrails_audit_content',
      'delete from guardrails_approvals',
      "insert into guardrails_retention_runs (actor_id, strategy, scope, counts, started_at) values ('a', 'purge', '{}', '{}', now())",
      'create table mine (id int)',
      'drop table guardrails_audit_evidence',
      'alter table guardrails_audit_evidence disable trigger all',
      'set session_replication_role = replica',
    ])
      expect(await refusalOf(urlOf(application), statement)).toMatch(/^42501: /);
  });

  it('do not permit the application to change what it only writes once', async () => {
    for (const change of [
      'principals set digest = digest',
      'audit_writers set ended = ended',
      'audit_id_ranges set time = time',
      'audit_hourly set rule_id = rule_id',
      'rule_hits set rule_id = rule_id',
      'budget_reservations set amount = amount',
      'outbox set payload = payload',
      'outbox_deliveries set sink = sink',
      'retention_lock set anonymized_through = 0',
    ])
      expect(await refusalOf(urlOf(application), `update guardrails_${change}`)).toMatch(
        /^42501: permission denied/,
      );
  });

  it('permit the maintenance role to erase, delete and verify, but not to insert', async () => {
    const environment = { DATABASE_URL: urlOf(maintenance) };
    const purge = ['purge', '--actor', 'ops-1', '--strategy'];
    expect(await cli([...purge, 'anonymize', '--principal', 'customer-42'], environment)).toMatchObject({
      code: 0,
    });
    expect(await cli([...purge, 'purge', '--days', '0', '--yes-everything'], environment)).toMatchObject({
      code: 0,
    });
    expect(await cli(['verify'], environment)).toMatchObject({ code: 0 });
    expect(
      await refusalOf(
        urlOf(maintenance),
        "insert into guardrails_principals (digest, name) values ('x', 'x')",
      ),
    ).toMatch(/^42501: /);
    await append(urlOf(application));
  });

  it('do not permit the application to purge', async () => {
    const purge = ['purge', '--actor', 'ops-1', '--strategy', 'purge', '--entry', '1'];
    const { code, stderr } = await cli(purge, { DATABASE_URL: urlOf(application) });
    expect(code).toBe(3);
    expect(stderr).toMatch(/permission denied/);
  });
});

describe('the triggers', () => {
  beforeEach(async () => {
    database = await freshDatabase();
    await append(database.url);
  });

  afterEach(async () => {
    await database.drop();
  });

  const asRun = (statement: string): Promise<string> =>
    refusalOf(
      database.url,
      `begin; select set_config('guardrails.retention', '1', true); ${statement}; commit`,
    );

  it('reject deletions for a retention run of another transaction', async () => {
    expect(await asRun('delete from guardrails_audit_evidence')).toMatch(/append-only/);
    await cli(['purge', '--actor', 'ops-1', '--strategy', 'anonymize', '--entry', '1'], {
      DATABASE_URL: database.url,
    });
    expect(await asRun('delete from guardrails_audit_evidence')).toMatch(/append-only/);
    expect(await asRun('update guardrails_audit_evidence set day = day')).toMatch(/append-only/);
  });

  it('protect a finished run', async () => {
    await cli(['purge', '--actor', 'ops-1', '--strategy', 'anonymize', '--entry', '1'], {
      DATABASE_URL: database.url,
    });
    for (const statement of [
      "update guardrails_retention_runs set counts = '{}'",
      "update guardrails_retention_runs set actor_id = 'nobody'",
      'delete from guardrails_retention_runs',
      'truncate guardrails_retention_runs',
    ])
      expect(await refusalOf(database.url, statement)).toMatch(/is append-only/);
    expect(await refusalOf(database.url, 'update guardrails_retention_runs set notified_at = now()')).toBe(
      'done',
    );
  });

  it('protect a decision, the decided call, and the approval', async () => {
    await asOwner((server) =>
      server.query(`insert into guardrails_approvals (reference, token_hash, call_mac, status, step_name, tool, tool_fingerprint,
          arguments, arguments_digest, reversible, idempotent, warnings, policy_revision, requirement,
          overwritten, editors, created_at, expires_at)
        values ('r', 'h', 's', 'pending', 's', 'refund', 'f', '{"amount":1}', 'd', false, false, '[]', 'p', '{}', '[]', '[]', now(), now())`),
    );
    const change = (what: string): Promise<string> =>
      refusalOf(database.url, `update guardrails_approvals set ${what}`);
    expect(await change(`arguments = '{"amount":1}'`)).toBe('done');
    expect(await change(`expires_at = now() + interval '1 day'`)).toMatch(/keeps what was decided/);
    expect(
      await change(`status = 'approved', decision = 'approved', decided_by = 'ops-1', decided_at = now()`),
    ).toBe('done');
    for (const what of [
      `arguments = '{"amount":1000}'`,
      `arguments_digest = 'another'`,
      `decision = 'rejected'`,
      'decision = null',
      `decided_by = 'ops-2'`,
      'decided_at = now()',
      `reason = 'because'`,
      `requirement = '{"approvers":1}'`,
      `requested_arguments = '{}'`,
      `editors = '["ops-1"]'`,
    ])
      expect(await change(what)).toMatch(/keeps what was decided/);
    expect(await change(`status = 'executing', fence = 1`)).toBe('done');
    expect(await change(`status = 'executed', result = '"done"', finished_at = now()`)).toBe('done');
    for (const what of [`status = 'approved'`, `status = 'pending'`, 'fence = 0'])
      expect(await change(what)).toMatch(/keeps what was decided/);
    expect(await refusalOf(database.url, 'delete from guardrails_approvals')).toMatch(
      /keeps what was decided/,
    );
    expect(await refusalOf(database.url, 'truncate guardrails_approvals')).toMatch(/keeps what was decided/);
  });

  it('protect every vote, which can become void once', async () => {
    await asOwner((server) =>
      server.query(`insert into guardrails_approval_votes (approval_id, actor_id, reason, voted_at, vote_mac)
        values (1, 'ops-1', 'checked', now(), 'm')`),
    );
    for (const statement of [
      `update guardrails_approval_votes set actor_id = 'ops-2'`,
      'update guardrails_approval_votes set reason = null',
      'update guardrails_approval_votes set approval_id = 2',
      'delete from guardrails_approval_votes',
      'truncate guardrails_approval_votes',
    ])
      expect(await refusalOf(database.url, statement)).toMatch(/keeps every vote/);
    const voided = 'update guardrails_approval_votes set voided_at = now()';
    expect(await refusalOf(database.url, voided)).toBe('done');
    const valid = 'update guardrails_approval_votes set voided_at = null';
    expect(await refusalOf(database.url, valid)).toMatch(/keeps every vote/);
  });

  it('are reported by doctor if one is disabled', async () => {
    await asOwner((server) => server.query('alter table guardrails_audit_evidence disable trigger all'));
    const { code, stdout } = await cli(['doctor'], { DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /ERROR.*No active trigger guards UPDATE, DELETE, TRUNCATE on guardrails_audit_evidence/,
    );
  });
});
