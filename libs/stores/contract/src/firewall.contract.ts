import assert from 'node:assert/strict';
import type { NewRejection, RejectionFilter } from '#contracts/firewall/firewall.js';
import { decision, NOON, noonPlus, refusal } from './builders.js';
import { type Runner, type BackendFixture, entriesOf, pagesOf } from './backend-fixture.js';
import { PATTERN_CHARACTERS, UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

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

export function firewallContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const list =
    (filter: RejectionFilter = {}) =>
    (page: { cursor?: number; limit: number }): ReturnType<typeof fixture.backend.firewall.list> =>
      fixture.backend.firewall.list(filter, page);

  async function append(...rows: readonly Partial<NewRejection>[]): Promise<void> {
    for (const row of rows) await fixture.backend.audit.append(refusal(row));
  }

  describe('firewall', () => {
    it('returns one empty page if nothing was rejected', async () => {
      assert.deepEqual(await list()({ limit: 50 }), { entries: [], next_cursor: null });
    });

    it('returns the rejection of a decision with every field', async () => {
      const rejection: NewRejection = {
        tool: 'refund',
        principalId: 'customer-42',
        application: 'support',
        violations: { amount: 'must be a number', 'order.id': 'is not known' },
        violationCount: 73,
        enforced: false,
        occurredAt: noonPlus(123),
      };
      await append(rejection);
      const [{ id, ...listed } = { id: 0 }] = await entriesOf(list());
      assert.ok(Number.isSafeInteger(id) && id > 0);
      assert.deepEqual(listed, rejection);
    });

    it('finds the rejection of one decision', async () => {
      const { audit, firewall } = fixture.backend;
      const other = await audit.append(refusal({ tool: 'refund' }));
      const id = await audit.append(refusal({ tool: 'lookup', violations: { order: 'is missing' } }));
      const allowed = await audit.append(decision({ control: 'tool_firewall' }));
      const found = await firewall.find(id);
      assert.deepEqual([found?.id, found?.tool, found?.violations], [id, 'lookup', { order: 'is missing' }]);
      assert.equal((await firewall.find(other))?.tool, 'refund');
      for (const unknown of [allowed, 0, allowed + 1000]) assert.equal(await firewall.find(unknown), null);
    });

    it('stores absent values as null and no violations as an empty object', async () => {
      await append({ violations: {}, violationCount: 0 });
      const [listed] = await entriesOf(list());
      assert.deepEqual([listed?.principalId, listed?.application, listed?.violations], [null, null, {}]);
    });

    it('returns nothing for a decision without a rejection', async () => {
      await fixture.backend.audit.append(decision({ control: 'tool_firewall' }));
      assert.deepEqual(await entriesOf(list()), []);
    });

    it('stores the decision itself in the audit', async () => {
      await append({ tool: 'refund' });
      const entries = await entriesOf((page) =>
        fixture.backend.audit.list({ control: 'tool_firewall' }, page),
      );
      assert.deepEqual(
        entries.map((entry) => entry.outcome),
        ['blocked'],
      );
    });

    it('keeps the order of violations', async () => {
      const violations = { zeta: 'one', alpha: 'two', 'mid.dle': 'three', Alpha: 'four', '': 'five' };
      await append({ violations });
      const [listed] = await entriesOf(list());
      assert.equal(JSON.stringify(listed?.violations), JSON.stringify(violations));
    });

    it('stores violations of arguments called __proto__ and constructor', async () => {
      const violations = JSON.parse('{"__proto__":"is not known","constructor":"is not known"}') as Record<
        string,
        string
      >;
      await append({ violations });
      const [listed] = await entriesOf(list());
      assert.equal(JSON.stringify(listed?.violations), JSON.stringify(violations));
    });

    it('stores fifty long violations whole', async () => {
      const violations = Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`${index}`.padStart(200, 'k'), 'r'.repeat(500)]),
      );
      await append({ violations, violationCount: 51 });
      assert.deepEqual((await entriesOf(list()))[0]?.violations, violations);
    });

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`replaces ${name} in every text and in filters`, async () => {
        await append({ tool: given, principalId: given, application: given, violations: { [given]: given } });
        for (const filter of [
          { tool: given },
          { principal_id: given },
          { application: given },
          { q: given },
          { reason: given },
        ]) {
          const [listed] = await entriesOf(list(filter));
          assert.deepEqual(
            [listed?.tool, listed?.principalId, listed?.application, listed?.violations],
            [kept, kept, kept, { [kept]: kept }],
          );
        }
      });
    }

    it('stores unusual well-formed text unchanged', async () => {
      await append({ tool: UNUSUAL_TEXT, violations: { [UNUSUAL_TEXT]: UNUSUAL_TEXT } });
      const [listed] = await entriesOf(list({ q: UNUSUAL_TEXT, tool: UNUSUAL_TEXT }));
      assert.deepEqual(listed?.violations, { [UNUSUAL_TEXT]: UNUSUAL_TEXT });
    });

    for (const character of PATTERN_CHARACTERS) {
      it(`treats ${JSON.stringify(character)} literally in a search`, async () => {
        await append({ tool: 'aXb a b' }, { tool: `a${character}b` });
        const found = await entriesOf(list({ q: `a${character}b` }));
        assert.deepEqual(
          found.map((rejection) => rejection.tool),
          [`a${character}b`],
        );
      });
    }

    for (const [filter, tools] of FILTERS) {
      const conditions = Object.entries(filter).map(([key, value]) =>
        value instanceof Date ? `${key}=${value.toISOString().slice(11)}` : `${key}=${value}`,
      );
      it(`returns ${tools.length === 0 ? 'nothing' : tools.join(', ')} for ${conditions.join(' ')}`, async () => {
        await append(...ROWS);
        const found = await entriesOf(list(filter), 1);
        assert.deepEqual(
          found.map((rejection) => rejection.tool),
          tools,
        );
      });
    }

    it('returns full pages, newest first; the last cursor is null', async () => {
      await append(...Array.from({ length: 6 }, (_, index) => ({ tool: `tool-${index}` })));
      const pages = await pagesOf(list(), 3);
      assert.deepEqual(
        pages.map((page) => page.entries.map((rejection) => rejection.tool)),
        [
          ['tool-5', 'tool-4', 'tool-3'],
          ['tool-2', 'tool-1', 'tool-0'],
        ],
      );
      assert.ok(pages.every((page) => !page.partial));
    });

    it('returns stable pages while newer rejections arrive', async () => {
      await append({ tool: 'a' }, { tool: 'b' }, { tool: 'c' });
      const first = await list()({ limit: 2 });
      await append({ tool: 'd' });
      const second = await list()({ limit: 2, cursor: first.next_cursor ?? 0 });
      assert.deepEqual(
        [second.entries.map((rejection) => rejection.tool), second.next_cursor],
        [['a'], null],
      );
    });
  });
}
