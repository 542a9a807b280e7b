import assert from 'node:assert/strict';
import { FACET_FIELDS, type AuditFilter } from '#contracts/audit/filter.js';
import type { AuditListItem } from '#contracts/audit/entry.js';
import { decision, noonPlus, type DecisionParts, NOON } from './builders.js';
import { type Runner, type BackendFixture, entriesOf, pagesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

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
  [
    { blocked: false },
    [
      'odd detector',
      'email and html',
      'old rules',
      'result',
      'call',
      'output',
      'case',
      'hers',
      'observed',
      'plain',
    ],
  ],
  [{ outcome: 'blocked' }, ['early', 'hitl', 'firewall', 'blocked']],
  [{ outcome: 'observed' }, ['output', 'observed']],
  [
    { outcome: 'allowed' },
    ['odd detector', 'email and html', 'old rules', 'result', 'call', 'case', 'hers', 'plain'],
  ],
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

export function auditListContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const list =
    (filter: AuditFilter) =>
    (page: { cursor?: number; limit: number }): ReturnType<typeof fixture.backend.audit.list> =>
      fixture.backend.audit.list(filter, page);

  async function append(count: number, parts: DecisionParts = {}): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) ids.push(await fixture.backend.audit.append(decision(parts)));
    return ids.toReversed();
  }

  describe('facets', () => {
    it('counts the listed entries by value, for every field and filter', async () => {
      const { audit } = fixture.backend;
      for (const row of ROWS) await audit.append(decision(row));
      for (const [filter] of [[{}] as const, ...FILTERS]) {
        const entries = await entriesOf(list(filter), 200);
        for (const field of FACET_FIELDS) {
          const walked = new Map<string | null, number>();
          for (const entry of entries) {
            const value = entry[field];
            walked.set(value, (walked.get(value) ?? 0) + 1);
          }
          const { values, partial } = await audit.facets(field, filter);
          assert.equal(partial, undefined);
          assert.deepEqual(new Map(values.map(({ value, count }) => [value, count])), walked);
          assert.deepEqual(
            values.map(({ count }) => count),
            values.map(({ count }) => count).toSorted((one, other) => other - one),
          );
        }
      }
    });

    it('returns the 50 values with the most entries, and equal ones in their order', async () => {
      const { audit } = fixture.backend;
      const names = Array.from({ length: 52 }, (_, index) => `tool-${String(index).padStart(2, '0')}`);
      for (const tool of [...names, 'tool-51']) await audit.append(decision({ tool }));
      const { values } = await audit.facets('tool', {});
      assert.deepEqual(values, [
        { value: 'tool-51', count: 2 },
        ...names.slice(0, 49).map((value) => ({ value, count: 1 })),
      ]);
    });

    it('is empty if nothing was appended', async () => {
      assert.deepEqual(await fixture.backend.audit.facets('tool', {}), { values: [] });
    });
  });

  describe('list', () => {
    it('lists by a rule that matched, counting no match in an exception', async () => {
      const span = [0, 5] as const;
      const matches = [
        [{ ruleId: 'one', span }],
        [
          { ruleId: 'other', span },
          { ruleId: 'one', span },
        ],
        [{ ruleId: 'one', span, exception: true as const }],
        [{ ruleId: 'one', span, notJudged: true as const }],
        [{ ruleId: 'one_more', span }],
        [{ ruleId: ODD_DETECTOR, span }],
      ];
      const ids = [];
      for (const matchedRules of matches) ids.push(...(await append(1, { matchedRules })));
      await append(1, { control: 'tool_firewall', matchedRules: [{ ruleId: 'one', span }] });
      const idsOf = async (...matchedRules: readonly string[]): Promise<readonly number[]> =>
        (await list({ matched: matchedRules })({ limit: 10 })).entries.map(({ id }) => id);
      assert.deepEqual(await idsOf('one'), [ids[1], ids[0]]);
      assert.deepEqual(await idsOf('on'), []);
      assert.deepEqual(await idsOf('none', 'one', 'one_more'), [ids[4], ids[1], ids[0]]);
      assert.deepEqual(await idsOf(ODD_DETECTOR.replace('\u0000', '\uFFFD')), [ids[5]]);
    });

    it('is one empty page if nothing was appended', async () => {
      assert.deepEqual(await list({})({ limit: 50 }), { entries: [], next_cursor: null });
    });

    it('returns entries with a preview and without the text', async () => {
      const own = {
        control: 'input_screen',
        outcome: 'observed',
        mode: 'monitor',
        origin: 'tool_result',
      } as const;
      const same = { ...own, tool: 'refund', application: 'support', errored: true };
      const [id] = await append(1, {
        ...same,
        ruleId: 'role_override',
        principalId: 'customer-42',
        rulesetVersion: 'builtin-fedcba987654',
        promptLength: 999,
        occurredAt: noonPlus(7),
        requestId: 'request-1',
        runId: 'run-1',
      });
      assert.deepEqual((await list({})({ limit: 50 })).entries, [
        {
          id,
          ...same,
          blocked: false,
          rule_id: 'role_override',
          principal_id: 'customer-42',
          ruleset_version: 'builtin-fedcba987654',
          prompt_length: 999,
          occurred_at: noonPlus(7).toISOString(),
          prompt_preview: 'hello',
          approval_step: null,
        },
      ]);
    });

    for (const [rows, limit, sizes] of [
      [7, 3, [3, 3, 1]],
      [6, 3, [3, 3]],
      [3, 3, [3]],
      [2, 3, [2]],
      [3, 1, [1, 1, 1]],
    ] as const) {
      it(`returns ${rows} rows newest first in pages of ${sizes.join(', ')}; the last cursor is null`, async () => {
        const ids = await append(rows);
        const pages = await pagesOf(list({}), limit);
        assert.deepEqual(
          pages.map((page) => page.entries.length),
          sizes,
        );
        assert.deepEqual(
          pages.flatMap((page) => page.entries.map((entry) => entry.id)),
          ids,
        );
        assert.deepEqual(
          pages.map((page) => page.next_cursor),
          pages.map((page, index) => (index === sizes.length - 1 ? null : page.entries.at(-1)?.id)),
        );
        assert.ok(pages.every((page) => !page.partial));
      });
    }

    it('begins with the newest row without a cursor and with a cursor above every id', async () => {
      const ids = await append(3);
      for (const page of [{ limit: 2 }, { limit: 2, cursor: Number.MAX_SAFE_INTEGER }]) {
        assert.deepEqual(
          (await list({})(page)).entries.map((entry) => entry.id),
          ids.slice(0, 2),
        );
      }
    });

    it('is empty below the lowest id', async () => {
      await append(2);
      assert.deepEqual(await list({})({ limit: 2, cursor: 1 }), {
        entries: [],
        next_cursor: null,
      });
    });

    it('accepts a cursor that is not the id of a matching row', async () => {
      const [, blocked] = [await append(1), ...(await append(1, { outcome: 'blocked' }))];
      const [allowed] = await append(1);
      const page = await list({ blocked: true })({ limit: 5, cursor: allowed ?? 0 });
      assert.deepEqual(
        page.entries.map((entry) => entry.id),
        [blocked],
      );
    });

    it('returns stable pages while newer rows arrive', async () => {
      const ids = await append(6);
      const first = await list({})({ limit: 3 });
      await append(4);
      const second = await list({})({ limit: 3, cursor: first.next_cursor ?? 0 });
      assert.deepEqual(
        [...first.entries, ...second.entries].map((entry) => entry.id),
        ids,
      );
      assert.equal(second.next_cursor, null);
    });

    it('orders by id, not by timestamp', async () => {
      const late = await append(1, { occurredAt: noonPlus(60_000) });
      const early = await append(1, { occurredAt: noonPlus(-60_000) });
      assert.deepEqual(
        (await entriesOf(list({}))).map((entry) => entry.id),
        [...early, ...late],
      );
    });

    it('finds few matching rows among many others, page by page', async () => {
      const rare: number[] = [];
      for (let round = 0; round < 4; round++) {
        await append(8);
        rare.unshift(...(await append(1, { principalId: 'customer-42' })));
      }
      const pages = await pagesOf(list({ principal_id: 'customer-42' }), 2);
      assert.deepEqual(
        pages.map((page) => page.entries.map((entry) => entry.id)),
        [rare.slice(0, 2), rare.slice(2)],
      );
    });

    for (const [name, prompt, preview] of [
      ['a text of 160 characters whole', 'x'.repeat(160), 'x'.repeat(160)],
      ['160 characters of a longer text and an ellipsis', 'x'.repeat(161), `${'x'.repeat(160)}…`],
      ['160 whole emoji and an ellipsis', '😀'.repeat(161), `${'😀'.repeat(160)}…`],
      ['160 emoji without an ellipsis', '😀'.repeat(160), '😀'.repeat(160)],
      ['an empty text', '', ''],
    ] as const) {
      it(`previews ${name}`, async () => {
        await append(1, { prompt });
        assert.equal((await list({})({ limit: 1 })).entries[0]?.prompt_preview, preview);
      });
    }

    for (const storage of ['hash', 'erased'] as const) {
      it(`previews nothing under ${storage}`, async () => {
        await append(1, { storage, prompt: storage === 'hash' ? 'hmac-sha256:00' : '' });
        assert.equal((await list({})({ limit: 1 })).entries[0]?.prompt_preview, null);
      });
    }
  });

  const found = (filter: AuditFilter, limit?: number): Promise<AuditListItem[]> =>
    entriesOf((page) => fixture.backend.audit.list(filter, page), limit);

  describe('filters', () => {
    for (const [filter, expected] of FILTERS) {
      it(`returns ${expected.length === 0 ? 'nothing' : expected.join(', ')} for ${nameOf(filter)}`, async () => {
        const names = new Map<number, string>();
        for (const row of ROWS)
          names.set(await fixture.backend.audit.append(decision(row)), row.requestId ?? '');
        const entries = await found(filter, 2);
        assert.deepEqual(
          entries.map((entry) => names.get(entry.id)),
          expected,
        );
      });
    }

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`accepts ${name} in every filter and matches rows that were stored from the same text`, async () => {
        const { audit } = fixture.backend;
        await audit.append(
          decision({
            ruleId: given,
            principalId: given,
            application: given,
            prompt: given,
            runId: given,
            requestId: given,
            tool: given,
          }),
        );
        for (const filter of [
          { rule_id: [given] },
          { rule_id: ['none', given] },
          { principal_id: given },
          { application: given },
          { q: given },
          { run_id: given },
          { request_id: given },
          { tool: given },
        ]) {
          const [entry] = await found(filter);
          assert.equal(entry?.prompt_preview, kept);
        }
      });
    }
  });
}

function nameOf(filter: AuditFilter): string {
  return Object.entries(filter)
    .map(([key, value]) => `${key}=${value instanceof Date ? value.toISOString().slice(11) : String(value)}`)
    .join(' ');
}
