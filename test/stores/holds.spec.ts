import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { brokenSeals } from '#engine/index.js';
import { decision, newApproval, approvalEvidence } from '#stores/contract/index.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { Maintenance } from '#stores/typeorm/index.js';
import { freshDatabase, openStores, rowsOf } from '../postgres/database.js';
import { EMPTY_TABLES } from './empty-tables.js';

const LEASE_MS = 60_000;
const AGE = { kind: 'before', before: new Date() } as const;

const database = await freshDatabase();
let stores: StoreBackend;

beforeEach(async () => {
  await sql(EMPTY_TABLES);
  stores = await openStores(database);
});

afterEach(() => stores.close());

afterAll(() => database.drop());

const sql = (statement: string) => rowsOf(database.url, statement);

const hold = (principalId: string) =>
  stores.holds.set(
    { scope: { kind: 'principal', principalId }, reason: 'case 118', setBy: 'ops-1' },
    () => [],
  );

/** The statement in the transaction of a recorded retention run. */
const asRun = (statement: string): string => `begin;
  do $run$ declare run text; begin
    insert into guardrails_retention_runs (actor_id, strategy, scope, counts, started_at)
      values ('ops-1', 'purge', '{}', '{}', now()) returning id::text into run;
    perform set_config('guardrails.retention', run, true);
  end $run$;
  ${statement}; commit`;

describe('the triggers', () => {
  const STATEMENTS = [
    'delete from guardrails_audit_evidence',
    'delete from guardrails_audit_content',
    `update guardrails_audit_content set prompt = '', salt = null`,
    'delete from guardrails_audit_reviews',
    'update guardrails_audit_reviews set note = null',
    'delete from guardrails_principals',
    'delete from guardrails_approvals',
    'update guardrails_approvals set arguments = null',
  ];

  beforeEach(async () => {
    for (const principalId of ['customer-42', 'customer-7']) {
      const entryId = await stores.audit.append(decision({ principalId }));
      const author = { actorId: 'ops-1', requestId: null, reviewedAt: new Date() };
      await stores.reviews.append({ entryId, verdict: 'unsure', note: 'a note', ...author });
      await stores.approvals.park(newApproval({ principalId }), approvalEvidence, 20);
    }
  });

  it.each(STATEMENTS)(
    'refuse a statement that touches a held row, also in a retention run: %s',
    async (text) => {
      const { id } = await hold('customer-42');
      await expect(sql(asRun(text))).rejects.toThrow(
        new RegExp(`keeps rows under hold ${id}: \\w+ is refused`),
      );
      await stores.holds.release(id, 'ops-1', () => []);
      await sql(asRun(text));
    },
  );

  it('keep every hold: it is released once and never changed', async () => {
    const { id } = await hold('customer-42');
    const changes = ['principal_id = null', `reason = 'other'`, `kind = 'run'`, 'set_at = now()'];
    const isRefused = (statement: string): Promise<void> =>
      expect(sql(statement)).rejects.toThrow(/keeps every hold, and a hold is released once/);
    for (const change of changes) {
      await isRefused(`update guardrails_holds set ${change}`);
      await isRefused(asRun(`update guardrails_holds set ${change}`));
    }
    await isRefused('update guardrails_holds set released_at = now()');
    await stores.holds.release(id, 'ops-1', () => []);
    for (const change of [...changes, 'released_at = null, released_by = null', `released_by = 'ops-2'`])
      await isRefused(`update guardrails_holds set ${change}`);
    for (const statement of ['delete from guardrails_holds', 'truncate guardrails_holds']) {
      await isRefused(statement);
      await isRefused(asRun(statement));
    }
  });
});

describe('a hold', () => {
  it('covers a batch that begins while the hold is being set', async () => {
    const id = await stores.audit.append(decision({ principalId: 'customer-42' }));
    const run = await stores.retention.begin({ strategy: 'purge', scope: AGE, actorId: 'ops-1' }, LEASE_MS);
    const setting = new Client(database.url);
    await setting.connect();
    await setting.query(`begin; insert into guardrails_holds (kind, principal_id, reason, set_by, set_at)
      values ('principal', 'customer-42', 'case 118', 'ops-1', now())`);
    const waiting = complete(stores.retention, run!);
    const isWaiting = `select 1 from pg_locks where not granted and relation = 'guardrails_holds'::regclass`;
    while ((await sql(isWaiting)).length === 0) await new Promise(setImmediate);
    await setting.query('commit');
    await setting.end();
    await waiting;
    expect(await stores.audit.find(id)).toMatchObject({ principalId: 'customer-42' });
  });

  it('leaves rows that verify when the rows around it are purged', async () => {
    for (const name of ['a', 'held', 'b', 'c', 'held', 'd'])
      await stores.audit.append(decision({ principalId: name }));
    await hold('held');
    const run = await stores.retention.begin({ strategy: 'purge', scope: AGE, actorId: 'ops-1' }, LEASE_MS);
    await complete(stores.retention, run!, 2);
    const left = (await stores.audit.list({}, { limit: 10 })).entries;
    expect(left.map(({ principal_id: principalId }) => principalId)).toEqual(['held', 'held']);
    const maintenance = new Maintenance({ url: database.url });
    await maintenance.open();
    const checks = { brokenCommitments: () => [], brokenSeals: brokenSeals(null) };
    const { findings } = await maintenance.verify(checks, () => undefined);
    await maintenance.close();
    expect(findings).toEqual([]);
  });
});
