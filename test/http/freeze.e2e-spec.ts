import { EventEmitter, once } from 'node:events';
import { afterEach, expect } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { FreezeChanged } from '#contracts/events/operation-events.js';
import { EventSink, type DeliveredEvent } from '#contracts/events/event-sink.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import type { FreezeData, FreezeListData } from '#contracts/freeze/freezes.api.js';
import type { SettingsChangesData } from '#contracts/settings/settings.api.js';
import { liftByForce } from '#engine/index.js';
import { Assembly } from '#src/options/assembly.js';
import type { Answer, Call } from './support/client.js';
import { expectEnvelope } from './support/envelope.js';
import { describeOnEachStore } from './support/hosts.js';

/** Selects nothing, and still receives freezes. */
class DeafSink extends EventSink {
  override readonly name = 'deaf';
  readonly received: DeliveredEvent[] = [];

  override selects(): boolean {
    return false;
  }

  readonly emitter = new EventEmitter();

  override async deliver(event: DeliveredEvent): Promise<void> {
    this.received.push(event);
    if (event.payload['action'] === 'lift') this.emitter.emit('lift');
  }

  /** The events about the lift of a freeze, once there is one. */
  async lifts(id: number): Promise<readonly DeliveredEvent[]> {
    for (;;) {
      const found = this.received.filter(
        ({ payload }) => payload['action'] === 'lift' && payload['freeze'] === id,
      );
      if (found.length > 0) return found;
      await once(this.emitter, 'lift');
    }
  }
}

const sink = new DeafSink();
const ran: ToolArguments[] = [];
const tool = (name: string, more: object = {}) => ({
  name,
  parameters: { type: 'object', properties: { order: { type: 'string' } } },
  execute: (args: ToolArguments) => {
    ran.push(args);
    return 'done';
  },
  ...more,
});
const note = tool('note');
const refund = tool('refund', { destructive: true });
const look = tool('look', { readOnly: true });
const FROZEN = { status: 'refused', reason: 'frozen' };

describeOnEachStore(
  { settings: { 'hitl.enabled': true, 'hitl.four_eyes': true }, tools: [note, refund, look], sinks: [sink] },
  (bench) => {
    const { it, itOnEachStore } = bench;

    const list = async (query = ''): Promise<FreezeListData['freezes']> =>
      (await bench.read<FreezeListData>(`/freeze${query}`)).freezes;
    const freeze = (body: object, call?: Call): Promise<Answer> => bench.api.post('/freeze', body, call);
    const lift = (id: number | string, call: Call = { as: 'second-operator' }): Promise<Answer> =>
      bench.api.post(`/freeze/${id}/lift`, { reason: 'it is corrected' }, call);
    const dataOf = ({ status, body }: Answer): FreezeData => {
      expect(status).toBe(200);
      return body.data as unknown as FreezeData;
    };
    const codeOf = ({ status, body }: Answer): readonly unknown[] => [status, body.data.error.code];
    const engine = () => bench.host.application.get(Assembly, { strict: false }).engine;
    const call = (which: ReturnType<typeof tool>, order: string, application = 'shop') =>
      bench.host.guardrails
        .guardTool(which, { principalId: 'customer-42', application, runId: order })
        .execute({ order });

    afterEach(async () => {
      for (const { id } of await list('?active=true')) await lift(id);
      ran.length = 0;
    });

    itOnEachStore('contract 8.10: freezes and lifts, by recorded actors, and lists both', async () => {
      const body = { scope: 'tool', name: 'note', reason: 'wrong account', actor: 'somebody else' };
      const answer = await freeze(body);
      expectEnvelope(answer, 200, 'freeze');
      const { freeze: first, running, warnings } = dataOf(answer);
      expect([running, warnings]).toEqual([[], []]);
      expect(first).toEqual({
        id: expect.any(Number),
        scope: 'tool',
        name: 'note',
        reason: 'wrong account',
        frozen_by: 'ops-1',
        frozen_at: expect.stringMatching(/^\d{4}-.*Z$/),
        lifted_by: null,
        lifted_at: null,
        lift_reason: null,
        announced: true,
      });
      const { freeze: second } = dataOf(await freeze({ scope: 'all', reason: 'all of it' }));
      expect(second.id).toBeGreaterThan(first.id);
      expect((await list('?limit=2')).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await bench.read('/freeze?limit=1')).toMatchObject({ next_cursor: second.id });
      expect((await list(`?limit=1&cursor=${second.id}`))[0]).toEqual(first);

      const again = await freeze({ scope: 'tool', name: 'note', reason: 'once more' });
      expect(codeOf(again)).toEqual([409, 'already_frozen']);
      expect(again.body.data.error.details).toMatchObject({ id: first.id, frozen_by: 'ops-1' });

      const lifted = dataOf(await lift(first.id)).freeze;
      expect(lifted).toMatchObject({
        ...first,
        lifted_by: 'ops-2',
        lift_reason: 'it is corrected',
        lifted_at: expect.any(String),
      });
      expect(codeOf(await lift(first.id))).toEqual([409, 'already_lifted']);
      expect((await list('?active=true')).map(({ id }) => id)).toEqual([second.id]);
      expect((await list('?active=false&limit=1'))[0]).toEqual(lifted);
      const { changes } = await bench.read<SettingsChangesData>(`/settings/changes?key=freeze.${first.id}`);
      expect(changes.map(({ actor_id, old_value, new_value }) => [actor_id, old_value, new_value])).toEqual([
        ['ops-2', first, lifted],
        ['ops-1', null, first],
      ]);
    });

    it.each<readonly [string, object, readonly string[]]>([
      ['no scope', { reason: 'r' }, ['scope']],
      ['an unknown scope', { scope: 'run', name: 'r', reason: 'r' }, ['scope']],
      ['a name with scope all', { scope: 'all', name: 'note', reason: 'r' }, ['name']],
      ['no name of the tool', { scope: 'tool', reason: 'r' }, ['name']],
      ['an empty name', { scope: 'application', name: '', reason: 'r' }, ['name']],
      ['a name that is no text', { scope: 'tool', name: 7, reason: 'r' }, ['name']],
      ['no reason', { scope: 'all' }, ['reason']],
      ['a blank reason', { scope: 'all', reason: ' ' }, ['reason']],
      ['an unknown member', { scope: 'all', reason: 'r', hours: 2 }, ['hours']],
    ])('contract 8.10: refuses %s, names it, and freezes nothing', async (_, body, fields) => {
      const answer = await freeze(body);
      expect(codeOf(answer)).toEqual([422, 'invalid_body']);
      expect(Object.keys(answer.body.data.error.fields)).toEqual(fields);
      expect(await list('?active=true')).toEqual([]);
      expect(await call(note, 'free')).toMatchObject({ status: 'executed' });
    });

    it('contract 8.10: warns of a tool that this instance does not know, and still freezes it', async () => {
      const { warnings } = dataOf(await freeze({ scope: 'tool', name: 'nto', reason: 'a typing error' }));
      expect(warnings).toEqual([expect.stringContaining('knows no tool of this name')]);
    });

    it('contract 8.10: checks rights before the body, and the id after it', async () => {
      expect(codeOf(await freeze({}, { as: 'reader' }))).toEqual([403, 'forbidden']);
      expect(codeOf(await freeze({}, { as: 'nameless' }))).toEqual([403, 'actor_required']);
      expect(codeOf(await lift('abc', { as: 'reader' }))).toEqual([403, 'forbidden']);
      expect(codeOf(await bench.api.post('/freeze/abc/lift', {}))).toEqual([422, 'invalid_body']);
      for (const id of ['abc', '0', '999999']) expect(codeOf(await lift(id))).toEqual([404, 'not_found']);
      expect((await bench.api.get('/freeze', { as: 'reader' })).status).toBe(200);
    });

    it('contract 8.10: with four eyes another person has to lift', async () => {
      const { id } = dataOf(await freeze({ scope: 'all', reason: 'r' })).freeze;
      const own = await lift(id, {});
      expect(codeOf(own)).toEqual([409, 'self_lift']);
      expect(await call(note, 'own')).toMatchObject(FROZEN);
      dataOf(await lift(id));
      expect(await call(note, 'own')).toMatchObject({ status: 'executed' });
    });

    itOnEachStore.each([
      ['all tools', { scope: 'all' }, ['note', 'look', 'refund', 'note of the bank']],
      ['one tool', { scope: 'tool', name: 'note' }, ['note', 'note of the bank']],
      ['one application', { scope: 'application', name: 'bank' }, ['note of the bank']],
    ] as const)(
      'contract 8.10: a freeze of %s refuses its calls, with evidence',
      async (_, scope, stopped) => {
        const { id } = dataOf(await freeze({ ...scope, reason: 'r' })).freeze;
        const outcomes = {
          note: await call(note, 'stopped'),
          look: await call(look, 'stopped'),
          refund: await call(refund, 'stopped'),
          'note of the bank': await call(note, 'stopped', 'bank'),
        };
        for (const [name, outcome] of Object.entries(outcomes))
          expect([name, outcome.status === 'refused' && outcome.reason === 'frozen']).toEqual([
            name,
            (stopped as readonly string[]).includes(name),
          ]);
        expect(outcomes['note of the bank'].message).toBe(
          'The call was refused because an operator has stopped this tool. Do not try again now.',
        );
        const { entries } = await bench.read<{ readonly entries: readonly object[] }>(
          `/audit?control=tool_firewall&rule_id=freeze.${id}`,
        );
        expect(entries).toHaveLength(stopped.length);
        expect(entries[0]).toMatchObject({ outcome: 'blocked', tool: 'note', mode: 'enforce' });
        const rejections = await bench.read<{ readonly entries: readonly object[] }>('/firewall?limit=1');
        expect(rejections.entries[0]).toMatchObject({
          violations: { '(freeze)': 'an operator froze it' },
          enforced: true,
        });
      },
    );

    it.each([
      [{ 'modes.tool_firewall': 'monitor', 'modes.hitl': 'off' }],
      [{ 'modes.tool_firewall': 'off', 'hitl.enabled': false }],
    ])('contract 8.10: a freeze stops tools with %j', async (settings) => {
      await bench.api.put('/settings', { settings });
      dataOf(await freeze({ scope: 'all', reason: 'r' }));
      expect(await call(note, 'monitored')).toMatchObject(FROZEN);
      expect(ran).toEqual([]);
      await bench.api.put('/settings', {
        settings: Object.fromEntries(Object.keys(settings).map((key) => [key, null])),
      });
    });

    itOnEachStore('contract 8.10: an approved call waits for the lift, and then runs once', async () => {
      bench.clock.setToNow();
      const parked = await call(refund, 'A-17');
      expect(parked.status).toBe('parked');
      const { id } = dataOf(await freeze({ scope: 'tool', name: 'refund', reason: 'r' })).freeze;
      const { pending } = await bench.read<{
        readonly pending: readonly { readonly token: string; readonly approval_id: number }[];
      }>('/approvals');
      const { token = '', approval_id = 0 } =
        pending.find(({ approval_id: own }) => own === parked.approvalId) ?? {};
      const decided = await bench.api.post(`/approvals/${token}/approve`, undefined, {
        as: 'second-operator',
      });
      expect([decided.status, decided.body.data['status']]).toEqual([200, 'approved']);
      const again = bench.host.guardrails.guardTool(
        refund,
        { principalId: 'customer-42', application: 'shop', runId: 'A-17' },
        { resumes: true },
      );
      expect(await again.execute({ order: 'A-17' })).toMatchObject({
        status: 'parked',
        approvalId: approval_id,
      });
      await engine().recovery.recover(0);
      await engine().recovery.recover(0);
      expect(ran).toEqual([]);
      expect(await bench.stores.approvals.find(approval_id)).toMatchObject({ status: 'approved', fence: 0 });
      dataOf(await lift(id));
      const ended = bench.host.guardrails.approvalOutcome(approval_id);
      await Promise.all([engine().recovery.recover(0), engine().recovery.recover(0)]);
      expect(await ended).toMatchObject({ status: 'executed' });
      expect(ran).toEqual([{ order: 'A-17' }]);
    });

    itOnEachStore(
      'contract 8.10: a lift by force is recorded as break_glass, and sent once to every sink',
      async () => {
        const published: unknown[] = [];
        bench.host.application
          .get(EventEmitter2, { strict: false })
          .on(
            FreezeChanged.eventName,
            ({ freeze: { lifted_by } }: FreezeChanged) => void published.push(lifted_by),
          );
        const { id } = dataOf(await freeze({ scope: 'all', reason: 'r' })).freeze;
        sink.received.length = 0;
        await liftByForce(bench.stores.settings, id, 'nobody else is there', bench.clock.now());
        await engine().refresh();
        await engine().refresh();
        expect((await list())[0]).toMatchObject({ id, lifted_by: 'break_glass', announced: true });
        expect(await call(note, 'after force')).toMatchObject({ status: 'executed' });
        expect(published).toEqual([null, 'break_glass']);
        const lifts = await sink.lifts(id);
        expect(lifts.map(({ name, payload }) => [name, payload])).toEqual([
          [
            'guardrails.freeze.changed',
            { freeze: id, action: 'lift', scope: 'all', freeze_name: null, actor_id: 'break_glass' },
          ],
        ]);
      },
    );

    it('contract 8.10: GET /overview shows the freezes in force, and whether anything is guarded', async () => {
      expect(await bench.read('/overview')).toMatchObject({ enabled: true, freezes: [] });
      const { freeze: standing } = dataOf(await freeze({ scope: 'all', reason: 'r' }));
      expect(await bench.read('/overview')).toMatchObject({ freezes: [standing] });
    });
  },
);
