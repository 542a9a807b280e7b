import { describe, expect } from '@jest/globals';
import type { Call } from '../support/client.js';
import type { SettingsBench } from './settings-bench.js';

export function describeActor({ bench, published, put, log }: SettingsBench): void {
  const { it } = bench;

  describe('contract 6.3: the actor', () => {
    it.each<readonly [string, Call & { readonly path?: string; readonly body?: unknown }]>([
      ['in the body', { body: { settings: { 'retention.days': 2 }, actor: 'mallory', actor_id: 'mallory' } }],
      ['as an object in the body', { body: { settings: { 'retention.days': 2 }, actorId: 'mallory' } }],
      ['in the query', { path: '/settings?actor=mallory&actor_id=mallory&user=mallory' }],
      [
        'in a header',
        { headers: { actor: 'mallory', 'x-actor': 'mallory', 'x-user-id': 'mallory', from: 'mallory' } },
      ],
    ])(
      'is ignored if the client sends it %s',
      async (_, { path = '/settings', body = { settings: { 'retention.days': 2 } }, ...call }) => {
        const answer = await bench.api.put(path, body, call);
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain('mallory');
        expect(published[0]?.actorId).toBe('ops-1');
        expect((await log('?limit=1'))[0]).toMatchObject({ actor_id: 'ops-1', new_value: 2 });
      },
    );

    it('contract 6.3, 2.3: refuses the PUT without a store call if it cannot be derived', async () => {
      const calls = await bench.stores.callsDuring(async () => {
        const answer = await put({ 'retention.days': 2 }, { as: 'nameless' });
        expect([answer.status, answer.body.data.error.code]).toEqual([403, 'actor_required']);
        expect((await put({ 'retention.days': 2 }, { as: 'reader' })).body.data.error.code).toBe('forbidden');
        expect((await put({ 'retention.days': 2 }, { as: null })).body.data.error.code).toBe(
          'unauthenticated',
        );
      });
      expect(calls).toEqual([]);
      expect(published).toEqual([]);
    });

    it('is required only for writes', async () => {
      for (const path of ['/settings', '/settings/changes', '/overview', '/approvals']) {
        expect((await bench.api.get(path, { as: 'nameless' })).status).toBe(200);
      }
    });
  });
}
