import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { brokenCommitments, brokenSeals } from '#engine/index.js';
import type { Engine } from '#engine/create-engine.js';
import type { RetentionScope, RetentionStrategy } from '#contracts/retention/retention.js';
import { Maintenance, typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, rowsOf } from '../postgres/database.js';
import { parkedCall } from '../support/approvals.js';
import { bench, refundTool, TOKEN_SECRET } from '../support/engine.js';

const POLICY = {
  rules: [
    { when: { '/amount': { lte: 500 } }, require: 'approval' },
    { require: 'approval', approvers: 2 },
  ],
  limits: [{ sum: '/amount', lte: 10_000, per: 'day' }],
};

const database = await freshDatabase();
const maintenance = new Maintenance({ url: database.url });
/** Statements that restore the tables after the changes of a test. */
let restored: string;
/** One executed, one edited with two of its two votes, one rejected, one pending with one of two votes. */
let ids: { executed: number; replaced: number; edited: number; rejected: number; waiting: number };

beforeAll(async () => {
  await maintenance.open();
  await onInstance(async (engine) => {
    const executed = await park(engine, 20);
    await approve(engine, executed, 'ops-1');
    const replaced = await park(engine, 2_000);
    const { id: edited } = await engine.approvals.propose(replaced, {
      actor: 'ops-3',
      reason: 'less',
      arguments: { order: 'A-1', amount: 1_000 },
    });
    for (const actor of ['ops-1', 'ops-2']) await approve(engine, edited, actor);
    const rejected = await park(engine, 30);
    await engine.approvals.decide(rejected, { verdict: 'rejected', actor: 'ops-2' });
    const waiting = await park(engine, 900);
    await approve(engine, waiting, 'ops-1');
    ids = { executed, replaced, edited, rejected, waiting };
  });
  const names = await tableNames();
  await database.run(['create schema kept', ...names.map(keep)].join(';'));
  restored = ['set session_replication_role = replica', ...names.map(restore)].join(';');
});

beforeEach(() => database.run(restored));

afterAll(async () => {
  await maintenance.close();
  await database.drop();
});

async function tableNames(): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string }>(
    database.url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  return rows.map(({ name }) => name);
}

const keep = (table: string): string => `create table kept.${table} as select * from ${table}`;

const restore = (table: string): string =>
  `delete from ${table}; insert into ${table} overriding system value select * from kept.${table}`;

async function onInstance(work: (engine: Engine) => Promise<unknown>): Promise<void> {
  const { engine, stores } = await bench(
    { 'hitl.enabled': true, 'hitl.policies': { refund: POLICY } },
    { stores: typeormStores({ url: database.url }), tools: [refundTool()] },
  );
  try {
    await work(engine);
  } finally {
    await engine.stop();
    await stores.close();
  }
}

let runs = 0;

async function park(engine: Engine, amount: number): Promise<number> {
  const context = { principalId: 'customer-42', runId: `run-${++runs}` };
  return (await parkedCall(engine, refundTool(), { order: 'A-1', amount }, context)).approvalId;
}

const approve = (engine: Engine, id: number, actor: string) =>
  engine.approvals.decide(id, { verdict: 'approved', actor });

async function findings(secret: string | null = TOKEN_SECRET): Promise<readonly string[]> {
  const report = await maintenance.verify(
    { brokenCommitments, brokenSeals: brokenSeals(secret) },
    () => undefined,
  );
  const named = Object.entries(ids).map(([name, id]) => [`Approval ${id}:`, name] as const);
  return report.findings.map(({ message }) =>
    named.reduce((text, [id, name]) => text.replace(id, `${name}:`), message),
  );
}

/** Bypasses all triggers, as an administrator of the database could. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await onServer(async (server) => {
    await server.query('set session_replication_role = replica');
    for (const statement of statements)
      await server.query(statement.replaceAll(/\$(\w+)/g, (_, name: keyof typeof ids) => String(ids[name])));
  }, database.url);
}

async function retain(strategy: RetentionStrategy, scope: RetentionScope): Promise<void> {
  await onInstance(({ retention }) =>
    retention.apply({ strategy, scope, actorId: 'ops-9' }, { everything: true }),
  );
}

const KEYED = 'does not match its keyed digest';

describe('the verification of approvals', () => {
  it('finds no difference, with and without the secret, and counts the approvals', async () => {
    expect([await findings(), await findings(null)]).toEqual([[], []]);
    const report = await maintenance.verify(
      { brokenCommitments, brokenSeals: brokenSeals(null) },
      () => undefined,
    );
    expect(report.approvals).toBe(5);
  });

  it.each<readonly [what: string, statement: string, found: string, withoutSecret: string | null]>([
    [
      'a changed argument',
      `update guardrails_approvals set arguments = '{"order":"A-1","amount":9}' where id = $waiting`,
      'waiting: its arguments do not match their digest.',
      'waiting: its arguments do not match their digest.',
    ],
    [
      'a changed argument with a new digest',
      `update guardrails_approvals set arguments = '{}', arguments_digest =
         encode(sha256('{}'), 'hex') where id = $waiting`,
      `waiting: its call ${KEYED}`,
      null,
    ],
    [
      'a changed requester',
      `update guardrails_approvals set principal_id = 'customer-7' where id = $executed`,
      `executed: its call ${KEYED}`,
      null,
    ],
    [
      'fewer required approvers',
      `update guardrails_approvals set requirement = '{"rule":2,"approvers":1,"group":null,"isReasonRequired":false}'
       where id = $waiting`,
      `waiting: its call ${KEYED}`,
      null,
    ],
    [
      'a changed decider',
      `update guardrails_approvals set decided_by = 'ops-9' where id = $executed`,
      `executed: its decision ${KEYED}`,
      null,
    ],
    [
      'a changed status',
      `update guardrails_approvals set status = 'failed' where id = $executed`,
      'executed: its status is failed, but its last step on record is executed.',
      'executed: its status is failed, but its last step on record is executed.',
    ],
    [
      'a rejected call that was made pending again',
      `update guardrails_approvals set status = 'pending', decision = null, decision_mac = null where id = $rejected`,
      'rejected: its status is pending, but its last step on record is rejected.',
      'rejected: its status is pending, but its last step on record is rejected.',
    ],
    [
      'an executed call that was made to run again',
      `update guardrails_approvals set status = 'executing' where id = $executed`,
      'executed: its status is executing, but its last step on record is executed.',
      'executed: its status is executing, but its last step on record is executed.',
    ],
    [
      'an approval without a decision by a person',
      `update guardrails_approvals set status = 'approved', decision = 'approved', decided_by = 'ops-9',
         decided_at = now() where id = $waiting`,
      `waiting: its decision ${KEYED}`,
      'waiting: its status is approved, but its last step on record is parked.',
    ],
    [
      'a deleted approval',
      'delete from guardrails_approvals where id = $executed',
      'executed: it is deleted. Retention runs handled 0 of 1 such approvals.',
      'executed: it is deleted. Retention runs handled 0 of 1 such approvals.',
    ],
    [
      'erased arguments',
      `update guardrails_approvals set arguments = null, arguments_digest = '' where id = $executed`,
      'executed: it is erased. Retention runs handled 0 of 1 such approvals.',
      'executed: it is erased. Retention runs handled 0 of 1 such approvals.',
    ],
    [
      'a vote of another actor',
      `update guardrails_approval_votes set actor_id = 'ops-9' where approval_id = $waiting`,
      'of "ops-9" does not match its keyed digest',
      null,
    ],
    [
      'an inserted vote',
      `insert into guardrails_approval_votes (approval_id, actor_id, voted_at, vote_mac)
       values ($waiting, 'ops-2', now(), 'none')`,
      'of "ops-2" does not match its keyed digest',
      'waiting: it has 2 votes, but counted 1, and 1 are on record.',
    ],
    [
      'an inserted vote of a call that needs one approver',
      `insert into guardrails_approval_votes (approval_id, actor_id, voted_at, vote_mac)
       values ($executed, 'ops-2', now(), 'none')`,
      'executed: it has 1 votes, but counted 0, and 0 are on record.',
      'executed: it has 1 votes, but counted 0, and 0 are on record.',
    ],
    [
      'a deleted vote',
      'delete from guardrails_approval_votes where approval_id = $waiting',
      'waiting: it has 0 votes, but counted 1, and 1 are on record.',
      'waiting: it has 0 votes, but counted 1, and 1 are on record.',
    ],
    [
      'a vote that was moved to another approval',
      `update guardrails_approval_votes set approval_id = $executed where approval_id = $waiting`,
      'executed: it has 1 votes, but counted 0, and 0 are on record.',
      'waiting: it has 0 votes, but counted 1, and 1 are on record.',
    ],
  ])('reports %s', async (_, statement, found, withoutSecret) => {
    await tamper(statement);
    expect(await findings()).toContainEqual(expect.stringContaining(found));
    const others = await findings(null);
    if (withoutSecret === null) expect(others).toEqual([]);
    else expect(others).toContainEqual(expect.stringContaining(withoutSecret));
  });

  it('reports a deleted vote also where the number of votes was changed with it', async () => {
    await tamper(
      'delete from guardrails_approval_votes where approval_id = $waiting',
      'update guardrails_approvals set vote_count = 0 where id = $waiting',
    );
    expect(await findings(null)).toEqual(['waiting: it has 0 votes, but counted 0, and 1 are on record.']);
  });

  it('reports an approval that the application did not write', async () => {
    await tamper(
      `create temporary table copied as select * from guardrails_approvals where id = $executed;
       update copied set id = 9000, reference = 'another', token_hash = 'another', dedup_key = null;
       insert into guardrails_approvals overriding system value select * from copied`,
    );
    expect(await findings(null)).toEqual([
      'Approval 9000: the audit has no record of its request, and no retention run deleted it.',
    ]);
    expect(await findings()).toContainEqual(expect.stringContaining(`Approval 9000: its call ${KEYED}`));
  });

  it('reports seals of another secret, and names the secret', async () => {
    const found = await findings('another secret of the deployer, 32 bytes');
    expect(found).toContainEqual(
      expect.stringMatching(/^executed: its call does not match .* another hitl\.token_secret/),
    );
  });

  it('accepts what retention erased and deleted', async () => {
    await retain('anonymize', { kind: 'principal', principalId: 'customer-42' });
    expect([await findings(), await findings(null)]).toEqual([[], []]);
    await retain('purge', { kind: 'before', before: new Date(Date.now() + 60_000) });
    expect([await findings(), await findings(null)]).toEqual([[], []]);
  });

  it('accepts a purged entry of a step', async () => {
    const rows = await rowsOf(
      database.url,
      `select max(id) as id from guardrails_audit_evidence where approval_id = ${ids.executed}`,
    );
    await retain('purge', { kind: 'entry', id: Number(rows[0]?.['id']) });
    expect(await findings()).toEqual([]);
  });
});
