import { describe, expect } from '@jest/globals';
import { changesOf, type SettingsBench } from './settings-bench.js';

export function describeChanges({ bench, change, log }: SettingsBench): void {
  const { it, itOnEachStore } = bench;

  describe('contract 6.4: GET /settings/changes', () => {
    itOnEachStore('lists newest first, by cursor, limit and key', async () => {
      for (const days of [1, 2, 3]) await change({ 'retention.days': days });
      await change({ 'modes.hitl': 'monitor' });
      const page = changesOf(await bench.api.get('/settings/changes?limit=2', { as: 'reader' }));
      expect(page.changes.map(({ key, new_value }) => [key, new_value])).toEqual([
        ['modes.hitl', 'monitor'],
        ['retention.days', 3],
      ]);
      expect(page.next_cursor).toBe(page.changes[1]?.id);
      expect((await log(`?cursor=${page.next_cursor}&limit=2`)).map(({ new_value }) => new_value)).toEqual([
        2, 1,
      ]);
      expect((await log('?key=modes.hitl&limit=1'))[0]).toEqual({
        id: expect.any(Number),
        actor_id: 'ops-1',
        key: 'modes.hitl',
        old_value: 'enforce',
        new_value: 'monitor',
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        request_id: expect.any(String),
      });
      expect(await log('?key=retention.day')).toEqual([]);
      const first = await bench.api.get('/settings/changes?cursor=1');
      expect(first.body.data).toEqual({ changes: [], next_cursor: null });
    });

    itOnEachStore('filters by actor and time, with a cursor', async () => {
      bench.clock.set('2042-05-01T10:00:00.000Z');
      await change({ 'retention.days': 21 });
      bench.clock.set('2042-05-02T10:00:00.000Z');
      await change({ 'retention.days': 22 }, { as: 'second-operator' });
      await change({ 'retention.days': 23 }, { as: 'second-operator' });
      const days = async (query: string): Promise<unknown[]> =>
        (await log(query)).map(({ new_value }) => new_value);
      const within = 'from=2042-05-01&to=2042-05-02';
      expect(await days(`?${within}`)).toEqual([23, 22, 21]);
      expect(await days(`?${within}&actor=second-operator`)).toEqual([]);
      expect(await days(`?${within}&actor=ops-2`)).toEqual([23, 22]);
      expect(await days('?actor=ops-1&from=2042-05-01')).toEqual([21]);
      expect(await days('?from=2042-05-01T10:00:00Z&to=2042-05-01')).toEqual([21]);
      expect(await days('?from=2042-05-02T10:00:00.001Z')).toEqual([]);
      const first = changesOf(await bench.api.get(`/settings/changes?${within}&actor=ops-2&limit=1`));
      expect(await days(`?${within}&actor=ops-2&cursor=${first.next_cursor}`)).toEqual([22]);
    });

    it.each([
      'from=tomorrow',
      'cursor=0',
      'cursor=-1',
      'cursor=1e3',
      'cursor=01',
      'cursor=9007199254740993',
      'limit=0',
      'limit=x',
      `key=${'k'.repeat(501)}`,
    ])('contract 3.6: answers 422 to %s', async (query) => {
      const answer = await bench.api.get(`/settings/changes?${query}`);
      expect([answer.status, answer.body.data.error.code]).toEqual([422, 'invalid_query']);
      expect(Object.keys(answer.body.data.error.fields)).toEqual([query.split('=')[0]]);
    });
  });
}
