import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tool } from '#contracts/firewall/firewall.js';
import { digestOf } from '#engine/json/plain-json.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer } from '../postgres/database.js';
import { aRun, decide, parkedCall, recordWarnings, statusOf, storesDyingAt } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';

const STOLEN = { order: 'B-1', customer_id: 'customer-42' };
const tool = refundTool({ describe: ({ order }, say) => say`Refund ${order}` });
const look = refundTool({ name: 'look' });
const instances: Bench[] = [];

const database = await freshDatabase();
const setup = await open();
const stores = setup.stores;

beforeEach(() => {
  tool.calls.length = 0;
  look.calls.length = 0;
});

afterAll(async () => {
  for (const { engine, stores: opened } of instances) {
    await engine.stop();
    await opened.close();
  }
  await database.drop();
});

async function open(options: Parameters<typeof bench>[1] = {}, settings: object = {}): Promise<Bench> {
  const backend = typeormStores({ url: database.url });
  const instance = await bench(
    { 'hitl.enabled': true, ...settings },
    { stores: backend, tools: [tool, look], ...options },
  );
  instances.push(instance);
  return instance;
}

/** Bypasses all triggers, as an administrator of the database could. */
async function tamper(statement: string, parameters: readonly unknown[] = []): Promise<void> {
  await onServer(async (server) => {
    await server.query('set session_replication_role = replica');
    await server.query(statement, [...parameters]);
  }, database.url);
}

function change(id: number, what: string, ...values: readonly unknown[]): Promise<void> {
  return tamper(`update guardrails_approvals set ${what} where id = $1`, [id, ...values]);
}

const BAD_TEXTS = [
  ['is not JSON', '{"order'],
  ['is not an object', '["B-1"]'],
  ['has no canonical form', String.raw`{"order":"\ud800"}`],
  ['is nested too deeply', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
] as const;

describe('an approval that is changed in the database between parking and running', () => {
  it.each<readonly [string, string, ...unknown[]]>([
    ['the arguments', 'arguments = $2', JSON.stringify(STOLEN)],
    [
      'the arguments and their digest',
      'arguments = $2, arguments_digest = $3',
      JSON.stringify(STOLEN),
      digestOf(STOLEN),
    ],
    ...BAD_TEXTS.map(([why, text]) => [`arguments: what ${why}`, 'arguments = $2', text] as const),
    ['the schema', `tool_fingerprint = repeat('f', 64)`],
    ['the tool', `tool = 'look'`],
    ['the requester', `principal_id = 'customer-7'`],
    ['the missing requester', 'principal_id = null'],
    ['the policy', `policy_revision = repeat('0', 16)`],
    ['the warnings', `warnings = 'none'`],
    ['the risks', `risk = '[{"name":"new_recipient","text":""}]'`],
    ['the headline', `headline = '["Refund 1 euro"]'`],
    ['the missing headline', 'headline = null'],
    [
      'the required approvers',
      `requirement = '{"rule":null,"approvers":0,"group":null,"isReasonRequired":false}'`,
    ],
    ['the request', `requested_arguments = '{"order":"A-1"}'`],
    ['the overwritten owner keys', `overwritten = '[{"path":"/order","from":1,"to":2}]'`],
    ['the editors', `editors = '["ops-9"]'`],
  ])('is superseded, and does not run: %s', async (_, ...what) => {
    const parked = await parkedCall(setup.engine, tool);
    await change(parked.approvalId, ...what);
    await expect(decide(setup.engine, parked)).rejects.toMatchObject({ code: 'superseded' });
    expect([tool.calls, look.calls, await statusOf(stores, parked)]).toEqual([[], [], 'superseded']);
  });

  it.each([
    ['the owner keys', 'tool_firewall.owner_keys', '["order"]'],
    ['the policy', 'modes.tool_firewall', '"monitor"'],
  ])('is superseded, and does not run: %s, in the settings', async (_, key, value) => {
    const parked = await parkedCall(setup.engine, tool);
    await tamper(`insert into guardrails_settings ("key", value) values ($1, $2)`, [key, value]);
    await tamper('update guardrails_settings_revision set revision = revision + 1');
    await setup.engine.refresh();
    await expect(decide(setup.engine, parked)).rejects.toMatchObject({ code: 'superseded' });
    await tamper('delete from guardrails_settings');
    await tamper('update guardrails_settings_revision set revision = revision + 1');
    await setup.engine.refresh();
    expect([tool.calls, await statusOf(stores, parked)]).toEqual([[], 'superseded']);
    expect((await decide(setup.engine, await parkedCall(setup.engine, tool))).status).toBe('executed');
  });
});

describe('a completed transition', () => {
  it.each([
    ['of a call that has run', 'approved', `status = 'approved', fence = 0, lease_until = null`],
    ['of a call that was rejected', 'rejected', `status = 'pending', decision = null`],
    ['to extend the time to decide', null, `expires_at = expires_at + interval '1 day'`],
  ] as const)('cannot be reversed with the right to write alone: %s', async (_, verdict, what) => {
    const parked = await parkedCall(setup.engine, tool);
    if (verdict !== null) await decide(setup.engine, parked, verdict);
    const before = await stores.approvals.find(parked.approvalId);
    const written = onServer(
      (server) => server.query(`update guardrails_approvals set ${what} where id = $1`, [parked.approvalId]),
      database.url,
    );
    await expect(written).rejects.toThrow(/keeps what was decided/);
    expect(await stores.approvals.find(parked.approvalId)).toEqual(before);
  });

  it('cannot be reversed with functions that replace those of PostgreSQL', async () => {
    const parked = await parkedCall(setup.engine, tool);
    await decide(setup.engine, parked);
    const written = onServer(async (server) => {
      await server.query('begin');
      for (const text of ['text', 'varchar'])
        await server.query(`create function public.concat(${text}, text, ${text}) returns text language sql
          as $$ select 'pending approved' $$`);
      await server.query('set local search_path = public, pg_catalog');
      await server.query(`update guardrails_approvals set status = 'approved' where id = $1`, [
        parked.approvalId,
      ]);
    }, database.url);
    await expect(written).rejects.toThrow(/keeps what was decided/);
    expect(await statusOf(stores, parked)).toBe('executed');
  });
});

describe('an unreadable row', () => {
  const SPOILED = `arguments = '{', warnings = '{', result = '{', error = '{', expires_at = 'infinity'`;

  it('appears in lists with a warning, and does not hide other rows', async () => {
    const [spoiled, neighbour] = [await parkedCall(setup.engine, tool), await parkedCall(setup.engine, tool)];
    await change(spoiled.approvalId, SPOILED);
    const { entries } = await stores.approvals.pending({ limit: 2 });
    const [good, bad] = entries;
    expect(entries.map(({ id }) => id)).toEqual([neighbour.approvalId, spoiled.approvalId]);
    expect(bad).toMatchObject({ arguments: null, result: null, error: null });
    expect(bad?.expiresAt.toISOString()).toBe('+275760-09-13T00:00:00.000Z');
    expect(
      [good, bad].map((one) => one && setup.engine.approvalService.rules.warningsOf(one).length),
    ).toEqual([0, 2]);
    expect((await decide(setup.engine, neighbour)).status).toBe('executed');
    expect((await decide(setup.engine, spoiled, 'rejected')).status).toBe('rejected');
    expect((await stores.approvals.history({}, { limit: 5 })).entries).toHaveLength(5);
  });

  it('has an unknown outcome, and does not stop the recovery of other rows', async () => {
    const dying = await open({ stores: storesDyingAt(stores, 'committed approved') });
    const left = [];
    for (let count = 0; count < 3; count++) {
      const parked = await parkedCall(dying.engine, tool);
      await expect(decide(dying.engine, parked)).rejects.toThrow('it died');
      left.push(parked);
    }
    await change(left[1]?.approvalId ?? 0, SPOILED);
    await setup.engine.recovery.recover(0);
    await setup.engine.recovery.idle();
    expect(await Promise.all(left.map((parked) => statusOf(stores, parked)))).toEqual([
      'executed',
      'outcome_unknown',
      'executed',
    ]);
    expect(tool.calls).toHaveLength(2);
  });

  it('holds its notification until the lease ends, and does not hide other outcomes', async () => {
    await tamper('update guardrails_approvals set notified_at = clock_timestamp()');
    const { diagnostics, warnings } = recordWarnings();
    const { engine } = await open({ diagnostics });
    const received: number[] = [];
    const unreadable = await parkedCall(engine, tool);
    const readable = await parkedCall(engine, tool);
    for (const parked of [unreadable, readable]) await decide(engine, parked, 'rejected');
    await change(unreadable.approvalId, UNNOTIFIED);
    await change(readable.approvalId, UNNOTIFIED);
    engine.guardrails.onApprovalOutcome(({ approvalId }) => void received.push(approvalId));
    const notified = async () => {
      await engine.outcomeNotifier.deliverDue();
      await engine.outcomeNotifier.idle();
      return received;
    };

    await withUnreadable(unreadable.approvalId, async () => {
      expect(await notified()).toEqual([readable.approvalId]);
      expect(await notified()).toEqual([readable.approvalId]);
      expect(warnings).toHaveLength(1);
    });
    expect(await notified()).toEqual([readable.approvalId]);
    await change(unreadable.approvalId, `notify_lease_until = clock_timestamp()`);
    expect(await notified()).toEqual([readable.approvalId, unreadable.approvalId]);
  });

  const UNNOTIFIED = 'notified_at = null, notify_lease_until = null';

  /** Reading the result of the row fails, as with a damaged page of the table. */
  async function withUnreadable(id: number, work: () => Promise<void>): Promise<void> {
    await onServer(async (server) => {
      const { rows } = await server.query<{ columns: string }>(
        `select string_agg(attname, ', ') as columns from pg_attribute
          where attrelid = 'guardrails_approvals'::regclass and attnum > 0 and not attisdropped
          and attname <> 'result'`,
      );
      await server.query('alter table guardrails_approvals rename to intact_approvals');
      await server.query(`create view guardrails_approvals as select xmin, tableoid, ${rows[0]?.columns},
        case id when ${id} then (1 / (id - id))::text else result end as result from intact_approvals`);
    }, database.url);
    try {
      await work();
    } finally {
      await tamper('drop view guardrails_approvals');
      await tamper('alter table intact_approvals rename to guardrails_approvals');
    }
  }
});

describe('the pending calls of a principal', () => {
  /** Expires the calls of the principal directly after the statement that frees the keys of overdue calls. */
  async function endingMeanwhile(principalId: string, work: () => Promise<void>): Promise<void> {
    await onServer(async (server) => {
      await server.query(`
        create function end_meanwhile() returns trigger language plpgsql as $$ begin
          if pg_trigger_depth() = 1 then
            update guardrails_approvals set expires_at = clock_timestamp() - interval '1 s'
            where principal_id = '${principalId}' and expires_at > clock_timestamp() + interval '50 minutes';
          end if;
          return null;
        end $$`);
      await server.query(`
        create trigger end_meanwhile after update on guardrails_approvals
        for each statement execute function end_meanwhile()`);
    }, database.url);
    try {
      await work();
    } finally {
      await tamper('drop function end_meanwhile() cascade');
    }
  }

  it.each<readonly [string, string, boolean]>([
    ['take no slot', 'customer-1', false],
    ['are not returned as duplicates', 'customer-2', true],
  ])('%s if they expire while another call is parked', async (_, principalId, isTwin) => {
    const { engine } = await open({}, { 'hitl.max_open_per_principal': 1 });
    const call: Tool = refundTool();
    const context = { ...aRun(), principalId };
    const first = await parkedCall(engine, call, { order: 'A-1' }, context);
    await endingMeanwhile(principalId, async () => {
      const second = await parkedCall(engine, call, { order: isTwin ? 'A-1' : 'A-2' }, context);
      expect(second.approvalId).not.toBe(first.approvalId);
    });
  });
});
