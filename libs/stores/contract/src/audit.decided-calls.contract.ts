import assert from 'node:assert/strict';
import type { DecidedCall } from '#contracts/audit/record.js';
import { entriesOf, pagesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { decision, NOON, noonPlus, type DecisionParts } from './builders.js';
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
  const append = async (...given: readonly DecisionParts[]): Promise<readonly number[]> => {
    const ids = [];
    for (const parts of given) ids.push(await fixture.backend.audit.append(decision(parts)));
    return ids;
  };
  const read = (window = DAY): Promise<readonly DecidedCall[]> =>
    entriesOf((page) => fixture.backend.audit.decidedCalls(window, page));

  describe('decidedCalls', () => {
    it('returns calls of control D with what a policy compared, newest first', async () => {
      const [first, second] = await append(
        call({ application: 'shop' }),
        call({ tool: 'wire', policy: null, outcome: 'blocked', occurredAt: noonPlus(1) }),
      );
      assert.deepEqual(await read(), [
        {
          id: second,
          occurredAt: noonPlus(1),
          tool: 'wire',
          application: null,
          policy: null,
          storage: 'redact',
        },
        {
          id: first,
          occurredAt: NOON,
          tool: 'refund',
          application: 'shop',
          policy: '{"rule":1}',
          storage: 'redact',
        },
      ]);
    });

    it('leaves out other controls, and transitions of approvals', async () => {
      await append(call({ control: 'tool_firewall' }), call({ origin: 'approval' }), { tool: 'refund' });
      assert.deepEqual(await read(), []);
    });

    it('includes both ends of the window', async () => {
      const [, ...within] = await append(
        ...[-2, -1, 0, 1].map((offset) => call({ occurredAt: noonPlus(offset) })),
      );
      await append(call({ occurredAt: noonPlus(2) }));
      const window = { from: noonPlus(-1), to: noonPlus(1) };
      assert.deepEqual(
        (await read(window)).map(({ id }) => id),
        within.toReversed(),
      );
      assert.deepEqual(await read({ from: noonPlus(5), to: noonPlus(9) }), []);
    });

    it('is read in pages', async () => {
      await append(...Array.from({ length: 7 }, () => call()), call({ origin: 'approval' }));
      const pages = await pagesOf((page) => fixture.backend.audit.decidedCalls(DAY, page), 3);
      assert.deepEqual(
        pages.map(({ entries }) => entries.length),
        [3, 3, 1],
      );
    });

    it('shows that a call was erased', async () => {
      const [id = 0] = await append(call());
      await retain(fixture, 'anonymize', { kind: 'entry', id });
      const [erased] = await read();
      assert.deepEqual([erased?.storage, erased?.policy], ['erased', null]);
    });
  });
}
