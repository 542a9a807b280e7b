import { describe, expect } from '@jest/globals';
import type { TryPoliciesData } from '#contracts/api/try.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { describeOnEachStore } from '../support/hosts.js';

const SETTINGS = {
  'hitl.enabled': true,
  'hitl.token_secret': 'a-token-secret-of-thirty-two-bytes!',
  'hitl.policies': {
    refund: {
      rules: [
        { when: { '/amount': { lte: 50 } }, require: 'allow' },
        { when: { '/amount': { gt: 500 } }, require: 'deny' },
      ],
      limits: [{ sum: '/amount', lte: 60, per: 'day' }],
    },
  },
} as const;

const refund = {
  name: 'refund',
  parameters: { type: 'object', properties: { amount: { type: 'number' } } },
  execute: () => 'paid',
};

describeOnEachStore({ settings: SETTINGS }, (bench) => {
  const { it, itOnEachStore } = bench;

  const CALLER = { principalId: 'customer-42', application: 'shop' };
  const call = async (amount: number): Promise<string> =>
    (await bench.host.guardrails.guardTool(refund, CALLER).execute({ amount })).status;
  const replay = async (body: object): Promise<TryPoliciesData> => {
    const answer = await bench.api.post('/try/policies', body);
    return expectEnvelope(answer, 200, 'try-policies').data as unknown as TryPoliciesData;
  };

  describe('contract 6.6: POST /try/policies', () => {
    itOnEachStore('replays recorded calls, stores nothing, and shows no argument', async () => {
      bench.clock.setToNow();
      expect([await call(40), await call(20), await call(10), await call(600)]).toEqual([
        'executed',
        'executed',
        'parked',
        'refused',
      ]);
      const before = await bench.read('/audit?control=all');
      const rules = [
        { when: { '/amount': { lt: 30 } }, require: 'allow' },
        { require: 'approval', approvers: 2 },
      ];
      const limits = [{ sum: '/amount', lte: 60, per: 'day' }];
      const tried = await replay({ policies: { refund: { rules, limits } } });
      expect(await bench.read('/audit?control=all')).toEqual(before);
      expect(tried).toMatchObject({
        // The denied call has no record of what was spent.
        replayed: 3,
        unchanged: 2,
        rules: [
          { tool: 'refund', rule: 1, before: 3, after: 2 },
          { tool: 'refund', rule: 2, before: 0, after: 1 },
        ],
        stricter: {
          count: 1,
          calls: [
            {
              tool: 'refund',
              before: { require: 'allow', approvers: 0, rule: 1, group: null, ttl: null, reason: null },
              after: { require: 'approval', approvers: 2, rule: 2, group: null, ttl: null, reason: null },
            },
          ],
        },
        looser: { count: 0, calls: [] },
        not_replayable: { limit_not_recorded: 1, no_policy_recorded: 0 },
        next_cursor: null,
      });
      const audited = await bench.read<{ entry: Record<string, unknown> }>(
        `/audit/${tried.stricter.calls[0]?.audit_id}`,
      );
      expect(audited.entry).toMatchObject({ tool: 'refund', control: 'hitl', rule_id: 'policy.1' });
      expect(await replay({ policies: {}, from: '2020-01-01', to: '2020-03-30' })).toMatchObject({
        replayed: 0,
      });
      expect(await replay({ policies: {}, cursor: 1 })).toMatchObject({ replayed: 0, next_cursor: null });
    });

    it.each([
      [{}, ['policies']],
      [{ policies: [] }, ['policies']],
      [{ policies: { refund: { rules: [{ require: 'maybe' }] } } }, ['policies']],
      [{ policies: {}, from: 'yesterday' }, ['from']],
      [{ policies: {}, from: '2026-01-01', to: '2026-06-01' }, ['from']],
      [{ policies: {}, from: '2026-06-01', to: '2026-01-01' }, ['from']],
      [{ policies: {}, to: 5 }, ['to']],
      [{ policies: {}, cursor: 0 }, ['cursor']],
      [{ policies: {}, cursor: '7' }, ['cursor']],
    ])('refuses %j', async (body, fields) => {
      const answer = await bench.api.post('/try/policies', body);
      expectError(answer, 422, 'try-policies', 'invalid_body');
      expect(Object.keys(answer.body.data.error.fields ?? {})).toEqual(fields);
    });

    it('is open to readers, behind the gate', async () => {
      expect((await bench.api.post('/try/policies', { policies: {} }, { as: 'reader' })).status).toBe(200);
      expect((await bench.api.post('/try/policies', { policies: {} }, { as: null })).status).toBe(401);
    });
  });
});
