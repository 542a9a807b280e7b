import assert from 'node:assert/strict';
import { CONTROL_KEYS, OUTCOMES } from '#contracts/common/control-mode.js';
import { overviewWindow, type RuleHits } from '#contracts/overview/overview.js';
import type { TimeWindow } from '#contracts/common/page.js';
import { changed, command, park, parkClaimed, parkFinished } from './approval-helpers.js';
import { sum, type Contract } from './backend-fixture.js';
import { NOON, noonPlus, type DecisionParts } from './builders.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NO_HOURS = Array.from({ length: 12 }, () => 0);

/** The counts per clock hour, by hours before the last one. */
const spark = (counts: Readonly<Record<number, number>>): number[] =>
  NO_HOURS.map((_, index) => counts[11 - index] ?? 0);

/** A text matched by these rules; the first one is the deciding rule. */
function matched(...ruleIds: readonly [string, ...string[]]): DecisionParts {
  const matchedRules = ruleIds.map((ruleId, index) => ({ ruleId, span: [index, index + 1] as const }));
  return { ruleId: ruleIds[0], matchedRules };
}

/** Matches that do not count. */
const marked = (mark: 'exception' | 'notJudged', ...ruleIds: readonly [string, ...string[]]) =>
  (matched(...ruleIds).matchedRules ?? []).map((match) => ({ ...match, [mark]: true as const }));

const early = noonPlus(-3 * HOUR);

/** Screenings, and the hits of each rule with its matches in exceptions. */
const HITS: readonly (readonly [
  name: string,
  screenings: readonly DecisionParts[],
  hits: Readonly<Record<string, readonly [hits: number, silenced: number]>>,
])[] = [
  ['no rule at first', [], {}],
  [
    'every matching rule, deciding or not, blocked or not, once per text',
    [
      { outcome: 'blocked', ...matched('first', 'second', 'first', 'first') },
      { outcome: 'observed', ...matched('second') },
      { occurredAt: early, outcome: 'allowed', ...matched('second', 'Ünïcode "quoted" %') },
      { outcome: 'blocked', errored: true, erroredRuleIds: ['broken'] },
      { control: 'output_handler', ...matched('output') },
    ],
    { first: [1, 0], second: [3, 0], 'Ünïcode "quoted" %': [1, 0] },
  ],
  [
    'matches in exceptions apart from the hits',
    [
      { occurredAt: early, matchedRules: marked('exception', 'first', 'first', 'second') },
      { matchedRules: [...marked('exception', 'first', 'second'), ...(matched('first').matchedRules ?? [])] },
      { matchedRules: marked('exception', 'first', 'second') },
    ],
    { first: [1, 3], second: [0, 3] },
  ],
  [
    'no screener that did not judge a text',
    [
      { occurredAt: early, matchedRules: marked('notJudged', 'second') },
      {
        occurredAt: early,
        matchedRules: [...(matched('first').matchedRules ?? []), ...marked('notJudged', 'second')],
      },
      { matchedRules: marked('notJudged', 'second') },
    ],
    { first: [1, 0] },
  ],
];

export const overviewContract: Contract = ({ describe, it }, fixture) => {
  const { overview } = fixture;
  const activity = (asOf = NOON) => overview.activity(overviewWindow(asOf));

  /** The figures of the overview. */
  async function counted(window: TimeWindow): Promise<ReadonlyMap<string, number>> {
    const { controls, rulesets } = await overview.activity(window);
    const hits = await overview.ruleHits(window);
    const figures = [
      ...CONTROL_KEYS.flatMap((key) =>
        (['total', 'blocked', 'observed'] as const).map(
          (name) => [`${key} ${name}`, controls[key][name]] as const,
        ),
      ),
      ...rulesets.map(({ rulesetVersion, attempts }) => [rulesetVersion, attempts] as const),
      ['hits', hits.get('rule')?.hits ?? 0] as const,
    ];
    return new Map(figures.filter(([, figure]) => figure > 0));
  }

  /** The same figures from lists over the window. */
  async function walked(window: TimeWindow): Promise<ReadonlyMap<string, number>> {
    const figures = new Map<string, number>();
    const add = (name: string): void => void figures.set(name, (figures.get(name) ?? 0) + 1);
    for (const entry of await fixture.entries(window, 7)) {
      add(`${entry.control} total`);
      if (entry.outcome !== 'allowed') add(`${entry.control} ${entry.outcome}`);
      if (entry.control === 'input_screen') add(entry.ruleset_version);
    }
    for (const _ of await fixture.entries({ ...window, matched: ['rule'] })) add('hits');
    return figures;
  }

  describe('overview', () => {
    it('counts nothing at first', async () => {
      const quiet = { total: 0, blocked: 0, observed: 0, spark: NO_HOURS };
      assert.deepEqual(await activity(), {
        controls: Object.fromEntries(CONTROL_KEYS.map((key) => [key, quiet])),
        approvals: { pending: 0, expiringSoon: 0, executing: 0, outcomeUnknown: 0, oldestPendingAt: null },
        rulesets: [],
      });
    });

    it('counts total, blocked and observed per control', async () => {
      await fixture.append(
        {},
        { outcome: 'blocked' },
        { outcome: 'observed' },
        { control: 'tool_firewall', outcome: 'blocked' },
        { control: 'output_handler', outcome: 'observed' },
        { control: 'output_handler', outcome: 'observed' },
        { control: 'hitl' },
      );
      const { controls } = await activity();
      assert.deepEqual(
        CONTROL_KEYS.map((key) => [controls[key].total, controls[key].blocked, controls[key].observed]),
        [
          [1, 1, 0],
          [3, 1, 1],
          [2, 0, 2],
          [1, 0, 0],
        ],
      );
    });

    it('counts the entries of a list over its window, also while the clock moves on within a minute', async () => {
      const times: number[] = [];
      for (const after of [0, 1, 31_007, MINUTE - 1, MINUTE, HOUR - 1, 5 * HOUR + 30 * SECOND]) {
        const window = overviewWindow(noonPlus(after));
        const [from, to] = [window.from.getTime(), window.to.getTime()];
        const minute = to - (to % MINUTE);
        const firstMinute = [from - 1, from, from + 1, from + MINUTE - 1, from + MINUTE];
        const lastMinute = [minute - 1, minute, to - 1, to, to + 1, minute + MINUTE - 1];
        const decided = [...firstMinute, ...lastMinute].map((time, index): DecisionParts => ({
          ...matched('rule'),
          occurredAt: new Date(time),
          control: CONTROL_KEYS[(index + times.length) % 4] ?? 'hitl',
          outcome: OUTCOMES[index % 3] ?? 'allowed',
          rulesetVersion: `builtin-${index % 2}`,
        }));
        await fixture.append(...decided);
        times.push(...firstMinute, ...lastMinute);
        const figures = await counted(window);
        assert.deepEqual(figures, await walked(window));
        const total = sum(CONTROL_KEYS.map((key) => figures.get(`${key} total`) ?? 0));
        assert.equal(total, times.filter((time) => time >= from && time <= to).length);
      }
    });

    it('counts any window to the millisecond', async () => {
      const offsets = [-1, 0, 1, MINUTE, 2 * HOUR, 2 * HOUR + 17, 2 * HOUR + 18];
      await fixture.append(...offsets.map((after) => ({ ...matched('rule'), occurredAt: noonPlus(after) })));
      for (const [from, to, expected] of [
        [0, 2 * HOUR + 17, 5],
        [1, 2 * HOUR + 16, 3],
        [1, 1, 1],
        [2, 1, 0],
      ] as const) {
        const figures = await counted({ from: noonPlus(from), to: noonPlus(to) });
        const [total, hits] = [figures.get('input_screen total') ?? 0, figures.get('hits') ?? 0];
        assert.deepEqual([total, hits], [expected, expected]);
      }
    });

    for (const [name, after, expected] of [
      ['ends with the clock hour of the instant', 0, spark({ 0: 1 })],
      ['includes the whole of that hour, also after the window', HOUR - 1, spark({ 0: 1 })],
      ['excludes the next hour', HOUR, spark({})],
      ['puts a decision of the previous hour in its place', -1, spark({ 1: 1 })],
      ['begins eleven hours before', -11 * HOUR, spark({ 11: 1 })],
      ['excludes earlier decisions', -11 * HOUR - 1, spark({})],
    ] as const) {
      it(`returns an hourly series per control, over all outcomes, that ${name}`, async () => {
        await fixture.append({ occurredAt: noonPlus(after), outcome: 'blocked' });
        const { controls } = await activity(noonPlus(HOUR / 2));
        assert.deepEqual(controls.input_screen.spark, expected);
        assert.deepEqual(controls.hitl.spark, NO_HOURS);
      });
    }

    it('lists the ruleset versions of screenings, last seen first', async () => {
      await fixture.append(
        { rulesetVersion: 'old', occurredAt: noonPlus(-3 * HOUR) },
        { rulesetVersion: 'new', occurredAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', occurredAt: noonPlus(-2 * HOUR) },
        { rulesetVersion: 'too-old', occurredAt: noonPlus(-25 * HOUR) },
        { rulesetVersion: 'firewall', control: 'tool_firewall' },
      );
      assert.deepEqual((await activity()).rulesets, [
        { rulesetVersion: 'new', attempts: 1, lastSeenAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', attempts: 2, lastSeenAt: noonPlus(-2 * HOUR) },
      ]);
    });

    for (const [name, screenings, expected] of HITS) {
      it(`counts the hits of ${name}`, async () => {
        await fixture.append(...screenings);
        const hits = await overview.ruleHits(overviewWindow(NOON));
        const named = Object.entries(expected).map(([rule, [its, silenced]]): [string, RuleHits] => [
          rule,
          { hits: its, silenced },
        ]);
        assert.deepEqual(hits, new Map(named));
      });
    }

    it('counts open, running and unknown approvals, and shows the oldest pending one', async () => {
      const oldest = await park(fixture, { ttlMs: HOUR });
      await park(fixture, { ttlMs: 10 * MINUTE });
      await park(fixture, { ttlMs: 0 });
      await changed(fixture, await park(fixture), command({ verdict: 'rejected' }));
      await parkClaimed(fixture);
      await parkFinished(fixture, 'outcome_unknown');
      await parkFinished(fixture, 'outcome_unknown');
      await parkFinished(fixture, 'executed');
      assert.deepEqual((await activity()).approvals, {
        pending: 2,
        expiringSoon: 1,
        executing: 1,
        outcomeUnknown: 2,
        oldestPendingAt: oldest.createdAt,
      });
    });
  });
};
