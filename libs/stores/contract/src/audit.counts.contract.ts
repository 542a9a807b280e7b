import assert from 'node:assert/strict';
import { MAX_TREND_SERIES, type TrendPoint } from '#contracts/audit/counts.js';
import type { AuditFilter } from '#contracts/audit/filter.js';
import { CONTROL_KEYS, OUTCOMES, type ControlKey } from '#contracts/common/control-mode.js';
import { overviewWindow } from '#contracts/overview/overview.js';
import { entriesOf, sum, type Contract, type Stores } from './backend-fixture.js';
import { decision, newRejection, NOON, noonPlus, type DecisionParts } from './builders.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EVERYTHING = { from: new Date('2026-01-01T00:00:00.000Z'), to: new Date('2026-12-31T23:59:59.999Z') };

/** A decision that differs from its neighbours in every counted field. */
function numbered(index: number): DecisionParts {
  const control: ControlKey = CONTROL_KEYS[index % 4] ?? 'hitl';
  const occurredAt = noonPlus(-(index % 7) * 1.3 * HOUR);
  const ruleId = index % 5 === 0 ? `rule-${index % 2}` : null;
  return {
    control,
    outcome: OUTCOMES[index % 3] ?? 'allowed',
    occurredAt,
    ruleId,
    matchedRules:
      ruleId === null ? [] : [{ ruleId, span: [0, 1], ...(index % 3 === 0 && { exception: true }) }],
    application: index % 2 === 0 ? 'support' : null,
    principalId: `customer-${index % 6}`,
    rulesetVersion: `builtin-${index % 3}`,
    outputCounts: [{ kind: 'pii_redaction', detector: 'email', enforced: index % 2 === 0, count: 1 }],
    rejection: control === 'tool_firewall' ? newRejection({ occurredAt }) : null,
  };
}

const totalOf = (points: readonly TrendPoint[]) => sum(points.map(({ total }) => total));

/** The values that are read from counters and not from rows. */
async function countsOf({ audit, overview, output }: Stores): Promise<unknown> {
  const { controls, rulesets } = await overview.activity(overviewWindow(NOON));
  return {
    totals: CONTROL_KEYS.map((key) => [controls[key].total, controls[key].blocked, controls[key].observed]),
    rulesets: rulesets.map(({ attempts }) => attempts).toSorted((a, b) => a - b),
    hits: new Map(await overview.ruleHits(overviewWindow(NOON))),
    trend: await audit.trend({}, EVERYTHING),
    support: await audit.trend({ application: 'support', outcome: 'blocked' }, EVERYTHING),
    stats: sum((await output.stats(EVERYTHING)).map(({ count }) => count)),
  };
}

const TEXTS = [
  ...UNSTORABLE_TEXTS.map((text) => ({ ...text, isRule: true })),
  { name: 'unusual text', given: UNUSUAL_TEXT, kept: UNUSUAL_TEXT, isRule: true },
  { name: 'a name of 4000 characters', given: 'é'.repeat(4_000), kept: 'é'.repeat(4_000), isRule: false },
];

/** Windows around these times after noon, and how many of them each has. */
const TIMES = [-1, 0, 5, MINUTE - 1, MINUTE, HOUR - 1, HOUR, 12 * HOUR - 1, 12 * HOUR];
const WINDOWS = [
  ['of one millisecond', 0, 0, 1],
  ['of a millisecond across an hour', -1, 0, 2],
  ['within a minute', 1, MINUTE - 1, 2],
  ['of a minute to its last millisecond', 0, MINUTE - 1, 3],
  ['of a minute and a millisecond', 0, MINUTE, 4],
  ['within an hour', 1, HOUR - 2, 3],
  ['of an hour to its last millisecond', 0, HOUR - 1, 5],
  ['of an hour and a millisecond', 0, HOUR, 6],
  ['across midnight', 12 * HOUR - 1, 12 * HOUR, 2],
  ['of everything', -DAY, DAY, 9],
  ['without a decision', 12 * HOUR + 1, DAY, 0],
  ['that ends before it begins', 1, 0, 0],
] as const;

const ROWS: readonly DecisionParts[] = [
  { occurredAt: new Date('2026-03-09T23:59:59.999Z'), outcome: 'blocked', ruleId: 'role_override' },
  { occurredAt: new Date('2026-03-10T00:00:00.000Z'), outcome: 'observed', ruleId: 'role_override' },
  { occurredAt: NOON, principalId: 'customer-42', prompt: 'a Needle', tool: 'refund' },
  { occurredAt: new Date('2026-03-10T23:59:59.999Z'), outcome: 'blocked', application: 'support' },
  { occurredAt: new Date('2026-03-12T00:00:00.000Z'), outcome: 'blocked', control: 'hitl' },
];

/** Points as `day total blocked observed`. */
const TRENDS: readonly (readonly [name: string, filter: AuditFilter, points: readonly string[]])[] = [
  ['nothing', {}, ['09 1 1 0', '10 3 1 1', '12 1 1 0']],
  ['control', { control: 'hitl' }, ['12 1 1 0']],
  ['blocked', { blocked: true }, ['09 1 1 0', '10 1 1 0', '12 1 1 0']],
  ['not blocked', { blocked: false }, ['10 2 0 1']],
  ['outcome', { outcome: 'observed' }, ['10 1 0 1']],
  ['rule', { rule_id: ['role_override'] }, ['09 1 1 0', '10 1 0 1']],
  [
    'one of several rules',
    { rule_id: ['role_override', 'role_override.other', 'prompt_extraction'], outcome: 'blocked' },
    ['09 1 1 0'],
  ],
  ['principal', { principal_id: 'customer-42' }, ['10 1 0 0']],
  ['application', { application: 'support' }, ['10 1 1 0']],
  ['tool', { tool: 'refund' }, ['10 1 0 0']],
  ['search', { q: 'nEEDLE' }, ['10 1 0 0']],
  ['a literal search', { q: 'a_needle' }, []],
  ['several at once', { control: 'input_screen', blocked: true, rule_id: ['role_override'] }, ['09 1 1 0']],
  ['a value that is absent', { principal_id: 'customer-0' }, []],
];

export const auditCountsContract: Contract = ({ describe, it }, fixture) => {
  const { audit, firewall, output, overview } = fixture;
  describe('counts', () => {
    it('are the same for sequential and concurrent appends', async () => {
      const decisions = Array.from({ length: 60 }, (_, index) => numbered(index));
      await fixture.append(...decisions);
      const alone = await countsOf(fixture);
      await fixture.close();
      await fixture.open();
      await fixture.concurrently(60, (backend, index) => backend.audit.append(decision(decisions[index])));
      assert.deepEqual(await countsOf(fixture), alone);
    });

    it('never exceed the number of rows while other instances write', async () => {
      const read = async () => {
        const total = totalOf(await audit.trend({}, EVERYTHING));
        const rows = await fixture.entries();
        assert.ok(total <= rows.length, `${total} counted, ${rows.length} stored`);
      };
      await Promise.all([
        fixture.concurrently(40, (backend) => backend.audit.append(decision())),
        read().then(read).then(read),
      ]);
      assert.equal(totalOf(await audit.trend({}, EVERYTHING)), 40);
    });

    for (const { name, given, kept, isRule } of TEXTS) {
      it(`accept ${name} as an application, a version of the rules, and a rule`, async () => {
        const ruleId = isRule ? given : null;
        const matchedRules = ruleId === null ? [] : [{ ruleId, span: [0, 1] as const }];
        await fixture.append(
          { application: given, ruleId, matchedRules, rulesetVersion: given, occurredAt: noonPlus(-HOUR) },
          { application: 'support', control: 'hitl' },
        );
        for (const bucket of ['day', 'hour'] as const)
          assert.equal(totalOf(await audit.trend({ application: given }, EVERYTHING, bucket)), 1);
        const [listed] = (await audit.list({ application: given }, { limit: 1 })).entries;
        assert.ok(listed?.application === kept);
        const hits = [...(await overview.ruleHits(overviewWindow(NOON))).keys()];
        assert.deepEqual(hits, isRule ? [kept] : []);
        const { rulesets } = await overview.activity(overviewWindow(NOON));
        assert.deepEqual(
          rulesets.map(({ rulesetVersion }) => rulesetVersion),
          [kept],
        );
      });
    }

    it('and lists have each decision at its time, in any order of arrival', async () => {
      const hours = [0, -30, 5, -1, -400, 0, 26, -30, 3];
      for (const hour of hours) {
        const occurredAt = noonPlus(hour * HOUR);
        await fixture.append({ occurredAt, rejection: newRejection({ occurredAt }) });
      }
      for (const from of [-500, -400, -31, -30, 0, 5, 30]) {
        for (const to of [-400, -30, -1, 0, 4, 30]) {
          const range = { from: noonPlus(from * HOUR), to: noonPlus(to * HOUR) };
          const expected = hours.filter((hour) => hour >= from && hour <= to).length;
          const found = [
            (await fixture.entries(range, 2)).length,
            (await entriesOf((page) => firewall.list(range, page), 2)).length,
            totalOf(await audit.trend({}, range)),
          ];
          assert.deepEqual(found, [expected, expected, expected], `${from} to ${to}`);
        }
      }
    });
  });

  describe('a window', () => {
    for (const [name, from, to, expected] of WINDOWS) {
      it(`${name} is exact to the millisecond in trends, output statistics and lists`, async () => {
        const line = { kind: 'pii_redaction', detector: 'email', enforced: true, count: 1 } as const;
        for (const after of TIMES) {
          const occurredAt = noonPlus(after);
          await fixture.append({ occurredAt, outputCounts: [line], rejection: newRejection({ occurredAt }) });
        }
        const window = { from: noonPlus(from), to: noonPlus(to) };
        const daily = (await output.daily(window)).filter(({ detector }) => detector === null);
        assert.deepEqual(
          [
            totalOf(await audit.trend({}, window)),
            totalOf(await audit.trend({ q: 'hello' }, window)),
            sum((await output.stats(window)).map(({ count }) => count)),
            sum(daily.map(({ findings }) => findings)),
            (await fixture.entries(window, 4)).length,
            (await entriesOf((page) => firewall.list(window, page), 4)).length,
          ],
          Array(6).fill(expected),
        );
      });
    }
  });

  async function trend(filter: AuditFilter, window = EVERYTHING): Promise<readonly string[]> {
    await fixture.append(...ROWS);
    const points = await audit.trend(filter, window);
    return points
      .filter(({ total }) => total > 0)
      .map(({ date, total, blocked, observed }) => `${date.slice(8)} ${total} ${blocked} ${observed}`);
  }

  describe('trend', () => {
    it('is empty if nothing was appended', async () => {
      assert.equal(totalOf(await audit.trend({}, EVERYTHING)), 0);
    });

    for (const [name, filter, points] of TRENDS) {
      it(`returns counts per UTC day, oldest first, filtered by ${name}`, async () => {
        assert.deepEqual(await trend(filter), points);
      });
    }

    it('ignores from and to of the filter', async () => {
      const window = { from: new Date('2026-03-12T00:00:00.000Z'), to: EVERYTHING.to };
      assert.deepEqual(await trend({ from: NOON, to: NOON }, window), ['12 1 1 0']);
    });

    it('returns counts per UTC hour that add up to those of the days', async () => {
      await fixture.append(...ROWS);
      for (const filter of [{}, { application: 'support' }, { q: 'hello' }]) {
        const days = await audit.trend(filter, EVERYTHING);
        const hours = await audit.trend(filter, EVERYTHING, 'hour');
        assert.ok(hours.every(({ date }) => /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(date)));
        for (const { date, total } of days)
          assert.equal(totalOf(hours.filter((hour) => hour.date.startsWith(date))), total);
        assert.equal(totalOf(hours), totalOf(days));
      }
    });

    for (const group of ['control', 'rule_id', 'application'] as const) {
      it(`equals the counts of the list, by ${group}`, async () => {
        await fixture.append(...Array.from({ length: 60 }, (_, index) => numbered(index)));
        const window = { from: noonPlus(-5.5 * HOUR), to: noonPlus(-0.5 * HOUR) };
        const walked = new Map<string | null, number>();
        for (const { [group]: value } of await fixture.entries(window))
          walked.set(value, (walked.get(value) ?? 0) + 1);
        assert.ok(walked.size > 1);
        for (const [filter, bucket] of [
          [{}, 'day'],
          [{}, 'hour'],
          [{ q: 'hello' }, 'hour'],
        ] as const) {
          const series = await audit.trendBy(group, filter, window, bucket);
          assert.deepEqual(new Map(series.map(({ value, points }) => [value, totalOf(points)])), walked);
          const sizes = series.map(({ points }) => totalOf(points));
          assert.deepEqual(
            sizes,
            sizes.toSorted((one, other) => other - one),
          );
          for (const { value, points } of series) {
            if (value === null) continue;
            const alone = group === 'rule_id' ? { rule_id: [value] } : { [group]: value };
            assert.deepEqual(points, await audit.trend({ ...filter, ...alone }, window, bucket));
          }
        }
      });
    }

    it('returns the twenty applications with the most decisions', async () => {
      const names = Array.from({ length: MAX_TREND_SERIES + 2 }, (_, index) => `shop-${index}`);
      for (const application of [...names, ...names.slice(1)]) await fixture.append({ application });
      const series = await audit.trendBy('application', {}, EVERYTHING, 'day');
      assert.equal(series.length, MAX_TREND_SERIES);
      assert.ok(series.every(({ value }) => value !== 'shop-0'));
    });
  });
};
