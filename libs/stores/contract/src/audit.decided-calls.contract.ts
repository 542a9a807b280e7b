import assert from 'node:assert/strict';
import type { AuditEntry } from '#contracts/audit/record.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { noonPlus, type DecisionParts } from './builders.js';
import { retain } from './retention-helpers.js';

const call = (parts: DecisionParts = {}): DecisionParts => ({
  control: 'hitl',
  origin: 'tool_call',
  tool: 'refund',
  policy: '{"rule":1}',
  ...parts,
});

const DAY = { from: noonPlus(-1000), to: noonPlus(1000) };

export function auditDecidedCallsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const read = (window = DAY): Promise<readonly AuditEntry[]> =>
    entriesOf((page) => fixture.backend.audit.decidedCalls(window, page));

  describe('decidedCalls', () => {
    it('returns calls of control D with what a policy compared, without transitions of approvals', async () => {
      const [first, second] = await fixture.append(
        call({ application: 'shop' }),
        call({ tool: 'wire', policy: null, outcome: 'blocked', occurredAt: noonPlus(1) }),
        call({ control: 'tool_firewall' }),
        call({ origin: 'approval' }),
        { tool: 'refund' },
      );
      const calls = await read();
      assert.deepEqual(
        calls.map(({ id, tool, application, policy }) => [id, tool, application, policy]),
        [
          [second, 'wire', null, null],
          [first, 'refund', 'shop', '{"rule":1}'],
        ],
      );
      assert.deepEqual(calls[0], await fixture.backend.audit.find(second ?? 0));
    });

    it('includes both ends of the window', async () => {
      const ids = await fixture.append(...[-2, -1, 0, 1, 2].map((at) => call({ occurredAt: noonPlus(at) })));
      const within = await read({ from: noonPlus(-1), to: noonPlus(1) });
      assert.deepEqual(
        within.map(({ id }) => id),
        ids.slice(1, 4).toReversed(),
      );
    });

    it('shows that a call was erased', async () => {
      const [id = 0] = await fixture.append(call());
      await retain(fixture, 'anonymize', { kind: 'entry', id });
      const [erased] = await read();
      assert.deepEqual([erased?.storage, erased?.policy], ['erased', null]);
    });
  });
}
