import { beforeAll, describe, expect } from '@jest/globals';
import type { FirewallListData, FirewallReasonsData } from '#contracts/firewall/firewall.api.js';
import type { NewRejection } from '#contracts/firewall/firewall.js';
import { newRejection, refusal } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { keep, lookup, query, refund, under, unique, type QueryParameters } from './material.js';

type Filter = readonly [value: string, keeps: (row: NewRejection) => boolean];

export function describeFirewall(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const list = (parameters: QueryParameters): Promise<FirewallListData> =>
    bench.read<FirewallListData>(`/firewall${query(parameters)}`);

  describe('contract 5: GET /firewall', () => {
    it('shows a refused call with exactly these fields', async () => {
      const application = unique('shop');
      bench.clock.set('2031-02-03T04:05:06.789Z');
      const guarded = bench.host.guardrails.guardTool(refund, { principalId: 'customer-42', application });
      const refused = await guarded.execute({ amount: 'much', surprise: true });
      expect(refused.status).toBe('refused');
      expect(await list({ application })).toEqual({
        entries: [
          {
            id: expect.any(Number),
            tool: 'refund',
            principal_id: 'customer-42',
            application,
            violations: { amount: expect.any(String), surprise: expect.any(String) },
            violation_count: 2,
            enforced: true,
            occurred_at: '2031-02-03T04:05:06.789Z',
          },
        ],
        next_cursor: null,
      });
    });

    it('contract 4: a violation that is only observed is shown, not enforced; a call that passed is not', async () => {
      const application = unique('shop');
      const guarded = bench.host.guardrails.guardTool(lookup, { application });
      expect(await guarded.execute({ order: 'A-1182' })).toMatchObject({ status: 'executed' });
      await under(bench, { 'modes.tool_firewall': 'monitor' }, async () => {
        const outcome = await bench.host.guardrails.guardTool(lookup, { application }).execute({});
        expect(outcome).toMatchObject({ status: 'executed' });
      });
      // Observed decisions are buffered and written later.
      await expect(eventually(() => list({ application }))).resolves.toMatchObject({
        entries: [{ tool: 'lookup_order', enforced: false, principal_id: null }],
      });
    });

    itOnEachStore('counts the rejected calls of a filter by reason, each call once per reason', async () => {
      const application = unique('shop');
      const violations = { a: 'is too long', b: 'is too long', c: 'is missing' };
      await keep(bench, [
        refusal({ application, tool: 'refund', violations }),
        refusal({ application, tool: 'refund', violations: { a: 'is too long' } }),
        refusal({ application, tool: 'lookup_order', violations: { a: 'is missing' }, enforced: false }),
      ]);
      const reasons = (parameters: QueryParameters) =>
        bench.read<FirewallReasonsData>(`/firewall/reasons${query({ application, ...parameters })}`);
      expect(await reasons({})).toEqual({
        values: [
          { reason: 'is missing', count: 2 },
          { reason: 'is too long', count: 2 },
        ],
      });
      expect(await reasons({ tool: 'lookup_order' })).toEqual({
        values: [{ reason: 'is missing', count: 1 }],
      });
      expect(await reasons({ tool: 'none' })).toEqual({ values: [] });
      const { entries } = await list({ application, reason: 'is too long' });
      expect(entries.map(({ tool }) => tool)).toEqual(['refund', 'refund']);
    });

    itOnEachStore(
      'shows at most 50 violations with capped keys and reasons, and their true number',
      async () => {
        const application = unique('shop');
        const args = Object.fromEntries(
          Array.from({ length: 70 }, (_, index) => [
            `${String(index).padStart(3, 'x')}${'é'.repeat(300)}`,
            1,
          ]),
        );
        await bench.host.guardrails.guardTool(lookup, { application }).execute({ order: 'A-1', ...args });
        const { entries } = await list({ application });
        const [entry] = entries;
        expect(entry?.violation_count).toBe(70);
        expect(Object.keys(entry?.violations ?? {})).toHaveLength(50);
        for (const [key, reason] of Object.entries(entry?.violations ?? {})) {
          expect(Array.from(key).length).toBeLessThanOrEqual(200);
          expect(Array.from(reason).length).toBeLessThanOrEqual(500);
        }
      },
    );

    describe('contract 5: filters', () => {
      const scope = unique('shop');
      const names = { principal_id: unique('customer'), tool: unique('Send_mail') };
      let rows: readonly NewRejection[] = [];

      const filters: Readonly<Record<string, Filter>> = {
        principal_id: [names.principal_id, (row) => row.principalId === names.principal_id],
        application: [scope, (row) => row.application === scope],
        tool: [names.tool, (row) => row.tool === names.tool],
        q: ['MAIL', (row) => row.tool.toLowerCase().includes('mail')],
        from: ['2026-05-02', (row) => row.occurredAt >= new Date('2026-05-02T00:00:00Z')],
        to: ['2026-05-02', (row) => row.occurredAt <= new Date('2026-05-02T23:59:59.999Z')],
      };
      const keys = Object.keys(filters);

      beforeAll(async () => {
        const moments = ['2026-05-01T23:59:59.999Z', '2026-05-02T23:59:59.999Z', '2026-05-03T00:00:00.000Z'];
        const tools = [names.tool, `${names.tool}s`, 'refund', 'E-MAIL'];
        rows = Array.from({ length: 48 }, (_, position) =>
          newRejection({
            application: position % 5 === 4 ? unique('other') : scope,
            principalId: position % 7 < 3 ? names.principal_id : null,
            tool: tools[position % 4] ?? '',
            violations: { position: String(position) },
            occurredAt: new Date(moments[Math.floor(position / 4) % 3] ?? ''),
          }),
        );
        await keep(
          bench,
          rows.map((rejection) => refusal(rejection)),
        );
      });

      const check = async (chosen: readonly string[]): Promise<void> => {
        const used = [...chosen, 'application'].map((key) => [key, ...(filters[key] ?? [])] as const);
        const parameters = Object.fromEntries(used.map(([key, value]) => [key, value ?? '']));
        const expected = rows.filter((row) => used.every(([, , keeps]) => keeps?.(row)));
        const { entries } = await list({ ...parameters, limit: 200 });
        expect(entries.map(({ violations }) => violations)).toEqual(
          expected.map(({ violations }) => violations).toReversed(),
        );
      };

      it.each(keys)('%s alone returns exactly its rows', async (key) => check([key]));

      itOnEachStore.each(keys)('%s with any other filter returns exactly the rows of both', async (key) => {
        for (const other of keys) if (other !== key) await check([key, other]);
      });

      it('combined filters return the rows that match all of them', () => check(keys));
    });
  });
}

/** Repeats the request while the list is empty, until the time-out of the test. */
async function eventually(ask: () => Promise<FirewallListData>): Promise<FirewallListData> {
  for (;;) {
    const answer = await ask();
    if (answer.entries.length > 0) return answer;
  }
}
