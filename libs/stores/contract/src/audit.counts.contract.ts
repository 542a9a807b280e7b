import assert from 'node:assert/strict';
import { MAX_TREND_SERIES, type TrendPoint } from '#contracts/audit/counts.js';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { AuditListItem } from '#contracts/audit/entry.js';
import type { Decision } from '#contracts/audit/record.js';
import { CONTROL_KEYS, type ControlKey, type Outcome } from '#contracts/common/control-mode.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { decision, newRejection, NOON, noonPlus, type DecisionParts } from './builders.js';
import { type Runner, type BackendFixture, entriesOf } from './backend-fixture.js';
import { UNSTORABLE_TEXTS, UNUSUAL_TEXT } from './hostile-text.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const OUTCOMES: readonly Outcome[] = ['allowed', 'observed', 'blocked'];

/** A decision that differs from its neighbours in every counted field. */
function numbered(index: number): Decision {
  const control: ControlKey = CONTROL_KEYS[index % 4] ?? 'hitl';
  const outcome = OUTCOMES[index % 3] ?? 'allowed';
  const occurredAt = noonPlus(-(index % 7) * 1.3 * HOUR);
  const ruleId = index % 5 === 0 ? `rule-${index % 2}` : null;
  return decision({
    control,
    outcome,
    occurredAt,
    ruleId,
    matchedRules:
      ruleId === null ? [] : [{ ruleId, span: [0, 1], ...(index % 3 === 0 && { exception: true }) }],
    application: index % 2 === 0 ? 'support' : null,
    principalId: `customer-${index % 6}`,
    rulesetVersion: `builtin-${index % 3}`,
    outputCounts: [{ kind: 'pii_redaction', detector: 'email', enforced: index % 2 === 0, count: 1 }],
    rejection: control === 'tool_firewall' ? newRejection({ occurredAt }) : null,
  });
}

/** The values that are read from counters and not from rows. */
async function countsOf({ audit, overview, output }: StoreBackend): Promise<unknown> {
  const whole = { from: noonPlus(-2 * DAY), to: noonPlus(2 * DAY) };
  const { controls, rulesets } = await overview.activity(NOON);
  return {
    totals: CONTROL_KEYS.map((key) => [controls[key].total, controls[key].blocked, controls[key].observed]),
    rulesets: rulesets.map(({ attempts }) => attempts).toSorted((a, b) => a - b),
    hits: new Map(await overview.ruleHits(NOON)),
    trend: await audit.trend({}, whole),
    support: await audit.trend({ application: 'support', outcome: 'blocked' }, whole),
    stats: sum((await output.stats(whole)).map(({ count }) => count)),
  };
}

const EVERYTHING = { from: new Date('2026-01-01T00:00:00.000Z'), to: new Date('2026-12-31T23:59:59.999Z') };

const ROWS: readonly DecisionParts[] = [
  { occurredAt: new Date('2026-03-09T23:59:59.999Z'), outcome: 'blocked', ruleId: 'role_override' },
  { occurredAt: new Date('2026-03-10T00:00:00.000Z'), outcome: 'observed', ruleId: 'role_override' },
  { occurredAt: new Date('2026-03-10T12:00:00.000Z'), principalId: 'customer-42', prompt: 'a Needle' },
  { occurredAt: new Date('2026-03-10T23:59:59.999Z'), outcome: 'blocked', application: 'support' },
  { occurredAt: new Date('2026-03-12T00:00:00.000Z'), outcome: 'blocked', control: 'hitl' },
];

const dayOf = (date: string, total: number, blocked: number, observed: number): TrendPoint => ({
  date,
  total,
  blocked,
  observed,
});

const FILTERS: readonly (readonly [name: string, filter: AuditFilter, points: readonly TrendPoint[]])[] = [
  ['nothing', {}, [dayOf('2026-03-09', 1, 1, 0), dayOf('2026-03-10', 3, 1, 1), dayOf('2026-03-12', 1, 1, 0)]],
  ['control', { control: 'hitl' }, [dayOf('2026-03-12', 1, 1, 0)]],
  [
    'blocked',
    { blocked: true },
    [dayOf('2026-03-09', 1, 1, 0), dayOf('2026-03-10', 1, 1, 0), dayOf('2026-03-12', 1, 1, 0)],
  ],
  ['not blocked', { blocked: false }, [dayOf('2026-03-10', 2, 0, 1)]],
  ['outcome', { outcome: 'observed' }, [dayOf('2026-03-10', 1, 0, 1)]],
  ['rule', { rule_id: ['role_override'] }, [dayOf('2026-03-09', 1, 1, 0), dayOf('2026-03-10', 1, 0, 1)]],
  [
    'one of several rules',
    { rule_id: ['role_override', 'role_override.other', 'prompt_extraction'], outcome: 'blocked' },
    [dayOf('2026-03-09', 1, 1, 0)],
  ],
  ['principal', { principal_id: 'customer-42' }, [dayOf('2026-03-10', 1, 0, 0)]],
  ['application', { application: 'support' }, [dayOf('2026-03-10', 1, 1, 0)]],
  ['search', { q: 'nEEDLE' }, [dayOf('2026-03-10', 1, 0, 0)]],
  ['a literal search', { q: 'a_needle' }, []],
  [
    'several at once',
    { control: 'input_screen', blocked: true, rule_id: ['role_override'] },
    [dayOf('2026-03-09', 1, 1, 0)],
  ],
  ['a value that is absent', { principal_id: 'customer-0' }, []],
];

export function auditCountsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('counts', () => {
    it('are the same for sequential and concurrent appends', async () => {
      const decisions = Array.from({ length: 60 }, (_, index) => numbered(index));
      for (const one of decisions) await fixture.backend.audit.append(one);
      const alone = await countsOf(fixture.backend);
      await fixture.close();
      await fixture.open();
      await fixture.concurrently(60, ({ audit }, index) => audit.append(decisions[index] ?? decision()));
      assert.deepEqual(await countsOf(fixture.backend), alone);
    });

    it('never exceed the number of rows while other instances write', async () => {
      const { audit } = fixture.backend;
      const window = { from: noonPlus(-DAY), to: noonPlus(DAY) };
      const read = async (): Promise<void> => {
        const points = await audit.trend({}, window);
        const total = sum(points.map((point) => point.total));
        const rows = await entriesOf((page) => audit.list({}, page));
        assert.ok(total <= rows.length, `${total} counted, ${rows.length} stored`);
      };
      await Promise.all([
        fixture.concurrently(40, (backend) => backend.audit.append(decision())),
        read().then(read).then(read),
      ]);
      const [counts] = await audit.trend({}, window);
      assert.equal(counts?.total, 40);
    });

    for (const { name, given, kept } of [
      ...UNSTORABLE_TEXTS,
      { name: 'unusual text', given: UNUSUAL_TEXT, kept: UNUSUAL_TEXT },
      { name: 'a name of 4000 characters', given: 'é'.repeat(4_000), kept: 'é'.repeat(4_000) },
    ]) {
      it(`accept ${name} as an application, per day and per hour`, async () => {
        const { audit } = fixture.backend;
        await audit.append(decision({ application: given }));
        await audit.append(decision({ application: 'support' }));
        for (const reach of [HOUR, DAY]) {
          const window = { from: noonPlus(-reach), to: noonPlus(reach) };
          const points = await audit.trend({ application: given }, window);
          assert.deepEqual(
            points.map(({ total }) => total),
            [1],
          );
        }
        const [listed] = (await audit.list({ application: given }, { limit: 1 })).entries;
        assert.ok(listed?.application === kept);
      });
    }

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`accept ${name} as a rule and as a ruleset version`, async () => {
        const { audit, overview } = fixture.backend;
        const matchedRules = [{ ruleId: given, span: [0, 1] as const }];
        const occurredAt = noonPlus(-3 * HOUR);
        await audit.append(decision({ ruleId: given, matchedRules, rulesetVersion: given, occurredAt }));
        assert.deepEqual(await overview.ruleHits(NOON), new Map([[kept, { hits: 1, silenced: 0 }]]));
        const { rulesets } = await overview.activity(NOON);
        assert.deepEqual(
          rulesets.map(({ rulesetVersion }) => rulesetVersion),
          [kept],
        );
      });
    }
  });

  describe('a clock that jumps', () => {
    it('hides no row of a time range, in any order of arrival', async () => {
      const { audit } = fixture.backend;
      const hours = [0, -30, 5, -1, -400, 0, 26, -30, 3];
      for (const hour of hours) await audit.append(decision({ occurredAt: noonPlus(hour * HOUR) }));
      for (const from of [-500, -400, -31, -30, 0, 5, 30]) {
        for (const to of [-400, -30, -1, 0, 4, 30]) {
          const range = { from: noonPlus(from * HOUR), to: noonPlus(to * HOUR) };
          const found = (await entriesOf((page) => audit.list(range, page), 2)).length;
          assert.equal(found, hours.filter((hour) => hour >= from && hour <= to).length, `${from} to ${to}`);
        }
      }
    });

    it('counts each decision on the day of its timestamp', async () => {
      const { audit } = fixture.backend;
      for (const day of [0, -1, 0, -300, -1, 0]) {
        await audit.append(decision({ occurredAt: noonPlus(day * DAY) }));
      }
      const points = await audit.trend({}, { from: noonPlus(-301 * DAY), to: noonPlus(DAY) });
      assert.deepEqual(
        points.map(({ total }) => total),
        [1, 2, 3],
      );
    });

    it('finds late rejections by time range', async () => {
      const { audit, firewall } = fixture.backend;
      for (const hour of [0, -50, 1, -49]) {
        const occurredAt = noonPlus(hour * HOUR);
        await audit.append(
          decision({ occurredAt, rejection: newRejection({ occurredAt, tool: `${hour}` }) }),
        );
      }
      const range = { from: noonPlus(-60 * HOUR), to: noonPlus(-40 * HOUR) };
      assert.deepEqual(
        (await firewall.list(range, { limit: 9 })).entries.map(({ tool }) => tool),
        ['-49', '-50'],
      );
    });
  });

  describe('a window of statistics', () => {
    for (const [name, from, to, expected] of [
      ['of one millisecond', 0, 0, 1],
      ['of a millisecond across an hour', -1, 0, 2],
      ['within an hour', 1, HOUR - 2, 1],
      ['of an hour to its last millisecond', 0, HOUR - 1, 3],
      ['of an hour and a millisecond', 0, HOUR, 4],
      ['across midnight', 12 * HOUR - 1, 12 * HOUR, 2],
      ['of everything', -DAY, DAY, 7],
      ['that ends before it begins', 1, 0, 0],
    ] as const) {
      it(`${name} counts to the millisecond`, async () => {
        const { audit, output } = fixture.backend;
        const line = { kind: 'pii_redaction', detector: 'email', enforced: true, count: 1 } as const;
        for (const after of [-1, 0, 5, HOUR - 1, HOUR, 12 * HOUR - 1, 12 * HOUR]) {
          await audit.append(decision({ occurredAt: noonPlus(after), outputCounts: [line] }));
        }
        const window = { from: noonPlus(from), to: noonPlus(to) };
        const counted = [
          sum((await audit.trend({}, window)).map(({ total }) => total)),
          sum((await audit.trend({ q: 'hello' }, window)).map(({ total }) => total)),
          sum((await output.stats(window)).map(({ count }) => count)),
        ];
        assert.deepEqual(counted, [expected, expected, expected]);
      });
    }
  });

  async function trend(filter: AuditFilter, window = EVERYTHING): Promise<readonly TrendPoint[]> {
    for (const row of ROWS) await fixture.backend.audit.append(decision(row));
    const points = await fixture.backend.audit.trend(filter, window);
    return points.filter((day) => day.total > 0);
  }

  describe('trend', () => {
    it('is empty if nothing was appended', async () => {
      const points = await fixture.backend.audit.trend({}, EVERYTHING);
      assert.ok(points.every((day) => day.total === 0));
    });

    for (const [name, filter, points] of FILTERS) {
      it(`returns counts per UTC day, oldest first, filtered by ${name}`, async () => {
        assert.deepEqual(await trend(filter), points);
      });
    }

    it('returns counts per UTC hour that add up to those of the days', async () => {
      for (const row of ROWS) await fixture.backend.audit.append(decision(row));
      for (const filter of [{}, { application: 'support' }, { q: 'hello' }]) {
        const days = await fixture.backend.audit.trend(filter, EVERYTHING);
        const hours = await fixture.backend.audit.trend(filter, EVERYTHING, 'hour');
        assert.ok(hours.every(({ date }) => /^\d{4}-\d{2}-\d{2}T\d{2}$/.test(date)));
        const totals = new Map<string, number>();
        for (const { date, total } of hours)
          totals.set(date.slice(0, 10), (totals.get(date.slice(0, 10)) ?? 0) + total);
        assert.deepEqual(
          [...totals].filter(([, total]) => total > 0),
          days.filter(({ total }) => total > 0).map(({ date, total }) => [date, total]),
        );
      }
    });

    it('includes both ends of the window, to the millisecond', async () => {
      const window = { from: new Date('2026-03-10T00:00:00.000Z'), to: new Date('2026-03-10T23:59:59.999Z') };
      assert.deepEqual(await trend({}, window), [dayOf('2026-03-10', 3, 1, 1)]);
    });

    it('excludes decisions a millisecond outside the window', async () => {
      const window = { from: new Date('2026-03-10T00:00:00.001Z'), to: new Date('2026-03-10T23:59:59.998Z') };
      assert.deepEqual(await trend({}, window), [dayOf('2026-03-10', 1, 0, 0)]);
    });

    it('ignores from and to of the filter', async () => {
      const window = { from: new Date('2026-03-12T00:00:00.000Z'), to: EVERYTHING.to };
      const filter = { from: new Date('2026-03-09T00:00:00.000Z'), to: new Date('2026-03-09T23:59:59.999Z') };
      assert.deepEqual(await trend(filter, window), [dayOf('2026-03-12', 1, 1, 0)]);
    });

    for (const [group, valueOf] of [
      ['control', ({ control }: AuditListItem) => control],
      ['rule_id', ({ rule_id: ruleId }: AuditListItem) => ruleId],
      ['application', ({ application }: AuditListItem) => application],
    ] as const) {
      it(`equals the counts of the list, by ${group}`, async () => {
        const { audit } = fixture.backend;
        for (let index = 0; index < 60; index++) await audit.append(numbered(index));
        const window = { from: noonPlus(-5.5 * HOUR), to: noonPlus(-0.5 * HOUR) };
        const entries = await entriesOf((page) => audit.list(window, page));
        const walked = new Map<string | null, number>();
        for (const entry of entries) walked.set(valueOf(entry), (walked.get(valueOf(entry)) ?? 0) + 1);
        assert.ok(walked.size > 1);
        for (const [filter, bucket] of [
          [{}, 'day'],
          [{}, 'hour'],
          [{ q: 'hello' }, 'hour'],
        ] as const) {
          const series = await audit.trendBy(group, filter, window, bucket);
          const sums = series.map(({ value, points }) => [value, sum(points.map(({ total }) => total))]);
          assert.deepEqual(new Map(sums as [string | null, number][]), walked);
          const sizes = sums.map(([, size]) => Number(size));
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
      for (let index = 0; index < MAX_TREND_SERIES + 2; index++) {
        const application = `shop-${index}`;
        for (let count = index === 0 ? 1 : 2; count > 0; count--)
          await fixture.backend.audit.append(decision({ application }));
      }
      const series = await fixture.backend.audit.trendBy('application', {}, EVERYTHING, 'day');
      assert.equal(series.length, MAX_TREND_SERIES);
      assert.ok(series.every(({ value }) => value !== 'shop-0'));
    });

    it('accepts text that cannot be stored', async () => {
      assert.deepEqual(await trend({ q: '\u0000\uD83D', principal_id: 'x\u0000' }), []);
    });
  });
}
