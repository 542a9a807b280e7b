import { describe, expect } from '@jest/globals';
import type { OverviewData } from '#contracts/overview/overview.api.js';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { AuditTrendData } from '#contracts/audit/counts.js';
import type { RuleListData } from '#contracts/screening/rules.api.js';
import type { MatchedRule } from '#contracts/screening/screening.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { allRules, INJECTION, keep, PLANTED, under } from './material.js';

const HOUR = 3_600_000;
const GROUP = 'instruction_override.ignore_previous';
const BUILT_IN = `${GROUP}.ignore`;

function withoutPattern(rule: RuleListData['rules'][number]): object {
  const left = ['pattern', 'examples', 'near_misses'];
  return Object.fromEntries(Object.entries(rule).filter(([name]) => !left.includes(name)));
}

export function describeRules(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  type Rule = RuleListData['rules'][number];
  const list = (query = ''): Promise<RuleListData> => allRules(bench, query);
  const rule = async (id: string): Promise<Rule | undefined> =>
    (await list()).rules.find((shown) => shown.id === id);

  describe('contract 8: GET /rules', () => {
    it('shows every rule with exactly these fields, also rules without matches', async () => {
      bench.clock.set('2051-01-01T00:00:00.000Z');
      const { rules, groups, screeners, ...rest } = await list();
      const { ruleset_version } = await bench.read<OverviewData>('/overview');
      expect(rest).toEqual({
        retired: [],
        next_cursor: null,
        total: rules.length,
        ruleset_version,
        as_of: '2051-01-01T00:00:00.000Z',
      });
      const none = { true_positive: 0, false_positive: 0, unsure: 0, precision: null };
      expect(screeners).toEqual([
        {
          id: 'classifier',
          source: 'built_in',
          mode: 'enforce',
          hits_24h: 0,
          silenced_24h: 0,
          reviews: none,
        },
        { id: 'brittle', source: 'host', mode: 'enforce', hits_24h: 0, silenced_24h: 0, reviews: none },
      ]);
      for (const shown of rules) {
        expect(shown).toEqual({
          id: expect.stringMatching(/^[a-z][a-z0-9_.-]{0,99}$/),
          group: shown.id === 'planted' ? 'planted' : shown.id.slice(0, shown.id.lastIndexOf('.')),
          pattern: expect.stringMatching(/^\/.{1,400}\/[a-z]*$/s),
          description: expect.stringMatching(/\S/),
          rationale: shown.id === 'planted' ? '' : expect.stringMatching(/\S/),
          examples: shown.id === 'planted' ? [] : [expect.any(String), expect.any(String)],
          near_misses: shown.id === 'planted' ? [] : expect.arrayContaining([expect.any(String)]),
          severity: expect.stringMatching(/^(low|medium|high|critical)$/),
          tags: expect.any(Array),
          owasp: expect.arrayContaining([expect.stringMatching(/^(?:LLM0[1-9]:2025|ASI0[1-9])$/)]),
          references: shown.id === 'planted' ? [] : [expect.stringMatching(/^AML\.T/), 'CWE-1427'],
          origins: shown.id.startsWith('embedded.')
            ? ['document', 'tool_result']
            : ['prompt', 'document', 'tool_result'],
          profile: { high: 'lenient', medium: 'balanced', low: 'strict' }[shown.confidence],
          confidence: expect.stringMatching(/^(high|medium|low)$/),
          source: shown.id === 'planted' ? 'settings' : 'built_in',
          mode: shown.confidence === 'low' ? 'monitor' : 'enforce',
          hits_24h: 0,
          silenced_24h: 0,
          reviews: { true_positive: 0, false_positive: 0, unsure: 0, precision: null },
        });
      }
      expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
      expect(groups.flatMap((group) => group.rules)).toEqual(rules.map(({ id }) => id));
      for (const { id, rules: ids, ...group } of groups) {
        expect(rules.filter((shown) => shown.group === id).map((shown) => shown.id)).toEqual(ids);
        expect(group).toEqual({
          description: expect.stringMatching(/\S/),
          hits_24h: 0,
          silenced_24h: 0,
          reviews: { true_positive: 0, false_positive: 0, unsure: 0, precision: null },
        });
      }
      const figures = {
        hits_24h: 0,
        silenced_24h: 0,
        reviews: { true_positive: 0, false_positive: 0, unsure: 0, precision: null },
      };
      expect(screeners).toEqual([
        { id: 'classifier', source: 'built_in', mode: 'enforce', ...figures },
        { id: 'brittle', source: 'host', mode: 'enforce', ...figures },
      ]);
    });

    it('leaves out the patterns with fields=summary', async () => {
      const full = await list();
      const summary = await list('&fields=summary');
      expect(summary.rules).toEqual(full.rules.map((shown) => withoutPattern(shown)));
    });

    itOnEachStore(
      'contract 5: GET /audit lists with matched what hits_24h counts, deciding or not',
      async () => {
        bench.clock.set('2058-01-02T12:00:00.000Z');
        const at = (hours: number): Date => new Date(Date.parse('2058-01-02T12:00:00.000Z') - hours * HOUR);
        const span = [0, 5] as const;
        const screened = (hours: number, matchedRules: readonly MatchedRule[]) =>
          decision({ matchedRules, occurredAt: at(hours) });
        await keep(bench, [
          screened(1, [{ ruleId: 'seen', span }]),
          screened(2, [
            { ruleId: 'other', span },
            { ruleId: 'seen', span },
            { ruleId: 'seen', span },
          ]),
          screened(3, [
            { ruleId: 'other', span },
            { ruleId: 'seen', span, exception: true },
          ]),
          screened(4, [{ ruleId: 'seen.more', span }]),
          decision({
            control: 'output_handler',
            matchedRules: [{ ruleId: 'seen', span }],
            occurredAt: at(1),
          }),
        ]);
        const hits = await bench.stores.overview.ruleHits(at(0));
        const { entries } = await bench.read<AuditListData>(
          `/audit?matched=seen&from=${at(24).toISOString()}&to=${at(0).toISOString()}`,
        );
        expect(entries.map(({ occurred_at: time }) => time)).toEqual(
          [at(2), at(1)].map((time) => time.toISOString()),
        );
        expect(hits.get('seen')?.hits).toBe(entries.length);
      },
    );

    itOnEachStore(
      'sums the hits of a group, and ?rule_id of a group finds the rows of its rules and its own',
      async () => {
        bench.clock.set('2059-01-02T12:00:00.000Z');
        const at = (hours: number): Date => new Date(Date.parse('2059-01-02T12:00:00.000Z') - hours * HOUR);
        const decided = (hours: number, ruleId: string) =>
          decision({ ruleId, matchedRules: [{ ruleId, span: [0, 5] }], occurredAt: at(hours) });
        const other = `${GROUP}.override`;
        await keep(bench, [
          decided(1, BUILT_IN),
          decided(2, other),
          decided(3, GROUP),
          decided(4, 'instruction_override.ignore_previous_text.ignore_statements'),
        ]);
        const { groups } = await list();
        expect(groups.find(({ id }) => id === GROUP)).toMatchObject({ hits_24h: 3, silenced_24h: 0 });
        const range = `from=${at(24).toISOString()}&to=${at(0).toISOString()}`;
        const found = async (filter: string): Promise<readonly (string | null)[]> =>
          (await bench.read<AuditListData>(`/audit?${filter}&${range}`)).entries.map(
            (entry) => entry.rule_id,
          );
        expect(await found(`rule_id=${GROUP}`)).toEqual([GROUP, other, BUILT_IN]);
        expect(await found(`matched=${GROUP}`)).toEqual([GROUP, other, BUILT_IN]);
        expect(await found(`rule_id=${BUILT_IN}`)).toEqual([BUILT_IN]);
        const trend = await bench.read<AuditTrendData>(`/audit/trend?rule_id=${GROUP}&${range}`);
        expect(trend.points.reduce((sum, { total }) => sum + total, 0)).toBe(3);
      },
    );

    it('contract 6: lists built-in rules first, then patterns by id', async () => {
      const before = (await list()).rules.map(({ id }) => id).filter((id) => id !== 'planted');
      const patterns = { pear: 'pear', [BUILT_IN]: 'replaced', apple: '/apple/' };
      await under(bench, { 'input_screen.patterns': patterns }, async () => {
        const { rules } = await list();
        expect(rules.map(({ id }) => id)).toEqual([...before, 'apple', 'pear']);
        expect(
          rules.filter(({ source }) => source === 'settings').map(({ id, pattern }) => [id, pattern]),
        ).toEqual([
          [BUILT_IN, '/replaced/i'],
          ['apple', '/apple/'],
          ['pear', '/pear/i'],
        ]);
      });
    });

    it('contract 6: shows silenced rules in order, and every rule with its effective mode', async () => {
      const { rules: before } = await list();
      const modes = { planted: 'off', [BUILT_IN]: 'monitor' };
      await under(bench, { 'input_screen.rule_modes': modes }, async () => {
        const { rules } = await list();
        expect(rules.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
        for (const { id, mode, confidence } of rules) {
          const unset = confidence === 'low' ? 'monitor' : 'enforce';
          expect([id, mode]).toEqual([id, id in modes ? modes[id as keyof typeof modes] : unset]);
        }
      });
    });

    it.each([
      [{ 'modes.input_screen': 'monitor' }, 'off', 'monitor'],
      [{ 'modes.input_screen': 'off' }, 'off', 'off'],
      [{ 'input_screen.enabled': false }, 'off', 'off'],
    ] as const)(
      'contract 4: under %j no rule is stricter than the control',
      async (settings, silenced, others) => {
        const modes = { 'input_screen.rule_modes': { planted: 'off', [BUILT_IN]: 'enforce' } };
        await under(bench, { ...settings, ...modes }, async () => {
          expect([(await rule('planted'))?.mode, (await rule(BUILT_IN))?.mode]).toEqual([silenced, others]);
        });
      },
    );

    itOnEachStore('counts each matching screening once, also if another rule decided it', async () => {
      bench.clock.set('2052-01-01T00:00:00.000Z');
      const { guardrails } = bench.host;
      await guardrails.screen(`${PLANTED}, and once more: ${PLANTED}`);
      const both = await guardrails.screen(`${INJECTION}. ${PLANTED}`);
      await guardrails.screen('Good morning');
      expect(both.ruleId).not.toBe('planted');
      expect((await rule('planted'))?.hits_24h).toBe(2);
      const matched = new Set(both.matchedRules.map(({ ruleId }) => ruleId));
      const { rules } = await list();
      expect(rules.filter(({ hits_24h }) => hits_24h > 0).map(({ id }) => id)).toEqual(
        rules.map(({ id }) => id).filter((id) => matched.has(id)),
      );
    });

    itOnEachStore('counts exactly the screenings of the trailing 24 hours', async () => {
      const asOf = new Date('2053-06-15T10:30:00.000Z');
      bench.clock.set(asOf);
      const matchedRules = [{ ruleId: 'planted', span: [0, 1] as const }];
      await keep(bench, [
        ...[-1, 0, HOUR, 24 * HOUR - 1, 24 * HOUR].map((age) =>
          decision({ matchedRules, occurredAt: new Date(asOf.getTime() - age) }),
        ),
        decision({ matchedRules, occurredAt: asOf, control: 'output_handler' }),
      ]);
      expect((await rule('planted'))?.hits_24h).toBe(3);
    });

    it('is read in pages of 50, or of up to 200 with limit', async () => {
      const { rules, groups } = await list();
      const [first, second] = [
        await bench.read<RuleListData>('/rules'),
        await bench.read<RuleListData>('/rules?cursor=50&limit=3'),
      ];
      expect(first).toMatchObject({ next_cursor: 50, total: rules.length });
      expect(first.rules).toEqual(rules.slice(0, 50));
      expect(JSON.stringify(first).length).toBeLessThan(100_000);
      expect(second).toMatchObject({ rules: rules.slice(50, 53), next_cursor: 53 });
      expect(groups.flatMap((group) => group.rules)).toHaveLength(rules.length);
      expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
      const [last, beyond] = [
        await bench.read<RuleListData>(`/rules?cursor=${rules.length - 1}`),
        await bench.read<RuleListData>('/rules?cursor=9007199254740991'),
      ];
      expect(last).toMatchObject({ rules: rules.slice(-1), next_cursor: null });
      expect(beyond).toMatchObject({ rules: [], groups: [], next_cursor: null });
    });
  });
}
