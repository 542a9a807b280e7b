import assert from 'node:assert/strict';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { DecidedCall } from '#contracts/audit/store.js';
import type { Page } from '#contracts/common/page.js';
import { entriesOf, idsOf, type Contract } from './backend-fixture.js';
import { decision, type DecisionParts, NOON, noonPlus } from './builders.js';
import { retain } from './retention-helpers.js';

export const auditRecordedTextsContract: Contract = ({ describe, it }, fixture) => {
  const { audit, reviews } = fixture;
  const read = (filter: AuditFilter = {}): Promise<readonly AuditEntry[]> =>
    entriesOf((page) => audit.recordedTexts(filter, page));

  describe('recordedTexts', () => {
    it('returns whole entries, newest first', async () => {
      const parts = [
        { ruleId: 'override', matchedRules: [{ ruleId: 'override', span: [0, 6] }], prompt: 'ignore all' },
        { rendering: 'markdown', erroredRuleIds: ['classifier'], alteration: 'changed' },
      ] as const;
      const ids = await fixture.append(...parts);
      const whole = parts.map((each, index) => {
        const { evidence, content } = decision(each);
        return { id: ids[index], ...evidence, ...content };
      });
      assert.deepEqual(await read(), whole.toReversed());
    });

    it('has the filters of the list', async () => {
      const [shop = 0, search = 0] = await fixture.append(
        { application: 'shop', origin: 'document' },
        { prompt: 'a needle', occurredAt: noonPlus(5) },
        { control: 'output_handler', origin: 'output', principalId: 'customer-42' },
      );
      const found = async (filter: AuditFilter): Promise<readonly number[]> => idsOf(await read(filter));
      const review = { verdict: 'unsure', note: null, actorId: 'ops-1', requestId: null } as const;
      await reviews.append({ ...review, entryId: shop, reviewedAt: NOON });
      assert.deepEqual(await found({ review: 'unsure' }), [shop]);
      assert.deepEqual(await found({ control: 'input_screen' }), [search, shop]);
      assert.deepEqual(await found({ application: 'shop' }), [shop]);
      assert.deepEqual(await found({ origin: 'document' }), [shop]);
      assert.deepEqual(await found({ q: 'needle' }), [search]);
      assert.deepEqual(await found({ principal_id: 'customer-7' }), []);
      assert.deepEqual(await found({ from: noonPlus(1), to: noonPlus(5) }), [search]);
    });

    it('returns every text once, also where a page would be too large for the memory', async () => {
      const prompts = ['x'.repeat(900_000), 'short', 'y'.repeat(1_200_000), 'z'.repeat(1_900_000), 'last'];
      const ids = await fixture.append(...prompts.map((prompt) => ({ prompt })));
      const pages: Page<AuditEntry>[] = [];
      for (let cursor: number | undefined; ;) {
        const page = await audit.recordedTexts({}, { limit: 4, ...(cursor && { cursor }) });
        pages.push(page);
        if (page.next_cursor === null) break;
        assert.ok(page.partial || page.entries.length === 4, 'a short page is marked as partial');
        cursor = page.next_cursor;
      }
      const texts = pages.flatMap(({ entries }) => entries);
      assert.deepEqual(idsOf(texts), ids.toReversed());
      assert.deepEqual(
        texts.map(({ prompt }) => prompt.length),
        prompts.toReversed().map(({ length }) => length),
      );
    });

    it('shows that a text was erased', async () => {
      const [id = 0] = await fixture.append({ alteration: 'changed' });
      await retain(fixture, 'anonymize', { kind: 'entry', id });
      const [erased] = await read();
      assert.deepEqual([erased?.storage, erased?.prompt, erased?.alteration], ['erased', '', null]);
    });
  });
};

const call = (parts: DecisionParts = {}): DecisionParts => ({
  control: 'hitl',
  origin: 'tool_call',
  tool: 'refund',
  policy: '{"rule":1}',
  ...parts,
});

const DAY = { from: noonPlus(-1000), to: noonPlus(1000) };

export const auditDecidedCallsContract: Contract = ({ describe, it }, fixture) => {
  const { audit } = fixture;
  const read = (window = DAY): Promise<readonly DecidedCall[]> =>
    entriesOf((page) => audit.decidedCalls(window, page));

  describe('decidedCalls', () => {
    it('returns calls of control D with what a policy compared alone, without transitions of approvals', async () => {
      const [first, second] = await fixture.append(
        call({ application: 'shop' }),
        call({ tool: 'wire', policy: null, outcome: 'blocked', occurredAt: noonPlus(1) }),
        call({ control: 'tool_firewall' }),
        call({ origin: 'approval' }),
        { tool: 'refund' },
      );
      const ofPolicy = { occurredAt: NOON, application: null, policy: null, storage: 'redact' };
      assert.deepEqual(await read(), [
        { ...ofPolicy, id: second, occurredAt: noonPlus(1), tool: 'wire' },
        { ...ofPolicy, id: first, tool: 'refund', application: 'shop', policy: '{"rule":1}' },
      ]);
    });

    it('includes both ends of the window', async () => {
      const ids = await fixture.append(...[-2, -1, 0, 1, 2].map((at) => call({ occurredAt: noonPlus(at) })));
      const within = await read({ from: noonPlus(-1), to: noonPlus(1) });
      assert.deepEqual(idsOf(within), ids.slice(1, 4).toReversed());
    });

    it('shows that a call was erased', async () => {
      const [id = 0] = await fixture.append(call());
      await retain(fixture, 'anonymize', { kind: 'entry', id });
      const [erased] = await read();
      assert.deepEqual([erased?.storage, erased?.policy], ['erased', null]);
    });
  });
};
