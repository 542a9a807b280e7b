import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalNotifier, type ApprovalNotice } from '#contracts/approvals/approvals.js';
import { EventSink, type DeliveredEvent } from '#contracts/events/event-sink.js';
import type { ParkedCall } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { Diagnostics } from '#engine/shared/ports.js';
import { approvalEvidence } from '#stores/contract/builders.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { decide, parkedCall, recovered, statusOf, storesDyingAt } from '../support/approvals.js';
import { bench, refundTool, TOKEN_SECRET, type Bench } from '../support/engine.js';
import { everyTable } from './every-table.js';

class Everything extends EventSink {
  override readonly name = 'everything';
  readonly delivered: DeliveredEvent[] = [];

  override async deliver(event: DeliveredEvent): Promise<void> {
    this.delivered.push(event);
  }
}

class Log extends Diagnostics {
  readonly lines: unknown[] = [];

  override warn(...line: unknown[]): void {
    this.lines.push(line);
  }
}

class Notifier extends ApprovalNotifier {
  readonly notices: ApprovalNotice[] = [];
  isDown = false;

  override notify(notice: ApprovalNotice): void {
    if (this.isDown) throw new Error(`cannot send ${JSON.stringify(notice)}`);
    this.notices.push(notice);
  }
}

let database: FreshDatabase;
let opened: StoreBackend[] = [];
let sink: Everything;
let log: Log;
let notifier: Notifier;

beforeEach(async () => {
  database = await freshDatabase();
  [sink, log, notifier] = [new Everything(), new Log(), new Notifier()];
});

afterEach(async () => {
  for (const stores of opened) await stores.close();
  opened = [];
  await database.drop();
});

/** One more instance on the same database. */
async function open(delivery: string, settings: object = {}): Promise<Bench> {
  const stores = typeormStores({ url: database.url });
  opened.push(stores);
  return bench(
    { 'hitl.enabled': true, 'hitl.token_delivery': delivery, ...settings },
    { stores, sinks: [sink], notifier, diagnostics: log, tools: [refundTool()] },
  );
}

/** Everything except what the notifier received. */
async function everythingSaid({ log: events }: Bench, ...more: unknown[]): Promise<string> {
  return JSON.stringify([await everyTable(database.url), events.events, sink.delivered, log.lines, more]);
}

const by = { actorId: 'ops-1', reason: null };

describe('a token', () => {
  it('is in no table, event, log or message to the model in `list` delivery', async () => {
    const setup = await open('list');
    const parked = await parkedCall(setup.engine, refundTool());
    const token = setup.engine.approvalService.tokenOf(parked) ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    await setup.engine.relay.deliverDue();
    const before = await everythingSaid(setup, parked);
    await setup.engine.approvalService.decide(token, 'approved', by);
    const after = await everythingSaid(setup, await parked.outcome());
    await setup.engine.relay.deliverDue();
    expect(before).toContain('guardrails.tool.parked');
    expect(after).toContain('executed');
    for (const text of [before, after]) expect(text).not.toContain(token);
    expect(notifier.notices).toMatchObject([{ approvalId: parked.approvalId, tool: 'refund', token: null }]);
  });

  it('is passed to the notifier only in `out_of_band` delivery, stored encrypted, and deleted with the decision', async () => {
    const setup = await open('out_of_band');
    notifier.isDown = true;
    const parked = await parkedCall(setup.engine, refundTool());
    expect(setup.engine.approvalService.tokenOf(parked)).toBeNull();
    await setup.engine.relay.deliverDue();
    const failed = await everythingSaid(setup, parked);
    const sealed = (await setup.stores.approvals.encryptedToken(parked.approvalId)) ?? '';
    expect(sealed).not.toBe('');

    notifier.isDown = false;
    await setup.engine.stop();
    const restarted = await open('out_of_band');
    await onServer(
      (server) => server.query('update guardrails_outbox_deliveries set due_at = now()'),
      database.url,
    );
    await restarted.engine.relay.deliverDue();
    const [notice] = notifier.notices;
    const token = notice?.token ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(notice).toMatchObject({ approvalId: parked.approvalId, arguments: { order: 'A-1182' } });
    expect(await restarted.stores.approvals.encryptedToken(parked.approvalId)).toBe(sealed);

    const decided = await restarted.engine.approvalService.decide(token, 'approved', by);
    expect(decided.status).toBe('executed');
    expect(await restarted.stores.approvals.encryptedToken(parked.approvalId)).toBeNull();
    const after = await everythingSaid(restarted, decided);
    for (const text of [failed, after]) expect(text).not.toContain(token);
    expect(after).not.toContain(sealed);
  });
});

describe('an invalid token', () => {
  it('decides nothing: wrong, truncated, longer, of another installation, or of another approval', async () => {
    const setup = await open('list');
    const parked = await parkedCall(setup.engine, refundTool());
    const token = setup.engine.approvalService.tokenOf(parked) ?? '';
    const elsewhere = await open('list', { 'hitl.token_secret': 'the secret of another install, 32 bytes' });
    const wrong = [
      '',
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      Array.from(token).toReversed().join(''),
      elsewhere.engine.approvalService.tokenOf(parked) ?? '',
      setup.engine.approvalService.tokenOf({ reference: 'another' }) ?? '',
      parked.reference,
      String(parked.approvalId),
    ];
    for (const other of wrong) {
      await expect(setup.engine.approvalService.decide(other, 'approved', by)).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect((await setup.stores.approvals.find(parked.approvalId))?.status).toBe('pending');
  });

  it('changes nothing if it is repeated after the decision, for any actor', async () => {
    const setup = await open('list');
    const parked = await parkedCall(setup.engine, refundTool());
    const token = setup.engine.approvalService.tokenOf(parked) ?? '';
    const first = await setup.engine.approvalService.decide(token, 'rejected', by);
    expect(await setup.engine.approvalService.decide(token, 'rejected', by)).toEqual(first);
    for (const [verdict, id] of [
      ['approved', 'ops-1'],
      ['rejected', 'ops-2'],
    ] as const) {
      await expect(
        setup.engine.approvalService.decide(token, verdict, { actorId: id, reason: null }),
      ).rejects.toMatchObject({ code: 'already_decided' });
    }
  });
});

describe('a backup', () => {
  const restored = (): string => `${new URL(database.url).pathname.slice(1)}_restored`;
  const urlOfRestored = (): string => database.url.replace(/[^/]+$/, restored());

  afterEach(() => onServer((server) => server.query(`drop database if exists ${restored()} with (force)`)));

  /** Restores the approvals as a dump does: other transactions write the rows. */
  async function restoreDump(): Promise<void> {
    const rows = await onServer(
      async (server) =>
        (await server.query<{ all: unknown }>('select json_agg(a) as all from guardrails_approvals a'))
          .rows[0]?.all,
      database.url,
    );
    await onServer((server) => server.query(`create database ${restored()}`));
    const stores = typeormStores({ url: urlOfRestored(), migrate: true });
    await stores.open();
    await stores.close();
    await onServer(
      (server) =>
        server.query(
          `with restored as (insert into guardrails_approvals overriding system value
             select * from json_populate_recordset(null::guardrails_approvals, $1) returning id)
           select setval(pg_get_serial_sequence('guardrails_approvals', 'id'), max(id)) from restored`,
          [JSON.stringify(rows)],
        ),
      urlOfRestored(),
    );
  }

  const restoreCopy = () =>
    onServer((server) =>
      server.query(`create database ${restored()} template ${new URL(database.url).pathname.slice(1)}`),
    );

  const tool = refundTool();

  beforeEach(() => void tool.calls.splice(0));

  /** Approves a call on an instance that stops before it runs. */
  async function approvedCall(): Promise<ParkedCall> {
    const stores = typeormStores({ url: database.url });
    const dying = await bench(
      { 'hitl.enabled': true },
      { stores: storesDyingAt(stores, 'committed approved'), tools: [tool] },
    );
    const parked = await parkedCall(dying.engine, tool);
    await expect(decide(dying.engine, parked)).rejects.toThrow('it died');
    await stores.close();
    return parked;
  }

  /** Starts an instance, which recovers approved calls. */
  async function start(url: string): Promise<Bench> {
    const stores = typeormStores({ url });
    opened.push(stores);
    const setup = await bench({ 'hitl.enabled': true }, { stores, tools: [tool] });
    await setup.engine.recovery.recover(0);
    await setup.engine.recovery.idle();
    return setup;
  }

  /** What an instance does whose caller waits for the outcome. */
  async function awaitOutcome(url: string, { approvalId }: ParkedCall): Promise<void> {
    const stores = typeormStores({ url });
    await stores.open();
    await stores.approvals.retryNotification(approvalId, 'approved', 60_000);
    await stores.close();
  }

  const unknown = { status: 'outcome_unknown', error: { code: 'restored' } };
  const approval = { verdict: 'approved', actor: 'ops-1', reason: 'It is in order.' } as const;

  it('is not assumed where somebody waits for the outcome of an approved call', async () => {
    const parked = await approvedCall();
    await awaitOutcome(database.url, parked);
    const { stores } = await start(database.url);
    expect([tool.calls.length, await statusOf(stores, parked)]).toEqual([1, 'executed']);
  });

  it.each([
    ['a dump', restoreDump],
    ['a copy of the database', restoreCopy],
  ])('restored from %s does not run a call again that ran after it', async (_, restore) => {
    const parked = await approvedCall();
    await restore();
    const before = await start(database.url);
    expect([tool.calls.length, await statusOf(before.stores, parked)]).toEqual([1, 'executed']);
    await awaitOutcome(urlOfRestored(), parked);
    const { engine, stores } = await start(urlOfRestored());
    expect(tool.calls).toHaveLength(1);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject(unknown);
    const resolution = { status: 'executed', actor: 'ops-1', reason: 'It is in the ledger.' } as const;
    expect((await engine.approvals.resolve(parked.approvalId, resolution)).status).toBe('executed');
    // Calls that are approved from now on run.
    await decide(engine, await parkedCall(engine, tool));
    expect(tool.calls).toHaveLength(2);
  });

  /** Parks calls on an instance that stops. */
  async function waitingCalls(count: number): Promise<readonly ParkedCall[]> {
    const stores = typeormStores({ url: database.url });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores, tools: [tool] });
    const parked = [];
    for (let call = 0; call < count; call++) parked.push(await parkedCall(engine, tool));
    await engine.stop();
    await stores.close();
    return parked;
  }

  it('is not assumed where an approver is reminded of a waiting call', async () => {
    const [parked] = await waitingCalls(1);
    const { engine, stores } = await start(database.url);
    await stores.approvals.remind(Number(parked?.approvalId), 'reminded', 0, approvalEvidence);
    expect((await engine.approvals.decide(Number(parked?.approvalId), approval)).status).toBe('executed');
  });

  it.each([
    ['a dump', restoreDump],
    ['a copy of the database', restoreCopy],
  ])(
    'restored from %s does not run a waiting call that was approved and ran after it',
    async (_, restore) => {
      const [first, second] = (await waitingCalls(2)).map(({ approvalId }) => approvalId);
      await restore();
      const before = await start(database.url);
      expect((await before.engine.approvals.decide(Number(first), approval)).status).toBe('executed');
      const { engine, stores } = await start(urlOfRestored());
      // Until then it waits: its approval is not known.
      expect((await stores.approvals.find(Number(first)))?.status).toBe('pending');
      expect(await engine.approvals.decide(Number(first), approval)).toMatchObject(unknown);
      const edit = { arguments: { order: 'A-2' }, actor: 'ops-2', reason: 'The other order.' };
      const edited = await engine.approvals.propose(Number(second), edit);
      expect(await engine.approvals.decide(edited.id, approval)).toMatchObject(unknown);
      expect(tool.calls).toHaveLength(1);
    },
  );

  const guide = readFileSync('docs/operate/backup.md', 'utf8');
  const [distrust = '', trust = ''] = Array.from(
    guide.matchAll(/```sql\n(update [^`]+)```/g),
    ([, step]) => step,
  );

  it('of the disk runs no call after the documented step', async () => {
    const parked = await approvedCall();
    const [waiting] = await waitingCalls(1);
    await database.run(distrust);
    const { engine, stores } = await start(database.url);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject(unknown);
    expect(await engine.approvals.decide(Number(waiting?.approvalId), approval)).toMatchObject(unknown);
    expect(tool.calls).toEqual([]);
  });

  it('that was restored while nothing ran lets waiting calls run after the documented step', async () => {
    const [waiting] = await waitingCalls(1);
    await restoreCopy();
    await onServer((server) => server.query(trust), urlOfRestored());
    const { engine } = await start(urlOfRestored());
    expect((await engine.approvals.decide(Number(waiting?.approvalId), approval)).status).toBe('executed');
  });

  it('is not assumed at once where an instance of an earlier version has approved and may be about to run the call', async () => {
    const parked = await approvedCall();
    // It records no history.
    await database.run('update guardrails_approvals set decided_in = null');
    const stores = typeormStores({ url: database.url });
    opened.push(stores);
    const { engine } = await bench({ 'hitl.enabled': true }, { stores, tools: [tool] });
    await recovered(engine);
    expect(await statusOf(stores, parked)).toBe('approved');
    await engine.recovery.recover(0);
    expect(await stores.approvals.find(parked.approvalId)).toMatchObject(unknown);
    expect(tool.calls).toEqual([]);
  });
});

describe('rotation', () => {
  const next = { 'hitl.token_secret': 'the secret after the rotation, 32 bytes' };

  it('of `hitl.token_secret` lets no call run that was parked before, and new calls wait as usual', async () => {
    const before = await open('list');
    const [parked, rejected] = [
      await parkedCall(before.engine, refundTool()),
      await parkedCall(before.engine, refundTool()),
    ];
    const token = before.engine.approvalService.tokenOf(parked) ?? '';
    const after = await open('list', next);
    const shown = after.engine.approvalService.tokenOf(parked) ?? '';
    expect(shown).not.toBe(token);
    await expect(after.engine.approvalService.decide(shown, 'approved', by)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(after.engine.approvalService.decide(token, 'approved', by)).rejects.toMatchObject({
      code: 'superseded',
    });
    expect((await decide(before.engine, rejected, 'rejected')).status).toBe('rejected');
    await recovered(after.engine);
    expect(await statusOf(after.stores, parked)).toBe('superseded');
    const again = await parkedCall(after.engine, refundTool());
    expect((await decide(after.engine, again)).status).toBe('executed');
  });

  it('of `audit_hygiene.hash_key` changes the hash of a prompt, and not the search for its principal', async () => {
    const hashes = [];
    for (const key of [TOKEN_SECRET, next['hitl.token_secret']]) {
      const hygiene = { 'audit_hygiene.prompt_storage': 'hash', 'audit_hygiene.hash_key': key };
      const { engine, stores } = await open('list', hygiene);
      await engine.guardrails.screen('hello', { principalId: 'customer-42' });
      const { entries } = await stores.audit.list({ principal_id: 'customer-42' }, { limit: 10 });
      hashes.push((await stores.audit.find(entries[0]?.id ?? 0))?.prompt);
      expect(entries).toHaveLength(hashes.length);
    }
    expect(new Set(hashes).size).toBe(2);
  });
});
