import { claiming, command } from '#stores/contract/approval-helpers.js';
import { describe, expect } from '@jest/globals';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { OverviewData } from '#contracts/overview/overview.api.js';
import { Assembly } from '#src/options/assembly.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import { decision, newApproval, approvalEvidence, refusal } from '#stores/contract/builders.js';
import { TestHost } from '../support/host.js';
import type { Bench } from '../support/hosts.js';
import { INJECTION, keep, lookup, put, refund, under, unique } from './material.js';

const HOUR = 3_600_000;
const QUIET = { total: 0, blocked: 0, observed: 0 };

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const screenedUnder = (rulesetVersion: string, occurredAt: string) =>
  decision({ rulesetVersion, occurredAt: new Date(occurredAt) });

export function describeOverview(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const overview = (): Promise<OverviewData> => bench.read<OverviewData>('/overview');
  const control = async (key: string): Promise<OverviewData['controls'][number] | undefined> =>
    (await overview()).controls.find((shown) => shown.key === key);

  describe('contract 5: GET /overview', () => {
    it('shows the controls in order, also those without decisions, with exactly these fields', async () => {
      bench.clock.set('2041-01-01T00:00:00.000Z');
      const { totals, ...shown } = await overview();
      expect(shown).toEqual({
        controls: [
          ['tool_firewall', 'Tool Firewall'],
          ['input_screen', 'Input Screening'],
          ['output_handler', 'Output Handler'],
          ['hitl', 'HITL Bridge'],
        ].map(([key, label]) => ({
          key,
          label,
          enabled: true,
          mode: 'enforce',
          posture: 'Engaged',
          warning: null,
          counts_24h: QUIET,
          spark: Array.from({ length: 12 }, () => 0),
        })),
        enabled: true,
        freezes: [],
        approvals: {
          pending: totals.pending_approvals,
          expiring_soon: expect.any(Number),
          executing: expect.any(Number),
          outcome_unknown: expect.any(Number),
          oldest_pending_at: totals.pending_approvals === 0 ? null : expect.stringMatching(/Z$/),
        },
        ruleset_version: expect.stringMatching(/^[a-z][a-z0-9_.-]*-[0-9a-f]{12}$/),
        rulesets_24h: [],
        window: { from: '2040-12-31T00:00:00.000Z', to: '2041-01-01T00:00:00.000Z' },
        as_of: '2041-01-01T00:00:00.000Z',
      });
      expect(totals).toEqual({
        attempts_24h: 0,
        blocked_24h: 0,
        observed_24h: 0,
        firewall_rejections_24h: 0,
        outputs_sanitized_24h: 0,
        pending_approvals: expect.any(Number),
        sampled: false,
      });
    });

    itOnEachStore('contract 4: counts the decisions of every operation in its control', async () => {
      const { guardrails, application } = bench.host;
      // Calls that other tests left waiting end before the day that is counted.
      bench.clock.set('2041-12-01T00:00:00.000Z');
      await application.get(Assembly, { strict: false }).engine.recovery.recover();
      bench.clock.set('2042-01-01T00:00:00.000Z');
      const context = { principalId: unique('customer') };
      const before = (await overview()).totals.pending_approvals;
      const { rulesetVersion } = await guardrails.screen(INJECTION, context);
      await guardrails.screen('Good morning', context);
      await guardrails.sanitize('<script>steal()</script>', context);
      await guardrails.sanitize('All is well.', context);
      await guardrails.guardTool(lookup, context).execute({});
      await guardrails.guardTool(lookup, context).execute({ order: 'A-1182' });
      await guardrails.guardTool(refund, context).execute({ amount: 12 });
      const shown = await overview();
      expect(shown.totals).toEqual({
        // Two prompts, and the result of the tool that ran.
        attempts_24h: 3,
        blocked_24h: 1,
        observed_24h: 0,
        firewall_rejections_24h: 1,
        outputs_sanitized_24h: 1,
        pending_approvals: before + 1,
        sampled: false,
      });
      expect(shown.controls.map(({ key, counts_24h, spark }) => [key, counts_24h, spark.at(-1)])).toEqual([
        ['tool_firewall', { total: 3, blocked: 1, observed: 0 }, 3],
        ['input_screen', { total: 3, blocked: 1, observed: 0 }, 3],
        ['output_handler', { total: 2, blocked: 1, observed: 0 }, 2],
        ['hitl', { total: 1, blocked: 1, observed: 0 }, 1],
      ]);
      expect(shown.rulesets_24h).toEqual([
        { ruleset_version: rulesetVersion, attempts: 3, last_seen_at: '2042-01-01T00:00:00.000Z' },
      ]);
      expect(shown.ruleset_version).toBe(rulesetVersion);
    });

    itOnEachStore(
      'is exact over its window of 24 hours, and its sparks over twelve clock hours',
      async () => {
        const asOf = new Date('2043-06-15T10:30:40.500Z');
        const ago = (milliseconds: number): Date => new Date(asOf.getTime() - milliseconds);
        bench.clock.set(asOf);
        const ages = [
          0,
          1,
          HOUR - 1,
          HOUR,
          5 * HOUR,
          12 * HOUR - 1,
          12 * HOUR,
          24 * HOUR - 1,
          24 * HOUR,
          24 * HOUR + 40_500,
          24 * HOUR + 40_501,
          48 * HOUR,
        ];
        const outcomes = ['blocked', 'observed', 'allowed'] as const;
        await keep(
          bench,
          CONTROL_KEYS.flatMap((key) =>
            ages.map((age, index) =>
              decision({ control: key, outcome: outcomes[index % 3] ?? 'allowed', occurredAt: ago(age) }),
            ),
          ),
        );
        const { controls, totals, rulesets_24h, window } = await overview();
        expect(window).toEqual({ from: '2043-06-14T10:30:00.000Z', to: '2043-06-15T10:30:40.500Z' });
        bench.clock.set(new Date(asOf.getTime() + 5));
        await keep(bench, [decision({ occurredAt: new Date(asOf.getTime() + 5) })]);
        for (const { key, counts_24h, spark } of controls) {
          const within = `/audit?control=${key}&from=${window.from}&to=${window.to}&limit=200`;
          expect((await bench.read<AuditListData>(within)).entries).toHaveLength(counts_24h.total);
          expect(counts_24h).toEqual({ total: 10, blocked: 4, observed: 3 });
          expect(spark).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 2]);
          expect(sum(spark)).toBe(5);
        }
        expect(totals).toMatchObject({
          attempts_24h: 10,
          blocked_24h: 4,
          observed_24h: 3,
          outputs_sanitized_24h: 7,
        });
        expect(sum(rulesets_24h.map(({ attempts }) => attempts))).toBe(10);
      },
    );

    itOnEachStore('shows every ruleset of the last 24 hours, the latest first', async () => {
      bench.clock.set('2044-01-02T00:00:00.000Z');
      await keep(bench, [
        screenedUnder('builtin-aaaaaaaaaaaa', '2044-01-01T10:00:00.000Z'),
        screenedUnder('builtin-bbbbbbbbbbbb', '2044-01-01T12:00:00.123Z'),
        screenedUnder('builtin-aaaaaaaaaaaa', '2044-01-01T11:00:00.000Z'),
        screenedUnder('builtin-cccccccccccc', '2043-12-31T00:00:00.000Z'),
        refusal({ occurredAt: new Date('2044-01-01T13:00:00.000Z') }),
      ]);
      expect((await overview()).rulesets_24h).toEqual([
        { ruleset_version: 'builtin-bbbbbbbbbbbb', attempts: 1, last_seen_at: '2044-01-01T12:00:00.123Z' },
        { ruleset_version: 'builtin-aaaaaaaaaaaa', attempts: 2, last_seen_at: '2044-01-01T11:00:00.000Z' },
      ]);
    });

    itOnEachStore('counts approvals that expire soon, run, or have an unknown outcome', async () => {
      const before = (await overview()).approvals;
      const { approvals } = bench.stores;
      await approvals.park(newApproval({ ttlMs: 60_000 }), approvalEvidence, 20);
      const running = await approvals.park(newApproval(), approvalEvidence, 20);
      for (const step of [command(), claiming()])
        await approvals.change(running?.approval.id ?? 0, step, approvalEvidence);
      expect((await overview()).approvals).toEqual({
        ...before,
        pending: before.pending + 1,
        expiring_soon: before.expiring_soon + 1,
        executing: before.executing + 1,
        oldest_pending_at: before.oldest_pending_at ?? expect.stringMatching(/Z$/),
      });
    });

    itOnEachStore('counts pending approvals, without expired ones', async () => {
      const before = (await overview()).totals.pending_approvals;
      await bench.stores.approvals.park(newApproval(), approvalEvidence, 20);
      await bench.stores.approvals.park(newApproval({ ttlMs: 0 }), approvalEvidence, 20);
      expect((await overview()).totals.pending_approvals).toBe(before + 1);
    });

    it.each(CONTROL_KEYS)(
      'contract 4: %s shows its effective mode and the resulting posture',
      async (key) => {
        const postureUnder = async (settings: Readonly<Record<string, unknown>>): Promise<unknown> =>
          under(bench, settings, async () => {
            const shown = await control(key);
            return [shown?.enabled, shown?.mode, shown?.posture];
          });
        expect(await postureUnder({ [`modes.${key}`]: 'monitor' })).toEqual([true, 'monitor', 'Observing']);
        expect(await postureUnder({ [`modes.${key}`]: 'off' })).toEqual([true, 'off', 'Disabled']);
        expect(await postureUnder({ [`${key}.enabled`]: false })).toEqual([false, 'off', 'Disabled']);
        // The HITL bridge needs no switch in order to observe.
        expect(await postureUnder({ [`${key}.enabled`]: false, [`modes.${key}`]: 'monitor' })).toEqual(
          key === 'hitl' ? [false, 'monitor', 'Observing'] : [false, 'off', 'Disabled'],
        );
      },
    );

    it.each([
      { 'input_screen.patterns': { own: '/pineapple/i' } },
      { 'input_screen.rule_modes': { 'instruction_override.ignore_previous': 'off' } },
      { 'normalization.casefold': false },
      { 'pattern_safety.on_match_error': 'open' },
    ])(
      '%j changes the ruleset version at once, and changing it back restores the version',
      async (settings) => {
        const { ruleset_version: before } = await overview();
        await under(bench, settings, async () => {
          const changed = (await overview()).ruleset_version;
          expect(changed).not.toBe(before);
          expect(changed.replace(/[0-9a-f]{12}$/, '')).toBe(before.replace(/[0-9a-f]{12}$/, ''));
          expect((await bench.host.guardrails.screen('Good morning')).rulesetVersion).toBe(changed);
        });
        expect((await overview()).ruleset_version).toBe(before);
      },
    );

    it('the version does not depend on the order of the rules in the request', async () => {
      const versionWith = async (patterns: Readonly<Record<string, string>>): Promise<string> => {
        await put(bench, { 'input_screen.patterns': patterns });
        return (await overview()).ruleset_version;
      };
      const one = await versionWith({ apple: '/apple/i', pear: 'pear' });
      const other = await versionWith({ pear: 'pear', apple: '/apple/i' });
      const third = await versionWith({ apple: '/apple/', pear: 'pear' });
      await put(bench, { 'input_screen.patterns': null });
      expect(other).toBe(one);
      expect(third).not.toBe(one);
    });

    it('contract 4: every control is off and disabled while the master switch is', async () => {
      const host = await TestHost.start({ guardrails: { settings: { enabled: false } } });
      try {
        await host.guardrails.screen(INJECTION);
        const { data } = (await host.get('/overview')).body as unknown as { data: OverviewData };
        for (const shown of data.controls) {
          expect(shown).toMatchObject({
            enabled: false,
            mode: 'off',
            posture: 'Disabled',
            counts_24h: QUIET,
          });
        }
      } finally {
        await host.stop();
      }
    });

    it('contract 3.4: ignores all parameters', async () => {
      expect(await bench.read('/overview?from=tomorrow&cursor=abc&limit[]=%FF&%zz')).toEqual(
        await overview(),
      );
    });
  });
}
