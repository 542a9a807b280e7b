import { describe, expect } from '@jest/globals';
import type { SettingsChangesData } from '#contracts/settings/settings.api.js';
import type { Bench } from '../support/hosts.js';
import { put, query, under, unique, type QueryParameters } from './material.js';

export function describeSettingsChanges(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const changes = async (parameters: QueryParameters = {}): Promise<SettingsChangesData['changes']> =>
    (await bench.read<SettingsChangesData>(`/settings/changes${query(parameters)}`)).changes;

  describe('contract 6.4: GET /settings/changes', () => {
    it('shows a change with exactly these fields', async () => {
      bench.clock.set('2031-02-03T04:05:06.789Z');
      const answer = await bench.api.put(
        '/settings',
        { settings: { 'retention.days': 90 }, actor: 'somebody else' },
        { as: 'second-operator', headers: { 'x-request-id': 'asked-7' } },
      );
      expect(answer.status).toBe(200);
      expect(await changes({ limit: 1 })).toEqual([
        {
          id: expect.any(Number),
          actor_id: 'ops-2',
          key: 'retention.days',
          old_value: 365,
          new_value: 90,
          occurred_at: '2031-02-03T04:05:06.789Z',
          request_id: 'asked-7',
        },
      ]);
      await put(bench, { 'retention.days': null });
      expect(await changes({ limit: 2, key: 'retention.days' })).toMatchObject([
        { actor_id: 'ops-1', old_value: 90, new_value: 365 },
        { actor_id: 'ops-2', old_value: 365, new_value: 90 },
      ]);
    });

    itOnEachStore(
      'contract 6.2: keeps one record for each effective change of one PUT, and for each rule of the patterns',
      async () => {
        const [apple, pear] = [unique('apple'), `${unique('pear')}.green`];
        await put(bench, {
          'modes.hitl': 'monitor',
          'hitl.enabled': true,
          'input_screen.patterns': { [apple]: '/apple/i', [pear]: 'pear' },
        });
        await put(bench, { 'modes.hitl': null, 'input_screen.patterns': { [pear]: '/pears/' } });
        await put(bench, { 'input_screen.patterns': null });
        const lines = (await changes({ limit: 20 }))
          .filter(({ key }) => ['modes.hitl', apple, pear].some((name) => key.endsWith(name)))
          .map(({ key, old_value, new_value }) => `${key}: ${String(old_value)} → ${String(new_value)}`);
        expect(lines.slice(0, 1)).toEqual([`input_screen.patterns.${pear}: /pears/ → null`]);
        expect(new Set(lines.slice(1, 4))).toEqual(
          new Set([
            `input_screen.patterns.${apple}: /apple/i → null`,
            `input_screen.patterns.${pear}: /pear/i → /pears/`,
            'modes.hitl: monitor → enforce',
          ]),
        );
        expect(new Set(lines.slice(4, 7))).toEqual(
          new Set([
            `input_screen.patterns.${apple}: null → /apple/i`,
            `input_screen.patterns.${pear}: null → /pear/i`,
            'modes.hitl: enforce → monitor',
          ]),
        );
      },
    );

    it('key returns the changes of that key', async () => {
      await put(bench, { 'normalization.nfkc': false, 'normalization.casefold': false });
      await put(bench, { 'normalization.nfkc': null, 'normalization.casefold': null });
      const kept = await changes({ key: 'normalization.nfkc' });
      expect(kept.map(({ key, new_value }) => [key, new_value])).toEqual([
        ['normalization.nfkc', true],
        ['normalization.nfkc', false],
      ]);
      expect(await changes({ key: 'normalization.nfk' })).toEqual([]);
      expect(await changes({ key: 'NORMALIZATION.NFKC' })).toEqual([]);
    });

    itOnEachStore('key includes the keys below it: each rule of the patterns', async () => {
      const rule = unique('rule');
      await under(bench, { 'input_screen.patterns': { [rule]: '/apple/i' } }, async () => undefined);
      const ofRule = await changes({ key: `input_screen.patterns.${rule}` });
      expect(ofRule.map(({ old_value, new_value }) => [old_value, new_value])).toEqual([
        ['/apple/i', null],
        [null, '/apple/i'],
      ]);
      const ofRules = await changes({ key: 'input_screen.patterns', limit: 10 });
      expect(ofRules.filter(({ key }) => key.endsWith(rule))).toEqual(ofRule);
      expect(await changes({ key: 'input_screen.pattern' })).toEqual([]);
    });

    it('contract 6.2: a PUT without an effect leaves no record', async () => {
      const [newest] = await changes({ limit: 1 });
      await put(bench, { 'modes.hitl': 'enforce', 'normalization.nfkc': true });
      expect((await changes({ limit: 1 }))[0]).toEqual(newest);
    });
  });
}
