import { beforeAll, describe, expect } from '@jest/globals';
import { factsOf, type AuditListData, type AuditListItem } from '#contracts/audit/entry.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { keep, query, unique, type QueryParameters } from './material.js';

type Filter = readonly [value: string, keeps: (row: AuditListItem) => boolean];

const nameOf = (key: string): string => key.split('=')[0] ?? key;

export function describeAuditList(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const list = (parameters: QueryParameters): Promise<AuditListData> =>
    bench.read<AuditListData>(`/audit${query(parameters)}`);
  const ids = async (parameters: QueryParameters): Promise<number[]> =>
    (await list(parameters)).entries.map(({ id }) => id);

  describe('GET /audit', () => {
    it('contract 4: records an allowed prompt, with null for unknown values', async () => {
      const application = unique('shop');
      await bench.host.guardrails.screen('What are your opening hours?', { application });
      expect((await list({ application })).entries).toMatchObject([
        { outcome: 'allowed', blocked: false, rule_id: null, principal_id: null, origin: 'prompt' },
      ]);
    });

    it('contract 4: a prompt that could not be judged is errored, and blocked', async () => {
      const application = unique('shop');
      await bench.host.guardrails.screen('unreadable', { application });
      expect((await list({ application })).entries).toMatchObject([
        { outcome: 'blocked', errored: true, rule_id: null },
      ]);
    });

    it('contract 4: shows input_screen by default, another control by name, and all controls with `all`', async () => {
      const application = unique('shop');
      const kept = await keep(
        bench,
        CONTROL_KEYS.map((control) => decision({ control, application })),
      );
      expect(await ids({ application })).toEqual([kept[1]]);
      for (const [index, control] of CONTROL_KEYS.entries()) {
        expect(await ids({ application, control })).toEqual([kept[index]]);
      }
      expect(await ids({ application, control: 'all' })).toEqual(kept.toReversed());
    });

    itOnEachStore(
      'contract 5: previews 160 characters, then an ellipsis; and counts the length in code points',
      async () => {
        const application = unique('shop');
        const prompts = ['a'.repeat(160), 'a'.repeat(161), '😀'.repeat(160), `${'😀'.repeat(160)}é`];
        await keep(
          bench,
          prompts.map((prompt) => decision({ application, prompt })),
        );
        const { entries } = await list({ application });
        expect(entries.map((entry) => [entry.prompt_preview, entry.prompt_length]).toReversed()).toEqual([
          ['a'.repeat(160), 160],
          [`${'a'.repeat(160)}…`, 161],
          ['😀'.repeat(160), 160],
          [`${'😀'.repeat(160)}…`, 161],
        ]);
      },
    );

    it('contract 5: has no preview if storage keeps no text', async () => {
      const application = unique('shop');
      await keep(bench, [
        decision({ application, storage: 'erased', prompt: '' }),
        decision({ application, storage: 'hash', prompt: `hmac-sha256:${'0'.repeat(64)}` }),
      ]);
      const { entries } = await list({ application });
      expect(entries.map((entry) => entry.prompt_preview)).toEqual([null, null]);
    });

    it('contract 3.7: returns 50 by default, at most 200, and otherwise the requested number', async () => {
      const application = unique('shop');
      await Promise.all(
        Array.from({ length: 203 }, () => bench.stores.audit.append(decision({ application }))),
      );
      const shown = async (limit: Record<string, string>): Promise<number> =>
        (await list({ application, ...limit })).entries.length;
      expect(await shown({})).toBe(50);
      expect(await shown({ limit: '1' })).toBe(1);
      expect(await shown({ limit: '200' })).toBe(200);
      for (const limit of ['201', '1000000', '9'.repeat(400)]) expect(await shown({ limit })).toBe(200);
    });

    itOnEachStore('contract 3.7: next_cursor is the last id shown, and null on the last page', async () => {
      const application = unique('shop');
      const kept = await keep(
        bench,
        Array.from({ length: 4 }, () => decision({ application })),
      );
      expect(await list({ application, limit: 3 })).toMatchObject({ next_cursor: kept[1] });
      expect(await list({ application, limit: 4 })).toMatchObject({ next_cursor: null });
      expect(await list({ application, limit: 4, q: 'hello' })).toMatchObject({ next_cursor: null });
      expect(await ids({ application, cursor: kept[1] ?? 0 })).toEqual([kept[0]]);
      expect(await list({ application, cursor: kept[0] ?? 0 })).toEqual({ entries: [], next_cursor: null });
      expect(await ids({ application, cursor: 2 ** 53 - 1 })).toEqual(kept.toReversed());
    });

    describe('contract 5: filters', () => {
      const scope = unique('shop');
      const names = { rule_id: unique('rule'), principal_id: unique('customer'), q: unique('Needle') };
      const window = { from: '2026-05-02', to: '2026-05-03T12:00Z' };
      let rows: readonly AuditListItem[] = [];

      /** A second implementation of each filter, written from the contract. */
      const filters: Readonly<Record<string, Filter>> = {
        'blocked=true': ['true', (row) => row.blocked],
        'blocked=0': ['0', (row) => !row.blocked],
        'outcome=observed': ['observed', (row) => row.outcome === 'observed'],
        'control=all': ['all', () => true],
        'control=hitl': ['hitl', (row) => row.control === 'hitl'],
        rule_id: [names.rule_id, (row) => row.rule_id === names.rule_id],
        principal_id: [names.principal_id, (row) => row.principal_id === names.principal_id],
        application: [scope, (row) => row.application === scope],
        q: [names.q.toUpperCase(), (row) => row.prompt_preview?.includes(names.q) === true],
        origin: ['tool_result', (row) => row.origin === 'tool_result'],
        'errored=true': ['true', (row) => row.errored],
        'errored=0': ['0', (row) => !row.errored],
        ruleset_version: [RULESET, (row) => row.ruleset_version === RULESET],
        from: [window.from, (row) => row.occurred_at >= '2026-05-02T00:00:00.000Z'],
        to: [window.to, (row) => row.occurred_at <= '2026-05-03T12:00:00.000Z'],
      };
      const keys = Object.keys(filters);

      beforeAll(async () => {
        const outcomes = ['allowed', 'observed', 'blocked'] as const;
        const days = ['2026-05-01T23:59:59.999Z', '2026-05-02T00:00:00.000Z', '2026-05-03T12:00:00.001Z'];
        const decisions = Array.from({ length: 72 }, (_, index) =>
          decision({
            application: index % 5 === 4 ? unique('other') : scope,
            control: index % 7 === 3 ? 'hitl' : 'input_screen',
            outcome: outcomes[index % 3] ?? 'allowed',
            ruleId: index % 4 === 0 ? null : names.rule_id.slice(0, index % 4 === 1 ? -1 : undefined),
            principalId: index % 11 < 5 ? names.principal_id : `${names.principal_id}0`,
            origin: index % 8 < 3 ? 'tool_result' : 'prompt',
            errored: index % 9 === 0,
            ...(index % 10 < 4 && { rulesetVersion: RULESET }),
            prompt: index % 2 === 0 ? `a ${names.q} in hay` : 'only hay',
            occurredAt: new Date(days[Math.floor(index / 6) % 3] ?? ''),
          }),
        );
        const kept = await keep(bench, decisions);
        rows = kept
          .map((id, index): AuditListItem => {
            const { evidence, content } = decisions[index] ?? decision();
            const { tool, approvalStep } = evidence;
            return {
              ...factsOf({ id, ...evidence }),
              tool,
              prompt_preview: content.prompt,
              approval_step: approvalStep,
            };
          })
          .toReversed();
      });

      const check = async (chosen: readonly string[]): Promise<void> => {
        const used = chosen.map((key) => filters[key] ?? NOTHING);
        const parameters = Object.fromEntries(
          [...chosen, 'application'].map((key) => [nameOf(key), filters[key]?.[0] ?? '']),
        );
        const ofDefaultControl = 'control' in parameters ? () => true : isScreening;
        const expected = rows.filter(
          (row) =>
            row.application === scope && ofDefaultControl(row) && used.every(([, keeps]) => keeps(row)),
        );
        expect((await list({ ...parameters, limit: 200 })).entries).toEqual(expected);
      };

      it.each(keys)('%s alone returns exactly its rows', async (key) => check([key]));

      itOnEachStore.each(keys)('%s with any other filter returns exactly the rows of both', async (key) => {
        for (const other of keys.slice(keys.indexOf(key) + 1))
          if (nameOf(other) !== nameOf(key)) await check([key, other]);
      });

      it('combined filters return the rows that match all of them', () =>
        check(['blocked=true', 'rule_id', 'principal_id', 'application', 'q', 'from', 'to']));

      it('blocked accepts true, false, 1 and 0', async () => {
        const application = scope;
        expect(await ids({ application, blocked: 'true' })).toEqual(await ids({ application, blocked: '1' }));
        expect(await ids({ application, blocked: 'false' })).toEqual(
          await ids({ application, blocked: '0' }),
        );
        expect(await ids({ application, blocked: '1', outcome: 'allowed' })).toEqual([]);
      });
    });

    itOnEachStore('contract 5: finds a run, a request and a tool', async () => {
      const [run, request, tool] = [unique('run'), unique('request'), unique('tool')];
      const [first, second] = await keep(bench, [
        decision({ runId: run, requestId: request }),
        decision({ runId: run, tool, control: 'tool_firewall', origin: 'tool_call' }),
        decision({ runId: `${run}0` }),
      ]);
      expect(await ids({ run_id: run, control: 'all' })).toEqual([second, first]);
      expect(await ids({ run_id: run })).toEqual([first]);
      expect(await ids({ request_id: request })).toEqual([first]);
      expect(await ids({ tool, control: 'all' })).toEqual([second]);
      expect(await ids({ tool, request_id: request, control: 'all' })).toEqual([]);
    });

    describe('times', () => {
      const application = unique('shop');
      const moments = [
        '2026-05-01T23:59:59.999Z',
        '2026-05-02T00:00:00.000Z',
        '2026-05-02T10:30:00.000Z',
        '2026-05-02T23:59:59.999Z',
        '2026-05-03T00:00:00.000Z',
      ];

      beforeAll(async () => {
        await keep(
          bench,
          moments.map((moment) => decision({ application, occurredAt: new Date(moment) })),
        );
      });

      itOnEachStore.each([
        { range: { from: '2026-05-02' }, shown: [1, 2, 3, 4] },
        { range: { to: '2026-05-02' }, shown: [0, 1, 2, 3] },
        { range: { from: '2026-05-02', to: '2026-05-02' }, shown: [1, 2, 3] },
        { range: { from: '2026-05-02T10:30', to: '2026-05-02T10:30' }, shown: [2] },
        { range: { from: '2026-05-02T10:30:00', to: '2026-05-02T10:30:00.000' }, shown: [2] },
        { range: { from: '2026-05-02T10:30:00.001Z', to: '2026-05-02T23:59:59.998Z' }, shown: [] },
        { range: { from: '2026-05-01T23:59:59.999Z', to: '2026-05-02T00:00Z' }, shown: [0, 1] },
        { range: { from: '2026-05-02T12:30:00+02:00', to: '2026-05-02T05:00-05:30' }, shown: [2] },
        { range: { to: '2026-05-01T23:59:59.999-00:00' }, shown: [0] },
        { range: { from: '2026-05-03T23:59+23:59' }, shown: [4] },
        { range: { from: '0001-01-01', to: '9999-12-31' }, shown: [0, 1, 2, 3, 4] },
        { range: { from: '2024-02-29', to: '2026-05-01' }, shown: [0] },
      ])('contract 3.3: $range is inclusive at both ends', async ({ range, shown }) => {
        const { entries } = await list({ application, ...range });
        expect(entries.map(({ occurred_at }) => occurred_at).toReversed()).toEqual(
          shown.map((index) => moments[index]),
        );
      });
    });
  });
}

const RULESET = 'builtin-0123456789ab';

const NOTHING: Filter = ['', () => false];

function isScreening(row: AuditListItem): boolean {
  return row.control === 'input_screen';
}
