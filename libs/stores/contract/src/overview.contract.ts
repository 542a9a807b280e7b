import assert from 'node:assert/strict';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import type { RuleHits } from '#contracts/overview/overview.js';
import { approvalEvidence, decision, newApproval, NOON, noonPlus, type DecisionParts } from './builders.js';
import { park, parkClaimed, parkFinished } from './approval-helpers.js';
import type { Runner, BackendFixture } from './backend-fixture.js';

const HOUR = 3_600_000;
const NO_HOURS = Array.from({ length: 12 }, () => 0);

/** The counts per clock hour, by hours before the last one. */
const spark = (counts: Readonly<Record<number, number>>): number[] =>
  NO_HOURS.map((_, index) => counts[11 - index] ?? 0);

/** A text matched by these rules; the first one is the deciding rule. */
function matched(...ruleIds: readonly [string, ...string[]]): DecisionParts {
  const matchedRules = ruleIds.map((ruleId, index) => ({ ruleId, span: [index, index + 1] as const }));
  return { ruleId: ruleIds[0], matchedRules };
}

const hits = (count: number, silenced = 0): RuleHits => ({ hits: count, silenced });

/** The window is (asOf − 24 h, asOf]: it excludes a row that is exactly a day old and includes one at `asOf`. */
export function overviewContract({ describe, it }: Runner, fixture: BackendFixture): void {
  async function append(...rows: readonly DecisionParts[]): Promise<void> {
    for (const row of rows) await fixture.backend.audit.append(decision(row));
  }

  describe('overview', () => {
    it('lists every control with zero counts at first', async () => {
      const quiet = { total: 0, blocked: 0, observed: 0, spark: NO_HOURS };
      assert.deepEqual(await fixture.backend.overview.activity(NOON), {
        controls: Object.fromEntries(CONTROL_KEYS.map((key) => [key, quiet])),
        approvals: {
          pending: 0,
          expiringSoon: 0,
          executing: 0,
          outcomeUnknown: 0,
          oldestPendingAt: null,
        },
        rulesets: [],
      });
    });

    it('counts total, blocked and observed per control', async () => {
      await append(
        { control: 'input_screen' },
        { control: 'input_screen', outcome: 'blocked' },
        { control: 'input_screen', outcome: 'observed' },
        { control: 'tool_firewall', outcome: 'blocked' },
        { control: 'output_handler', outcome: 'observed' },
        { control: 'output_handler', outcome: 'observed' },
        { control: 'hitl' },
      );
      const { controls } = await fixture.backend.overview.activity(NOON);
      const counts = CONTROL_KEYS.map((key) => [
        controls[key].total,
        controls[key].blocked,
        controls[key].observed,
      ]);
      assert.deepEqual(counts, [
        [1, 1, 0],
        [3, 1, 1],
        [2, 0, 2],
        [1, 0, 0],
      ]);
    });

    for (const [name, occurredAt, counted] of [
      ['counts a decision at `asOf`', NOON, 1],
      ['does not count a decision after it', noonPlus(1), 0],
      ['counts a decision a millisecond less than a day old', noonPlus(1 - 24 * HOUR), 1],
      ['does not count a decision exactly a day old', noonPlus(-24 * HOUR), 0],
    ] as const) {
      it(name, async () => {
        await append({ occurredAt });
        const { controls, rulesets } = await fixture.backend.overview.activity(NOON);
        assert.deepEqual([controls.input_screen.total, rulesets.length], [counted, counted]);
      });
    }

    it('counts to the millisecond at any time within an hour', async () => {
      const asOf = noonPlus(17 * 60_000 + 31_007);
      const dayAgo = asOf.getTime() - 24 * HOUR;
      await append(
        { occurredAt: new Date(dayAgo) },
        { occurredAt: new Date(dayAgo + 1) },
        { occurredAt: new Date(dayAgo + HOUR) },
        { occurredAt: new Date(asOf.getTime() - 1) },
        { occurredAt: asOf },
        { occurredAt: new Date(asOf.getTime() + 1) },
      );
      assert.equal((await fixture.backend.overview.activity(asOf)).controls.input_screen.total, 4);
    });

    for (const [name, after, expected] of [
      ['ends with the clock hour of the instant', 0, spark({ 0: 1 })],
      ['includes the whole of that hour, also after `asOf`', HOUR - 1, spark({ 0: 1 })],
      ['excludes the next hour', HOUR, spark({})],
      ['puts a decision of the previous hour in its place', -1, spark({ 1: 1 })],
      ['begins eleven hours before', -11 * HOUR, spark({ 11: 1 })],
      ['excludes earlier decisions', -11 * HOUR - 1, spark({})],
    ] as const) {
      it(`returns an hourly series that ${name}`, async () => {
        await append({ occurredAt: noonPlus(after) });
        const { controls } = await fixture.backend.overview.activity(noonPlus(HOUR / 2));
        assert.deepEqual(controls.input_screen.spark, expected);
      });
    }

    it('returns an hourly series per control, over all outcomes', async () => {
      await append(
        { control: 'tool_firewall', occurredAt: noonPlus(-2.5 * HOUR), outcome: 'blocked' },
        { control: 'tool_firewall', occurredAt: noonPlus(-2.5 * HOUR) },
        { control: 'hitl', occurredAt: noonPlus(-0.5 * HOUR), outcome: 'observed' },
      );
      const { controls } = await fixture.backend.overview.activity(NOON);
      assert.deepEqual(
        CONTROL_KEYS.map((key) => controls[key].spark),
        [spark({ 3: 2 }), spark({}), spark({}), spark({ 1: 1 })],
      );
    });

    it('lists the ruleset versions of screenings, last seen first', async () => {
      await append(
        { rulesetVersion: 'old', occurredAt: noonPlus(-3 * HOUR) },
        { rulesetVersion: 'new', occurredAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', occurredAt: noonPlus(-2 * HOUR) },
        { rulesetVersion: 'too-old', occurredAt: noonPlus(-25 * HOUR) },
        { rulesetVersion: 'firewall', control: 'tool_firewall' },
      );
      assert.deepEqual((await fixture.backend.overview.activity(NOON)).rulesets, [
        { rulesetVersion: 'new', attempts: 1, lastSeenAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', attempts: 2, lastSeenAt: noonPlus(-2 * HOUR) },
      ]);
    });

    it('has no rule hits at first', async () => {
      assert.deepEqual(await fixture.backend.overview.ruleHits(NOON), new Map());
    });

    it('counts the hits of every matching rule, deciding or not, blocked or not', async () => {
      await append(
        { outcome: 'blocked', ...matched('first', 'second') },
        { outcome: 'observed', ...matched('second') },
        { outcome: 'allowed', ...matched('second', 'Ünïcode "quoted" %') },
        { outcome: 'blocked', errored: true, erroredRuleIds: ['broken'] },
      );
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['first', hits(1)],
          ['second', hits(3)],
          ['Ünïcode "quoted" %', hits(1)],
        ]),
      );
    });

    it('counts a rule once per text', async () => {
      await append(matched('first', 'second', 'first', 'first'), matched('first', 'first'));
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['first', hits(2)],
          ['second', hits(1)],
        ]),
      );
    });

    it('counts matches in exceptions apart from the hits', async () => {
      const { matchedRules: counted = [] } = matched('first', 'first');
      const { matchedRules = [] } = matched('first', 'first', 'second');
      const silenced = matchedRules.map((match) => ({ ...match, exception: true as const }));
      await append(
        { occurredAt: noonPlus(-3 * HOUR), matchedRules: silenced },
        { outcome: 'blocked', matchedRules: [...counted, ...silenced] },
        { matchedRules: silenced },
      );
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['first', hits(1, 3)],
          ['second', hits(0, 3)],
        ]),
      );
    });

    it('counts no screener that did not judge a text', async () => {
      const { matchedRules = [] } = matched('first');
      const notJudged = [{ ruleId: 'second', span: [0, 0] as const, notJudged: true as const }];
      await append(
        { occurredAt: noonPlus(-3 * HOUR), matchedRules: notJudged },
        { occurredAt: noonPlus(-3 * HOUR), matchedRules: [...matchedRules, ...notJudged] },
        { matchedRules: notJudged },
      );
      assert.deepEqual(await fixture.backend.overview.ruleHits(NOON), new Map([['first', hits(1)]]));
    });

    it('counts hits of screenings within the last 24 hours only', async () => {
      await append(
        { occurredAt: noonPlus(1), ...matched('later') },
        { occurredAt: NOON, ...matched('now') },
        { occurredAt: noonPlus(1 - 24 * HOUR), ...matched('early') },
        { occurredAt: noonPlus(-24 * HOUR), ...matched('earlier') },
        { control: 'output_handler', ...matched('output') },
      );
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['now', hits(1)],
          ['early', hits(1)],
        ]),
      );
    });

    it('counts pending approvals, without expired and decided ones', async () => {
      const { approvals, overview } = fixture.backend;
      const decided = newApproval();
      for (const call of [newApproval(), newApproval(), newApproval({ ttlMs: 0 }), decided]) {
        await approvals.park(call, approvalEvidence, 20);
      }
      await approvals.decide(decided.tokenHash, {
        verdict: 'rejected',
        actorId: 'ops-1',
        reason: null,
        decisionMac: '',
        evidence: approvalEvidence,
      });
      assert.equal((await overview.activity(NOON)).approvals.pending, 2);
    });

    it('counts running, unknown and soon expiring approvals, and shows the oldest pending one', async () => {
      const oldest = await park(fixture, { ttlMs: 3_600_000 });
      await park(fixture, { ttlMs: 10 * 60_000 });
      await park(fixture, { ttlMs: 0 });
      await parkClaimed(fixture);
      await parkFinished(fixture, 'outcome_unknown');
      await parkFinished(fixture, 'outcome_unknown');
      await parkFinished(fixture, 'executed');
      assert.deepEqual((await fixture.backend.overview.activity(NOON)).approvals, {
        pending: 2,
        expiringSoon: 1,
        executing: 1,
        outcomeUnknown: 2,
        oldestPendingAt: oldest.createdAt,
      });
    });
  });
}
