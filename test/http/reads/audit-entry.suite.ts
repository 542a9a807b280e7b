import { describe, expect } from '@jest/globals';
import type { AuditDetailData } from '#contracts/audit/entry.js';
import type { ByteSpan } from '#contracts/common/spans.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { INJECTION, keep, lookup, PLANTED, TRUNCATE_AT, under, unique } from './material.js';

type Entry = AuditDetailData['entry'];

/** The part of a field that a span selects. */
function cut(text: string, span: ByteSpan): string {
  return Buffer.from(text)
    .subarray(...span)
    .toString();
}

const EMAIL = 'jane.roe@example.com';

export function describeAuditEntry(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const entry = async (id: number | null): Promise<Entry> =>
    (await bench.read<AuditDetailData>(`/audit/${id}`)).entry;
  const screened = async (prompt: string, storage: string): Promise<Entry> =>
    under(bench, { 'audit_hygiene.prompt_storage': storage }, async () =>
      entry((await bench.host.guardrails.screen(prompt)).auditId),
    );

  describe('contract 5: GET /audit/{id}', () => {
    itOnEachStore('contract 5: list and entry show the evidence with exactly these fields', async () => {
      bench.clock.set('2031-02-03T04:05:06.789Z');
      const context = { principalId: 'customer-42', application: unique('shop') };
      const verdict = await bench.host.guardrails.screen(INJECTION, {
        ...context,
        requestId: 'request-7',
        runId: 'run-7',
      });
      const inBoth = {
        id: verdict.auditId,
        control: 'input_screen',
        blocked: true,
        outcome: 'blocked',
        mode: 'enforce',
        origin: 'prompt',
        rule_id: verdict.ruleId,
        principal_id: 'customer-42',
        application: context.application,
        ruleset_version: verdict.rulesetVersion,
        prompt_length: INJECTION.length,
        errored: false,
        occurred_at: '2031-02-03T04:05:06.789Z',
        tool: null,
        approval_step: null,
      };
      expect(await bench.read(`/audit?application=${context.application}`)).toEqual({
        entries: [{ ...inBoth, prompt_preview: INJECTION }],
        next_cursor: null,
      });
      expect(await bench.read(`/audit/${verdict.auditId}`)).toEqual({
        entry: {
          ...inBoth,
          prompt: INJECTION,
          prompt_storage: 'redact',
          errored_rule_ids: [],
          not_judged_rule_ids: [],
          matched_span: expect.any(Array),
          matched_text: expect.any(String),
          matched_rules: expect.any(Array),
          classifier_words: expect.any(Array),
          findings: [],
          finding_count: 0,
          request_id: 'request-7',
          run_id: 'run-7',
          rendering: null,
          violations: null,
          run: null,
          approval_id: null,
          previous_id: expect.any(Number),
          next_id: null,
          reviews: [],
          duration_us: expect.any(Number),
        },
      });
    });

    it('an allowed prompt has empty lists, not null', async () => {
      const { auditId } = await bench.host.guardrails.screen('Good morning');
      expect(await entry(auditId)).toMatchObject({
        matched_span: null,
        matched_text: null,
        matched_rules: [],
        errored_rule_ids: [],
        rule_id: null,
      });
    });

    it('lists the rules that failed', async () => {
      const { auditId } = await bench.host.guardrails.screen('unreadable');
      expect(await entry(auditId)).toMatchObject({ errored: true, errored_rule_ids: ['brittle'] });
    });

    it('contract 4: shows a tool call with its tool', async () => {
      const application = unique('shop');
      const guarded = bench.host.guardrails.guardTool(lookup, { application, runId: 'run-8' });
      await guarded.execute({ order: 'A-1182' });
      const { entries } = await bench.read<{ entries: { id: number }[] }>(
        `/audit?control=tool_firewall&application=${application}`,
      );
      expect(await entry(entries[0]?.id ?? 0)).toMatchObject({
        control: 'tool_firewall',
        origin: 'tool_call',
        outcome: 'allowed',
        tool: 'lookup_order',
        run_id: 'run-8',
        prompt: '{"order":"A-1182"}',
      });
    });

    itOnEachStore('shows the violations of a rejected tool call', async () => {
      const application = unique('shop');
      const guarded = bench.host.guardrails.guardTool(lookup, { application });
      expect(await guarded.execute({ order: 7 })).toMatchObject({ status: 'refused' });
      const { entries } = await bench.read<{ entries: { id: number }[] }>(
        `/audit?control=tool_firewall&application=${application}`,
      );
      expect(await entry(entries[0]?.id ?? 0)).toMatchObject({
        outcome: 'blocked',
        violations: { order: expect.stringContaining('string') },
      });
    });

    itOnEachStore('shows the findings of an output, and their places in the stored text', async () => {
      const { auditId } = await bench.host.guardrails.sanitize(`😀 <div>hi</div> mail ${EMAIL}`);
      const shown = await entry(auditId);
      expect(
        shown.findings.map(({ kind, detector, span }) => [kind, detector, cut(shown.prompt, span ?? [0, 0])]),
      ).toEqual([
        ['html_stripped', 'html', '<div>'],
        ['html_stripped', 'html', '</div>'],
        ['pii_redaction', 'email', '[email]'],
      ]);
      expect(shown.finding_count).toBe(3);
      expect(JSON.stringify(shown)).not.toContain(EMAIL);
    });

    it('shows findings of an erased output without their place', async () => {
      const findings = [{ kind: 'pii_redaction', detector: 'email', span: [0, 7] }] as const;
      const [id = 0] = await keep(bench, [decision({ storage: 'erased', prompt: '', findings })]);
      expect(await entry(id)).toMatchObject({ findings: [{ ...findings[0], span: null }], finding_count: 1 });
    });

    it('shows findings in a structure without their place', async () => {
      const { auditId } = await bench.host.guardrails.sanitizeStructured({ note: `mail ${EMAIL}` }, null);
      expect((await entry(auditId)).findings).toEqual([
        { kind: 'pii_redaction', detector: 'email', span: null },
      ]);
    });

    itOnEachStore('links the nearest entries of the same control', async () => {
      const [first = 0, , second = 0, third = 0] = await keep(bench, [
        decision({ control: 'hitl' }),
        decision({ control: 'output_handler' }),
        decision({ control: 'hitl' }),
        decision({ control: 'hitl' }),
      ]);
      expect(await entry(second)).toMatchObject({ previous_id: first, next_id: third });
      expect(await entry(third)).toMatchObject({ previous_id: second, next_id: null });
    });

    it.each([
      `${PLANTED}.`,
      `Ünïcödé 😀👩‍👩‍👧 漢字: ${PLANTED}. ✓`,
      `é ｐｌａｎｔｅｄ ｗｏｒｄｓ in full width`,
      '漢'.repeat(50) + PLANTED + '😀'.repeat(50),
    ])('spans are UTF-8 bytes of the prompt: %s', async (prompt) => {
      const shown = await screened(prompt, 'raw');
      expect(shown).toMatchObject({
        prompt,
        prompt_storage: 'raw',
        prompt_length: Array.from(prompt).length,
      });
      expect(shown.matched_rules.length).toBeGreaterThan(0);
      expect(shown.matched_rules[0]).toEqual({ rule_id: shown.rule_id, span: shown.matched_span });
      for (const { span } of shown.matched_rules) {
        expect(prompt).toContain(cut(prompt, span ?? [0, 0]));
        expect(cut(prompt, span ?? [0, 0])).not.toContain('\uFFFD');
      }
      expect(shown.matched_text).toBe(cut(shown.prompt, shown.matched_span ?? [0, 0]));
      expect(shown.matched_text?.normalize('NFKC').toLowerCase()).toBe('planted words');
    });

    it('contract 5: spans lie in the redacted prompt, or are null where redaction changed the match', async () => {
      const around = await screened(`I am ${EMAIL}. ${PLANTED}, and ${EMAIL}`, 'redact');
      const [match] = around.matched_rules;
      expect(cut(around.prompt, match?.span ?? [0, 0])).toBe(PLANTED);
      const inside = await screened(`${PLANTED}. ${'x'.repeat(150)}`, 'truncate');
      expect(inside.matched_rules.map(({ span }) => span)).toEqual([[0, PLANTED.length]]);
      const behind = await screened(`${'x'.repeat(150)} ${PLANTED}.`, 'truncate');
      const hashed = await screened(PLANTED, 'hash');
      for (const { matched_rules: matches } of [behind, hashed])
        expect(matches.map(({ span }) => span)).toEqual([null]);
    });

    it('raw keeps every byte of the prompt, also personal data', async () => {
      const prompt = `I am ${EMAIL}. ${PLANTED}`;
      expect(await screened(prompt, 'raw')).toMatchObject({ prompt, prompt_storage: 'raw' });
    });

    it('has the matched text but no span if redaction before the match moved it', async () => {
      const prompt = `I am ${EMAIL}. ${PLANTED}`;
      const shown = await screened(prompt, 'redact');
      expect(shown).toMatchObject({
        prompt_storage: 'redact',
        matched_span: null,
        matched_text: PLANTED,
      });
      expect(JSON.stringify(shown)).not.toContain(EMAIL);
      // A rule keeps its place, in the prompt as it is stored.
      expect(cut(shown.prompt, shown.matched_rules[0]?.span ?? [0, 0])).toBe(shown.matched_text);
    });

    it('keeps the span if only text after the match was redacted', async () => {
      const shown = await screened(`Ünd: ${PLANTED}. I am ${EMAIL}.`, 'redact');
      expect(shown.matched_span).not.toBeNull();
      expect(cut(shown.prompt, shown.matched_span ?? [0, 0])).toBe(shown.matched_text);
      expect(JSON.stringify(shown)).not.toContain(EMAIL);
    });

    it('the matched text is redacted with the prompt', async () => {
      const shown = await under(
        bench,
        { 'input_screen.patterns': { mailed: '/mail\\s+\\S+@\\S+\\s+now/i' } },
        () => screened(`please mail ${EMAIL} now`, 'redact'),
      );
      expect(shown).toMatchObject({ rule_id: 'mailed', matched_span: null });
      expect(shown.prompt).toContain(shown.matched_text);
      expect(JSON.stringify(shown)).not.toContain(EMAIL);
    });

    it('truncate keeps the beginning, and the span and text of a match within it', async () => {
      const prompt = `😀 ${PLANTED} ${'é'.repeat(200)}`;
      const shown = await screened(prompt, 'truncate');
      expect(shown.prompt).toBe(Array.from(prompt).slice(0, TRUNCATE_AT).join(''));
      expect(shown).toMatchObject({ prompt_storage: 'truncate', prompt_length: Array.from(prompt).length });
      expect(cut(shown.prompt, shown.matched_span ?? [0, 0])).toBe(shown.matched_text);
    });

    it.each([TRUNCATE_AT, TRUNCATE_AT - 10])(
      'a match that begins at %i was truncated, and has neither span nor text',
      async (start) => {
        const prompt = `${'é'.repeat(start - 1)} ${PLANTED}`;
        const shown = await screened(prompt, 'truncate');
        expect(shown).toMatchObject({ blocked: true, matched_span: null, matched_text: null });
        expect(shown.prompt).toBe(Array.from(prompt).slice(0, TRUNCATE_AT).join(''));
        expect(shown.matched_rules[0]?.span).toBeNull();
      },
    );

    it('hash keeps a keyed digest and nothing of the text', async () => {
      const shown = await screened(PLANTED, 'hash');
      expect(shown).toMatchObject({
        prompt: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
        prompt_storage: 'hash',
        matched_span: null,
        matched_text: null,
        blocked: true,
      });
      expect(shown.matched_rules.length).toBeGreaterThan(0);
      expect(JSON.stringify(shown)).not.toMatch(/planted words/i);
      expect((await screened(PLANTED, 'hash')).prompt).toBe(shown.prompt);
      expect((await screened(`${PLANTED}!`, 'hash')).prompt).not.toBe(shown.prompt);
    });

    itOnEachStore('an erased prompt is an empty string', async () => {
      const [id = 0] = await keep(bench, [decision({ storage: 'erased', prompt: '', promptLength: 12 })]);
      expect(await entry(id)).toMatchObject({ prompt: '', prompt_storage: 'erased', prompt_length: 12 });
    });

    itOnEachStore(
      'contract 3.5: replaces characters of stored text that UTF-8 cannot represent',
      async () => {
        const sent = `a\uD83Db\u0000c\uDE00 ${PLANTED} \uDFFF`;
        const shown = await screened(sent, 'raw');
        expect(shown.prompt).toBe(`a\uFFFDb\uFFFDc\uFFFD ${PLANTED} \uFFFD`);
        expect(cut(shown.prompt, shown.matched_span ?? [0, 0])).toBe(shown.matched_text);
      },
    );

    it.each(['?cursor=abc', '?limit=-1&q=%ED%A0%80', '?id=7', '?'])(
      'contract 3.4: ignores an unknown query: %s',
      async (unknown) => {
        const { auditId } = await bench.host.guardrails.screen('Good morning');
        expect((await bench.read<AuditDetailData>(`/audit/${auditId}${unknown}`)).entry.id).toBe(auditId);
      },
    );
  });
}
