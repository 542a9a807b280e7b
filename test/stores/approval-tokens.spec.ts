import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalNotifier, type ApprovalNotice } from '#contracts/approvals.js';
import { EventSink, type DeliveredEvent } from '#contracts/event-sink.js';
import type { StoreBackend } from '#contracts/store-backend.js';
import { Diagnostics } from '#engine/ports.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { parkedCall } from '../support/approvals.js';
import { bench, refundTool, type Bench } from '../support/engine.js';
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
