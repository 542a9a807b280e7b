import assert from 'node:assert/strict';
import type { NewRejection, Rejection, RejectionFilter } from '#contracts/firewall/firewall.js';
import { entriesOf, type Contract } from './backend-fixture.js';
import { decision, newRejection, NOON, noonPlus, refusal } from './builders.js';
import { LONG_TEXT, PATTERN_CHARACTERS, UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

const ROWS: readonly Partial<NewRejection>[] = [
  { tool: 'refund', principalId: 'customer-42', application: 'support' },
  { tool: 'send_email', principalId: 'customer-42', application: 'sales', occurredAt: noonPlus(1) },
  { tool: 'Refund', principalId: 'customer-7', occurredAt: noonPlus(-1) },
  {
    tool: 'delete_record',
    enforced: false,
    violations: { a: 'must be <= 5', 'b":"must be >= 5': 'is "not" known', c: 'must be <= 5' },
  },
];

const FILTERS: readonly (readonly [filter: RejectionFilter, tools: readonly string[]])[] = [
  [{ tool: 'refund' }, ['refund']],
  [{ tool: 'fund' }, []],
  [{ principal_id: 'customer-42' }, ['send_email', 'refund']],
  [{ principal_id: 'customer' }, []],
  [{ application: 'support' }, ['refund']],
  [{ q: 'FUND' }, ['Refund', 'refund']],
  [{ q: 'd_e' }, ['send_email']],
  [{ q: 'e_r' }, ['delete_record']],
  [{ q: '%' }, []],
  [{ from: noonPlus(1) }, ['send_email']],
  [{ to: noonPlus(-1) }, ['Refund']],
  [{ from: NOON, to: NOON }, ['delete_record', 'refund']],
  [{ reason: 'must be <= 5' }, ['delete_record']],
  [{ reason: 'is "not" known' }, ['delete_record']],
  [{ reason: 'must be >= 5' }, []],
  [{ reason: 'must be' }, []],
  [{ reason: 'MUST BE <= 5' }, []],
  [{ reason: 'must be <= 5', tool: 'refund' }, []],
  [{ from: noonPlus(2) }, []],
  [{ principal_id: 'customer-42', application: 'sales', q: 'mail', from: NOON }, ['send_email']],
  [{ principal_id: 'customer-7', tool: 'refund' }, []],
];

/** Rejections that are stored as they are. */
const STORED: readonly (readonly [name: string, parts: Partial<NewRejection>])[] = [
  [
    'every field',
    {
      tool: 'refund',
      principalId: 'customer-42',
      application: 'support',
      violations: { amount: 'must be a number', 'order.id': 'is not known' },
      violationCount: 73,
      enforced: false,
      occurredAt: noonPlus(123),
    },
  ],
  ['absent values and no violations', { violations: {}, violationCount: 0 }],
  ['the order of violations', { violations: { zeta: '1', alpha: '2', 'mid.dle': '3', Alpha: '4', '': '5' } }],
  [
    'violations of __proto__ and constructor',
    {
      violations: JSON.parse('{"__proto__":"is not known","constructor":"is not known"}') as Record<
        string,
        string
      >,
    },
  ],
  [
    'fifty long violations',
    {
      violations: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`${index}`.padStart(200, 'k'), 'r'.repeat(500)]),
      ),
      violationCount: 51,
    },
  ],
];

export const firewallContract: Contract = ({ describe, it }, fixture) => {
  const { audit, firewall } = fixture;
  async function append(...rows: readonly Partial<NewRejection>[]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const row of rows) ids.push(await audit.append(refusal(row)));
    return ids;
  }

  const found = (filter: RejectionFilter = {}) => entriesOf((page) => firewall.list(filter, page), 1);
  const tools = async (filter: RejectionFilter): Promise<readonly string[]> =>
    (await found(filter)).map(({ tool }) => tool);

  describe('firewall', () => {
    for (const [name, parts] of STORED) {
      it(`returns ${name} as appended, in the list and by id`, async () => {
        const [id = 0] = await append(parts);
        await append({ tool: 'another' });
        const { principalId, violationCount, occurredAt, ...call } = newRejection(parts);
        const expected = textOf({
          id,
          ...call,
          principal_id: principalId,
          violation_count: violationCount,
          occurred_at: occurredAt.toISOString(),
        });
        for (const rejection of [(await found())[1], await firewall.find(id)])
          assert.equal(textOf(rejection), expected);
      });
    }

    it('finds nothing for a decision without a rejection', async () => {
      const allowed = await audit.append(decision({ control: 'tool_firewall' }));
      assert.deepEqual(await found(), []);
      for (const unknown of [allowed, 0, allowed + 1000]) assert.equal(await firewall.find(unknown), null);
    });

    it('stores the decision itself in the audit', async () => {
      await append({ tool: 'refund' });
      const { entries } = await audit.list({ control: 'tool_firewall' }, { limit: 5 });
      assert.deepEqual(
        entries.map(({ outcome }) => outcome),
        ['blocked'],
      );
    });

    for (const { name, given, kept } of [
      ...UNSTORABLE_TEXTS,
      { name: 'unusual text by itself', given: UNUSUAL_TEXT, kept: UNUSUAL_TEXT },
      { name: 'a text longer than an index entry by itself', given: LONG_TEXT, kept: LONG_TEXT },
    ]) {
      it(`replaces ${name} in every text and in filters`, async () => {
        await append({ tool: given, principalId: given, application: given, violations: { [given]: given } });
        for (const filter of [
          { tool: given },
          { principal_id: given },
          { application: given },
          { q: given },
          { reason: given },
        ]) {
          const [rejection] = await found(filter);
          const { tool, principal_id: principalId, application, violations } = rejection ?? {};
          assert.deepEqual(
            [tool, principalId, application, violations],
            [kept, kept, kept, { [kept]: kept }],
          );
        }
      });
    }

    it('searches literally', async () => {
      await append(
        { tool: 'aXb a b' },
        ...PATTERN_CHARACTERS.map((character) => ({ tool: `a${character}b` })),
      );
      for (const character of PATTERN_CHARACTERS)
        assert.deepEqual(await tools({ q: `a${character}b` }), [`a${character}b`]);
    });

    for (const [filter, expected] of FILTERS) {
      const name = expected.length === 0 ? 'nothing' : expected.join(', ');
      it(`returns ${name} for ${JSON.stringify(filter)}`, async () => {
        await append(...ROWS);
        assert.deepEqual(await tools(filter), expected);
      });
    }
  });
};

/** The order of the violations counts, and that of the other members does not. */
function textOf(rejection: Rejection | null | undefined) {
  return JSON.stringify(Object.entries(rejection ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
