import assert from 'node:assert/strict';
import { factsOf } from '#contracts/audit/entry.js';
import type { AuditFilter } from '#contracts/audit/filter.js';
import { FACET_FIELDS } from '#contracts/audit/record.js';
import type { PageRequest } from '#contracts/common/page.js';
import { decision, NOON, noonPlus, type DecisionParts } from './builders.js';
import { entriesOf, idsOf, type Contract } from './backend-fixture.js';
import { LONG_TEXT, UNSTORABLE_TEXTS } from './hostile-text.js';

/** Looks like a part of the stored JSON. */
const ODD_DETECTOR = 'email","kind":"html_stripped","detector":"é\\%_\u0000';

/** One row per filter; the request id is the name of the case. */
const ROWS: readonly DecisionParts[] = [
  { requestId: 'plain' },
  { requestId: 'blocked', outcome: 'blocked', ruleId: 'role_override', principalId: 'customer-42' },
  { requestId: 'observed', outcome: 'observed', ruleId: 'role_override', mode: 'monitor' },
  { requestId: 'hers', principalId: 'customer-42', application: 'support' },
  { requestId: 'case', principalId: 'Customer-42', application: 'Support', ruleId: 'Role_Override' },
  { requestId: 'firewall', control: 'tool_firewall', outcome: 'blocked', application: 'support' },
  { requestId: 'output', control: 'output_handler', outcome: 'observed' },
  { requestId: 'hitl', control: 'hitl', outcome: 'blocked', occurredAt: noonPlus(1) },
  { requestId: 'early', outcome: 'blocked', occurredAt: noonPlus(-1) },
  { requestId: 'call', runId: 'run-1', tool: 'refund', origin: 'tool_call', control: 'hitl' },
  { requestId: 'result', runId: 'run-1', tool: 'lookup', origin: 'tool_result', errored: true },
  { requestId: 'old rules', rulesetVersion: 'builtin-000000000000', runId: 'run-10' },
  {
    requestId: 'email and html',
    origin: 'document',
    findings: [
      { kind: 'pii_redaction', detector: 'email', span: [0, 7] },
      { kind: 'html_stripped', detector: 'html', span: null },
    ],
  },
  {
    requestId: 'odd detector',
    origin: 'document',
    findings: [{ kind: 'pii_redaction', detector: ODD_DETECTOR, span: [0, 7] }],
  },
];

const FILTERS: readonly (readonly [filter: AuditFilter, found: readonly string[]])[] = [
  [{ control: 'tool_firewall' }, ['firewall']],
  [{ control: 'hitl' }, ['call', 'hitl']],
  [{ blocked: true }, ['early', 'hitl', 'firewall', 'blocked']],
  [{ blocked: false, principal_id: 'customer-42' }, ['hers']],
  [{ outcome: 'blocked' }, ['early', 'hitl', 'firewall', 'blocked']],
  [{ outcome: 'observed' }, ['output', 'observed']],
  [{ outcome: 'allowed', principal_id: 'customer-42' }, ['hers']],
  [{ rule_id: ['role_override'] }, ['observed', 'blocked']],
  [{ rule_id: ['role_override', 'role_override.other'] }, ['observed', 'blocked']],
  [{ rule_id: ['role_override.other', 'role_override.more'] }, []],
  [{ principal_id: 'customer-42' }, ['hers', 'blocked']],
  [{ application: 'support' }, ['firewall', 'hers']],
  [{ from: noonPlus(1) }, ['hitl']],
  [{ to: noonPlus(-1) }, ['early']],
  [{ from: NOON, to: NOON, outcome: 'observed' }, ['output', 'observed']],
  [{ from: noonPlus(-1), to: noonPlus(-1) }, ['early']],
  [{ from: noonPlus(2) }, []],
  [{ from: noonPlus(1), to: noonPlus(-1) }, []],
  [{ rule_id: ['role_'] }, []],
  [{ rule_id: ['role%'] }, []],
  [{ principal_id: 'customer-0' }, []],
  [{ application: '' }, []],
  [{ blocked: false, rule_id: ['role_override'] }, ['observed']],
  [{ blocked: true, outcome: 'observed' }, []],
  [{ control: 'input_screen', blocked: true, principal_id: 'customer-42', to: NOON }, ['blocked']],
  [{ application: 'support', principal_id: 'customer-42' }, ['hers']],
  [{ control: 'input_screen', outcome: 'blocked', to: noonPlus(-1), q: 'HELL' }, ['early']],
  [{ run_id: 'run-1' }, ['result', 'call']],
  [{ run_id: 'RUN-1' }, []],
  [{ request_id: 'hers' }, ['hers']],
  [{ tool: 'refund' }, ['call']],
  [{ tool: 'refund', run_id: 'run-10' }, []],
  [{ origin: 'tool_call' }, ['call']],
  [{ origin: 'tool_result', run_id: 'run-1', q: 'hello' }, ['result']],
  [{ errored: true }, ['result']],
  [{ errored: false, run_id: 'run-1' }, ['call']],
  [{ ruleset_version: 'builtin-000000000000' }, ['old rules']],
  [{ ruleset_version: 'builtin-' }, []],
  [{ kind: 'pii_redaction' }, ['odd detector', 'email and html']],
  [{ kind: 'html_stripped' }, ['email and html']],
  [{ kind: 'secret_redaction' }, []],
  [{ detector: 'email' }, ['email and html']],
  [{ detector: 'Email' }, []],
  [{ detector: ODD_DETECTOR }, ['odd detector']],
  [{ kind: 'pii_redaction', detector: 'email' }, ['email and html']],
  [{ kind: 'html_stripped', detector: 'email' }, []],
];

/** Texts, and how a list shows them. */
const PREVIEWS: readonly (readonly [name: string, parts: DecisionParts, preview: string | null])[] = [
  ['a text of 160 characters whole', { prompt: 'x'.repeat(160) }, 'x'.repeat(160)],
  ['160 characters of a longer text', { prompt: 'x'.repeat(161) }, `${'x'.repeat(160)}…`],
  ['160 emoji whole', { prompt: '😀'.repeat(160) }, '😀'.repeat(160)],
  ['160 whole emoji of a longer text', { prompt: '😀'.repeat(161) }, `${'😀'.repeat(160)}…`],
  ['an empty text', { prompt: '' }, ''],
  ['nothing under hash', { storage: 'hash', prompt: 'hmac-sha256:00' }, null],
  ['nothing of an erased text', { storage: 'erased', prompt: '' }, null],
];

const nameOf = (filter: AuditFilter) => JSON.stringify(filter).slice(0, 90);

export const auditListContract: Contract = ({ describe, it }, fixture) => {
  const { audit } = fixture;
  const list = (filter: AuditFilter) => (page: PageRequest) => audit.list(filter, page);
  const found = async (filter: AuditFilter) => idsOf(await entriesOf(list(filter), 2));

  describe('facets', () => {
    it('counts the listed entries by value, for every field and filter', async () => {
      await fixture.append(...ROWS);
      for (const [filter] of [[{}] as const, ...FILTERS]) {
        const entries = await entriesOf(list(filter));
        for (const field of FACET_FIELDS) {
          const walked = new Map<string | null, number>();
          for (const { [field]: value } of entries) walked.set(value, (walked.get(value) ?? 0) + 1);
          const { values, partial } = await audit.facets(field, filter);
          assert.equal(partial, undefined);
          assert.deepEqual(new Map(values.map(({ value, count }) => [value, count])), walked);
          const counts = values.map(({ count }) => count);
          assert.deepEqual(
            counts,
            counts.toSorted((one, other) => other - one),
          );
        }
      }
    });

    it('returns the 50 values with the most entries, and equal ones in their order', async () => {
      assert.deepEqual(await audit.facets('tool', {}), { values: [] });
      const names = Array.from({ length: 52 }, (_, index) => `tool-${String(index).padStart(2, '0')}`);
      await fixture.append(...[...names, 'tool-51'].map((tool) => ({ tool })));
      assert.deepEqual((await audit.facets('tool', {})).values, [
        { value: 'tool-51', count: 2 },
        ...names.slice(0, 49).map((value) => ({ value, count: 1 })),
      ]);
    });
  });

  describe('list', () => {
    it('returns entries with a preview and without the text', async () => {
      const parts: DecisionParts = {
        outcome: 'observed',
        mode: 'monitor',
        origin: 'tool_result',
        tool: 'refund',
        application: 'support',
        errored: true,
        ruleId: 'role_override',
        principalId: 'customer-42',
        rulesetVersion: 'builtin-fedcba987654',
        promptLength: 999,
        occurredAt: noonPlus(7),
        requestId: 'request-1',
        runId: 'run-1',
      };
      const [id = 0] = await fixture.append(parts);
      const facts = factsOf({ id, ...decision(parts).evidence });
      assert.deepEqual((await list({})({ limit: 50 })).entries, [
        { ...facts, tool: 'refund', prompt_preview: 'hello', approval_step: null },
      ]);
    });

    for (const [name, parts, preview] of PREVIEWS) {
      it(`previews ${name}`, async () => {
        await fixture.append(parts);
        assert.equal((await list({})({ limit: 1 })).entries[0]?.prompt_preview, preview);
      });
    }

    it('accepts a cursor that is not the id of a matching row', async () => {
      const [, blocked, allowed = 0] = await fixture.append({}, { outcome: 'blocked' }, {});
      const { entries } = await list({ blocked: true })({ limit: 5, cursor: allowed });
      assert.deepEqual(idsOf(entries), [blocked]);
    });

    it('finds few matching rows among many others, page by page', async () => {
      const others = Array.from({ length: 8 }, () => ({}));
      const rare = { principalId: 'customer-42' };
      const ids = await fixture.append(...others, rare, ...others, rare, ...others, rare, ...others);
      assert.deepEqual(await found({ principal_id: 'customer-42' }), [ids[26], ids[17], ids[8]]);
    });
  });

  describe('filters', () => {
    for (const [filter, expected] of FILTERS) {
      it(`return ${expected.length === 0 ? 'nothing' : expected.join(', ')} for ${nameOf(filter)}`, async () => {
        const ids = await fixture.append(...ROWS);
        const names = new Map(ids.map((id, index) => [id, ROWS[index]?.requestId]));
        assert.deepEqual(
          (await found(filter)).map((id) => names.get(id)),
          expected,
        );
      });
    }

    it('find a rule that matched, and no match in an exception or without a judgement', async () => {
      const span = [0, 5] as const;
      const one = { ruleId: 'one', span };
      const ids = await fixture.append(
        { matchedRules: [one] },
        { matchedRules: [{ ruleId: 'other', span }, one] },
        { matchedRules: [{ ...one, exception: true }] },
        { matchedRules: [{ ...one, notJudged: true }] },
        { matchedRules: [{ ruleId: 'one_more', span }] },
        { matchedRules: [{ ruleId: ODD_DETECTOR, span }] },
        { matchedRules: [one], control: 'tool_firewall' },
      );
      assert.deepEqual(await found({ matched: ['one'] }), [ids[1], ids[0]]);
      assert.deepEqual(await found({ matched: ['on'] }), []);
      assert.deepEqual(await found({ matched: ['none', 'one', 'one_more'] }), [ids[4], ids[1], ids[0]]);
      assert.deepEqual(await found({ matched: [ODD_DETECTOR.replace('\u0000', '\uFFFD')] }), [ids[5]]);
    });

    for (const { name, given, kept } of [
      ...UNSTORABLE_TEXTS,
      { name: 'a text longer than an index entry', given: LONG_TEXT, kept: LONG_TEXT },
    ]) {
      it(`match ${name} with rows that were stored from the same text, in full length`, async () => {
        const everywhere = (text: string): DecisionParts => ({
          ruleId: text,
          principalId: text,
          application: text,
          prompt: text,
          runId: text,
          requestId: text,
          tool: text,
        });
        const [id] = await fixture.append(everywhere(given), everywhere(`${given.slice(0, -1)}x`));
        const filters: readonly AuditFilter[] = [
          { rule_id: [given] },
          { rule_id: ['none', given] },
          { principal_id: given },
          { application: given },
          { q: given },
          { run_id: given },
          { request_id: given },
          { tool: given },
        ];
        for (const filter of filters) assert.deepEqual(await found(filter), [id]);
        const entry = await audit.find(id ?? 0);
        assert.ok(
          [entry?.ruleId, entry?.principalId, entry?.runId, entry?.prompt].every((text) => text === kept),
        );
      });
    }
  });
};
