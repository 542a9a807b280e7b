import { expect } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { HoldData, HoldListData } from '#contracts/retention/holds.api.js';
import { HoldReleased, HoldSet } from '#contracts/events/operation-events.js';
import type { Answer, Call } from './support/client.js';
import { describeOnEachStore } from './support/hosts.js';

const NO_SCOPE = {
  principal_id: null,
  run_id: null,
  application: null,
  first_id: null,
  last_id: null,
  from: null,
  to: null,
};

describeOnEachStore({}, (bench) => {
  const { it, itOnEachStore } = bench;

  const list = async (query = ''): Promise<HoldListData['holds']> =>
    (await bench.read<HoldListData>(`/holds${query}`)).holds;
  const set = (body: object, call?: Call): Promise<Answer> => bench.api.post('/holds', body, call);
  const holdOf = ({ status, body }: Answer): HoldData['hold'] => {
    expect(status).toBe(200);
    return (body.data as unknown as HoldData).hold;
  };
  const codeOf = ({ status, body }: Answer): readonly unknown[] => [status, body.data.error.code];

  itOnEachStore.each([
    ['principal', { principal_id: 'customer-42' }, {}],
    ['run', { run_id: 'run-1' }, {}],
    ['application', { application: 'support' }, {}],
    ['entries', { first_id: 3, last_id: 9 }, {}],
    [
      'period',
      { from: '2026-03-01', to: '2026-03-02' },
      { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T23:59:59.999Z' },
    ],
  ])(
    'contract 8.6: POST /holds sets a hold on %s, and the actor is the caller',
    async (kind, scope, shown) => {
      const hold = holdOf(await set({ ...scope, reason: 'case 118', actor: 'somebody else' }));
      expect(hold).toEqual({
        id: expect.any(Number),
        kind,
        ...NO_SCOPE,
        ...scope,
        ...shown,
        reason: 'case 118',
        set_by: 'ops-1',
        set_at: expect.stringMatching(/^\d{4}-.*Z$/),
        released_by: null,
        released_at: null,
      });
      expect((await list('?limit=1'))[0]).toEqual(hold);
    },
  );

  itOnEachStore('contract 8.6: a hold is released once, by a recorded actor', async () => {
    const { id } = holdOf(await set({ run_id: 'run-2', reason: 'case 119' }));
    const released = holdOf(
      await bench.api.post(`/holds/${id}/release`, undefined, { as: 'second-operator' }),
    );
    expect(released).toMatchObject({ id, set_by: 'ops-1', released_by: 'ops-2' });
    const again = await bench.api.post(`/holds/${id}/release`);
    expect(codeOf(again)).toEqual([409, 'already_released']);
    expect(again.body.data.error.details).toEqual({
      released_by: 'ops-2',
      released_at: released.released_at,
    });
    expect((await list('?active=true&limit=200')).map((hold) => hold.id)).not.toContain(id);
    expect((await list('?active=false&limit=1'))[0]).toEqual(released);
    for (const unknown of ['999999', 'abc', '0'])
      expect(codeOf(await bench.api.post(`/holds/${unknown}/release`))).toEqual([404, 'not_found']);
  });

  it.each<readonly [string, object, readonly string[]]>([
    ['no scope', { reason: 'r' }, ['principal_id']],
    ['two scopes', { principal_id: 'a', run_id: 'b', reason: 'r' }, ['run_id']],
    ['half a range', { first_id: 3, reason: 'r' }, ['last_id']],
    ['a range in the wrong order', { first_id: 9, last_id: 3, reason: 'r' }, ['first_id']],
    ['a range of texts', { first_id: '3', last_id: 9, reason: 'r' }, ['first_id']],
    ['half a period', { to: '2026-03-02', reason: 'r' }, ['from']],
    ['a period in the wrong order', { from: '2026-03-03', to: '2026-03-02', reason: 'r' }, ['from']],
    ['a day that does not exist', { from: '2026-02-30', to: '2026-03-02', reason: 'r' }, ['from']],
    ['an empty name', { principal_id: '', reason: 'r' }, ['principal_id']],
    ['a name that is too long', { principal_id: 'x'.repeat(501), reason: 'r' }, ['principal_id']],
    ['a name that is no text', { principal_id: ['a'], reason: 'r' }, ['principal_id']],
    ['no reason', { principal_id: 'a' }, ['reason']],
    ['an empty reason', { principal_id: 'a', reason: '' }, ['reason']],
    ['a reason that is too long', { principal_id: 'a', reason: 'x'.repeat(1001) }, ['reason']],
    ['an unknown member', { principal: 'a', run_id: 'b', reason: 'r' }, ['principal']],
  ])('contract 8.6: refuses %s, names it, and sets nothing', async (_, body, fields) => {
    const [newest] = await list('?limit=1');
    const answer = await set(body);
    expect(codeOf(answer)).toEqual([422, 'invalid_body']);
    expect(Object.keys(answer.body.data.error.fields)).toEqual(fields);
    expect((await list('?limit=1'))[0]).toEqual(newest);
  });

  it('contract 8.6: needs an actor, and publishes events of set and released holds', async () => {
    const published: unknown[] = [];
    const emitter = bench.host.application.get(EventEmitter2, { strict: false });
    for (const { eventName } of [HoldSet, HoldReleased])
      emitter.on(
        eventName,
        (event: HoldSet | HoldReleased) => void published.push([event.name, event.hold.id]),
      );
    const scope = { application: 'shop', reason: 'case 120' };
    expect(codeOf(await set(scope, { as: 'nameless' }))).toEqual([403, 'actor_required']);
    const { id } = holdOf(await set(scope));
    expect(codeOf(await bench.api.post(`/holds/${id}/release`, undefined, { as: 'nameless' }))).toEqual([
      403,
      'actor_required',
    ]);
    holdOf(await bench.api.post(`/holds/${id}/release`));
    await bench.api.post(`/holds/${id}/release`);
    expect(published).toEqual([
      ['guardrails.hold.set', id],
      ['guardrails.hold.released', id],
    ]);
  });
});
