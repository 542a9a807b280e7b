import { beforeAll, describe, expect } from '@jest/globals';
import type { AuditFacetsData, AuditTrendData } from '#contracts/audit/counts.js';
import type { AuditListData } from '#contracts/audit/entry.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { INJECTION, keep, query, unique, type QueryParameters } from './material.js';

const zeros = (date: string): AuditTrendData['points'][number] => ({
  date,
  total: 0,
  blocked: 0,
  allowed: 0,
  observed: 0,
});

export function describeAuditTrend(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const trend = (parameters: QueryParameters): Promise<AuditTrendData> =>
    bench.read<AuditTrendData>(`/audit/trend${query(parameters)}`);

  describe('GET /audit/facets', () => {
    const facets = (parameters: QueryParameters): Promise<AuditFacetsData> =>
      bench.read<AuditFacetsData>(`/audit/facets${query(parameters)}`);

    itOnEachStore('contract 5: counts the values of a field under the filters of the list', async () => {
      const application = unique('shop');
      await keep(bench, [
        decision({ application, ruleId: 'one', outcome: 'blocked' }),
        decision({ application, ruleId: 'one' }),
        decision({ application, ruleId: null }),
        decision({ application, control: 'hitl', tool: 'refund' }),
      ]);
      const values = [
        { value: 'one', count: 2 },
        { value: null, count: 1 },
      ];
      expect(await facets({ application })).toEqual({ field: 'rule_id', values });
      expect(await facets({ application, field: 'tool', control: 'hitl', shop: '1' })).toEqual({
        field: 'tool',
        values: [{ value: 'refund', count: 1 }],
        ignored: ['shop'],
      });
    });
  });

  describe('contract 5: GET /audit/trend', () => {
    itOnEachStore('shows the last 30 UTC days by default, empty ones as zeros', async () => {
      const application = unique('shop');
      bench.clock.set('2031-03-01T00:00:00.000Z');
      await bench.host.guardrails.screen(INJECTION, { application });
      const shown = await trend({ application });
      expect(shown).toMatchObject({ from: '2031-01-31T00:00:00.000Z', to: '2031-03-01T23:59:59.999Z' });
      expect(shown.points).toHaveLength(30);
      expect(shown.points.slice(0, 2)).toEqual([zeros('2031-01-31'), zeros('2031-02-01')]);
      expect(shown.points.slice(27)).toEqual([
        zeros('2031-02-27'),
        zeros('2031-02-28'),
        { date: '2031-03-01', total: 1, blocked: 1, allowed: 0, observed: 0 },
      ]);
      expect(Object.keys(shown)).toEqual(['from', 'to', 'points']);
    });

    itOnEachStore('with by, shows one series for each value, without empty points', async () => {
      const application = unique('shop');
      const at = (occurredAt: string, ruleId: string | null) =>
        decision({ application, ruleId, outcome: 'blocked', occurredAt: new Date(occurredAt) });
      await keep(bench, [
        at('2026-02-27T10:00:00.000Z', 'one'),
        at('2026-02-28T10:00:00.000Z', 'one'),
        at('2026-02-28T11:00:00.000Z', null),
      ]);
      const { points, series } = await trend({
        application,
        from: '2026-02-26',
        to: '2026-02-28',
        by: 'rule_id',
      });
      const day = (date: string) => ({ date, total: 1, blocked: 1, allowed: 0, observed: 0 });
      expect(points).toHaveLength(3);
      expect(series).toEqual([
        { value: 'one', points: [day('2026-02-27'), day('2026-02-28')] },
        { value: null, points: [day('2026-02-28')] },
      ]);
    });

    it('contract 3.6: refuses an unknown group', async () => {
      const answer = await bench.api.get('/audit/trend?by=tool');
      expect([answer.status, Object.keys(answer.body.data.error.fields)]).toEqual([422, ['by']]);
    });

    itOnEachStore(
      'counts each decision on its UTC day; total = blocked + allowed, observed ≤ allowed',
      async () => {
        const application = unique('shop');
        const at = (occurredAt: string, outcome: 'allowed' | 'observed' | 'blocked') =>
          decision({ application, outcome, occurredAt: new Date(occurredAt) });
        await keep(bench, [
          at('2026-02-27T23:59:59.999Z', 'blocked'),
          at('2026-02-28T00:00:00.000Z', 'observed'),
          at('2026-02-28T12:00:00.000Z', 'allowed'),
          at('2026-02-28T23:59:59.999Z', 'blocked'),
          at('2026-03-01T00:00:00.000Z', 'allowed'),
        ]);
        expect(await trend({ application, from: '2026-02-27', to: '2026-03-02' })).toEqual({
          from: '2026-02-27T00:00:00.000Z',
          to: '2026-03-02T23:59:59.999Z',
          points: [
            { date: '2026-02-27', total: 1, blocked: 1, allowed: 0, observed: 0 },
            { date: '2026-02-28', total: 3, blocked: 1, allowed: 2, observed: 1 },
            { date: '2026-03-01', total: 1, blocked: 0, allowed: 1, observed: 0 },
            zeros('2026-03-02'),
          ],
        });
        const part = await trend({
          application,
          from: '2026-02-28T12:00:00.001Z',
          to: '2026-02-28T23:59:59.999Z',
        });
        expect(part.points).toEqual([{ date: '2026-02-28', total: 1, blocked: 1, allowed: 0, observed: 0 }]);
      },
    );

    itOnEachStore('counts each decision in its UTC hour', async () => {
      const application = unique('shop');
      const at = (time: string, outcome: 'allowed' | 'blocked') =>
        decision({ application, outcome, occurredAt: new Date(`2026-02-28T${time}Z`) });
      await keep(bench, [
        at('09:59:59.999', 'blocked'),
        at('10:00:00.000', 'allowed'),
        at('10:59:59.999', 'blocked'),
        at('12:30:00.000', 'blocked'),
      ]);
      const points = async (parameters: QueryParameters) =>
        (await trend({ application, bucket: 'hour', ...parameters })).points.map(
          ({ date, total, blocked }) => [date.slice(11, 16), total, blocked],
        );
      const range = { from: '2026-02-28T09:00Z', to: '2026-02-28T12:29:59.999Z' };
      const expected = [
        ['09:00', 1, 1],
        ['10:00', 2, 1],
        ['11:00', 0, 0],
        ['12:00', 0, 0],
      ];
      expect(await points(range)).toEqual(expected);
      expect(await points({ ...range, q: 'hello' })).toEqual(expected);
      expect(await points({ ...range, from: '2026-02-28T10:30Z', blocked: '1' })).toEqual([
        ['10:00', 1, 1],
        ['11:00', 0, 0],
        ['12:00', 0, 0],
      ]);
      const month = await trend({ bucket: 'hour', from: '2026-01-01', to: '2026-02-28' });
      expect(month.points).toHaveLength(31 * 24);
      expect(month.points[0]?.date).toBe('2026-01-29T00:00:00.000Z');
    });

    it.each([
      { range: { from: '2020-01-01', to: '2024-12-31' }, first: '2024-01-01', last: '2024-12-31', days: 366 },
      { range: { from: '2023-12-31', to: '2024-12-31' }, first: '2024-01-01', last: '2024-12-31', days: 366 },
      { range: { from: '2024-01-01', to: '2024-12-31' }, first: '2024-01-01', last: '2024-12-31', days: 366 },
      { range: { from: '0001-01-01', to: '9999-12-31' }, first: '9998-12-31', last: '9999-12-31', days: 366 },
      { range: { from: '2024-02-28', to: '2024-03-01' }, first: '2024-02-28', last: '2024-03-01', days: 3 },
      {
        range: { from: '2026-05-02T23:59:59.999Z', to: '2026-05-03T00:00Z' },
        first: '2026-05-02',
        last: '2026-05-03',
        days: 2,
      },
      { range: { to: '2026-05-03T10:00' }, first: '2026-04-04', last: '2026-05-03', days: 30 },
      { range: { to: '0001-01-02' }, first: '0001-01-01', last: '0001-01-02', days: 2 },
    ])('$range is $days days with the requested end', async ({ range, first, last, days }) => {
      const { points } = await trend(range);
      expect(points).toHaveLength(days);
      expect([points[0]?.date, points.at(-1)?.date]).toEqual([first, last]);
      expect(new Set(points.map(({ date }) => date)).size).toBe(days);
    });

    it('a window with only `from` ends today, and a future `from` gives one day', async () => {
      bench.clock.set('2026-05-03T10:00:00.000Z');
      expect(await trend({ from: '2026-05-01T09:00Z' })).toMatchObject({
        from: '2026-05-01T09:00:00.000Z',
        to: '2026-05-03T23:59:59.999Z',
      });
      const future = await trend({ from: '2027-01-01' });
      expect(future.points).toEqual([zeros('2027-01-01')]);
    });

    describe('contract 5: filters', () => {
      const scope = unique('shop');
      const principal = unique('customer');
      const range = { from: '2026-04-01', to: '2026-04-10' };

      beforeAll(async () => {
        const outcomes = ['allowed', 'observed', 'blocked'] as const;
        await keep(
          bench,
          Array.from({ length: 60 }, (_, index) =>
            decision({
              application: index % 6 === 5 ? unique('other') : scope,
              control: CONTROL_KEYS[index % 4] ?? 'hitl',
              outcome: outcomes[index % 3] ?? 'allowed',
              ruleId: index % 5 < 2 ? 'role_override' : null,
              principalId: index % 7 < 4 ? principal : null,
              prompt: index % 2 === 0 ? 'needle' : 'hay',
              occurredAt: new Date(Date.UTC(2026, 3, 1 + (index % 12), index % 24)),
            }),
          ),
        );
      });

      itOnEachStore.each([
        {},
        { control: 'all' },
        { control: 'hitl' },
        { blocked: 'true' },
        { blocked: 'false', control: 'all' },
        { outcome: 'observed', control: 'all' },
        { rule_id: 'role_override', control: 'all' },
        { principal_id: principal, control: 'all' },
        { q: 'NEEDLE', control: 'all' },
        { q: 'needle', principal_id: principal, blocked: '1', control: 'all' },
        { from: '2026-04-03T05:00Z', control: 'all' },
        { from: '2026-04-03', to: '2026-04-04T10:00Z', control: 'all' },
      ])('%j counts the rows that the list shows under the same filters', async (filter) => {
        const parameters = { application: scope, ...range, ...filter };
        const { points } = await trend(parameters);
        const { entries } = await bench.read<AuditListData>(`/audit${query({ ...parameters, limit: 200 })}`);
        for (const point of points) {
          const rows = entries.filter(({ occurred_at }) => occurred_at.startsWith(point.date));
          const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
          expect(point).toEqual({
            date: point.date,
            total: rows.length,
            blocked: count('blocked'),
            allowed: count('allowed') + count('observed'),
            observed: count('observed'),
          });
        }
        expect(points.reduce((sum, { total }) => sum + total, 0)).toBe(entries.length);
      });

      it('ignores cursor and limit', async () => {
        const parameters = { application: scope, ...range };
        expect(await trend({ ...parameters, cursor: 'abc', limit: '-1' })).toEqual({
          ...(await trend(parameters)),
          ignored: ['cursor', 'limit'],
        });
      });
    });
  });
}
