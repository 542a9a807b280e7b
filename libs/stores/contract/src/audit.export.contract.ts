import assert from 'node:assert/strict';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { ExportedEntry } from '#contracts/audit/record.js';
import { idsOf, type Contract } from './backend-fixture.js';
import { noonPlus, type DecisionParts } from './builders.js';
import { UNUSUAL_TEXT } from './hostile-text.js';

const ENTRIES: readonly DecisionParts[] = [
  { principalId: UNUSUAL_TEXT, prompt: UNUSUAL_TEXT, runId: UNUSUAL_TEXT, application: UNUSUAL_TEXT },
  {
    outcome: 'blocked',
    ruleId: 'rule_1',
    matchedRules: [{ ruleId: 'rule_1', span: [0, 5] }],
    matchedSpan: [0, 5],
    matchedText: 'hello',
    occurredAt: noonPlus(1000),
  },
  { control: 'hitl', origin: 'tool_call', tool: 'refund', policy: '{"tool":"refund"}', approvalId: null },
  { errored: true, erroredRuleIds: ['slow'], principalId: 'customer-42', requestId: 'request-1' },
  {
    control: 'output_handler',
    findings: [{ kind: 'pii_redaction', detector: UNUSUAL_TEXT, span: [0, 7] }],
    findingCount: 3,
  },
  { origin: 'document', rulesetVersion: 'other-0123456789ab', principalId: 'customer-42' },
];

const FILTERS: readonly AuditFilter[] = [
  {},
  { control: 'input_screen' },
  { blocked: true },
  { rule_id: ['rule_1'] },
  { principal_id: 'customer-42' },
  { principal_id: 'customer-9' },
  { application: UNUSUAL_TEXT },
  { tool: 'refund' },
  { request_id: 'request-1' },
  { q: 'HELLO' },
  { q: '%' },
  { errored: true },
  { origin: 'document' },
  { kind: 'pii_redaction' },
  { detector: UNUSUAL_TEXT },
  { ruleset_version: 'other-0123456789ab', principal_id: 'customer-42' },
  { from: noonPlus(1), to: noonPlus(2000) },
  { to: noonPlus(0) },
];

function withoutPlace({ place: _place, ...entry }: ExportedEntry): Omit<ExportedEntry, 'place'> {
  return entry;
}

export const auditExportContract: Contract = ({ describe, it }, fixture) => {
  const { audit } = fixture;
  async function exported(
    filter: AuditFilter,
    { limit = 2, withContent = false, after = 0, last = 0 } = {},
  ): Promise<readonly ExportedEntry[]> {
    const through = last || (await audit.newestId());
    const entries: ExportedEntry[] = [];
    for (let next: number | null = after; next !== null;) {
      const slice = await audit.exportSlice(filter, { after: next, through }, { limit, withContent });
      assert.ok(slice.entries.length <= limit);
      assert.ok(slice.next === null || slice.next > next, 'every slice advances');
      entries.push(...slice.entries);
      next = slice.next;
    }
    return entries;
  }

  describe('an export', () => {
    it('has the whole entries, oldest first, in slices of any size', async () => {
      await fixture.append(...ENTRIES);
      const listed = await fixture.entries();
      const whole = await Promise.all(listed.toReversed().map(({ id }) => audit.find(id)));
      const expected = whole.map((entry) => {
        assert.ok(entry !== null);
        const { storage, prompt, matchedSpan, matchedText, policy, salt, alteration, ...evidence } = entry;
        return {
          ...evidence,
          content: { storage, prompt, matchedSpan, matchedText, policy, salt, alteration },
        };
      });
      for (const limit of [1, 2, 5, 100])
        assert.deepEqual((await exported({}, { limit, withContent: true })).map(withoutPlace), expected);
      const withoutContent = expected.map((entry) => ({ ...entry, content: null }));
      const found = await exported({});
      assert.deepEqual(found.map(withoutPlace), withoutContent);
      const places = found.flatMap(({ place }) =>
        place === null ? [] : [`${place.writer} ${place.sequence}`],
      );
      assert.ok(
        places.length === 0 || new Set(places).size === found.length,
        'every row has its own position, or none has one',
      );
    });

    for (const filter of FILTERS) {
      it(`has the entries of the list under ${JSON.stringify(filter)}`, async () => {
        await fixture.append(...ENTRIES);
        const listed = await fixture.entries(filter);
        const ids = idsOf(await exported(filter));
        assert.deepEqual(ids, idsOf(listed).toReversed());
      });
    }

    it('begins after an id and ends with another', async () => {
      await fixture.append(...ENTRIES);
      const ids = idsOf(await exported({}));
      const [, second = 0, , fourth = 0] = ids;
      const range = idsOf(await exported({}, { after: second, last: fourth }));
      assert.deepEqual(range, ids.slice(2, 4));
      assert.deepEqual(await exported({}, { after: ids.at(-1) ?? 0 }), []);
      assert.equal(await audit.newestId(), ids.at(-1));
    });

    it('of an empty audit is empty', async () => {
      assert.equal(await audit.newestId(), 0);
      assert.deepEqual(await exported({}), []);
    });
  });
};
