import assert from 'node:assert/strict';
import { CONTROL_KEYS } from '../../../contracts/src/control-mode.js';
import { approvalEvidence, decision, newApproval, NOON, noonPlus, type DecisionParts } from './builders.js';
import type { Runner, BackendFixture } from './backend-fixture.js';

const HOUR = 3_600_000;
const NO_HOURS = Array.from({ length: 12 }, () => 0);

/** The spark of clock hours that are told by how many before the last they are. */
const spark = (counts: Readonly<Record<number, number>>): number[] =>
  NO_HOURS.map((_, index) => counts[11 - index] ?? 0);

/** A text in which these rules matched, one after the other; the first one decided. */
function matched(...ruleIds: readonly [string, ...string[]]): DecisionParts {
  const matchedRules = ruleIds.map((ruleId, index) => ({ ruleId, span: [index, index + 1] as const }));
  return { ruleId: ruleIds[0], matchedRules };
}

/** The window is (asOf − 24 h, asOf]: a row exactly a day old has left it, one of this very instant is in it. */
export function overviewContract({ describe, it }: Runner, fixture: BackendFixture): void {
  async function append(...rows: readonly DecisionParts[]): Promise<void> {
    for (const row of rows) await fixture.backend.audit.append(decision(row));
  }

  describe('overview', () => {
    it('knows every control at first, with nothing to tell', async () => {
      const quiet = { total: 0, blocked: 0, observed: 0, spark: NO_HOURS };
      assert.deepEqual(await fixture.backend.overview.activity(NOON), {
        controls: Object.fromEntries(CONTROL_KEYS.map((key) => [key, quiet])),
        pendingApprovals: 0,
        rulesets: [],
      });
    });

    it('counts total, blocked and observed of each control alone', async () => {
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
      ['counts a decision of the very instant', NOON, 1],
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

    it('counts to the millisecond whatever part of an hour it is asked at', async () => {
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
      ['has all of that hour, also what is still to come of it', HOUR - 1, spark({ 0: 1 })],
      ['has nothing of the hour behind it', HOUR, spark({})],
      ['has a decision of the hour before in its place', -1, spark({ 1: 1 })],
      ['begins with the eleventh hour before', -11 * HOUR, spark({ 11: 1 })],
      ['has left what was before that', -11 * HOUR - 1, spark({})],
    ] as const) {
      it(`draws a spark that ${name}`, async () => {
        await append({ occurredAt: noonPlus(after) });
        const { controls } = await fixture.backend.overview.activity(noonPlus(HOUR / 2));
        assert.deepEqual(controls.input_screen.spark, expected);
      });
    }

    it('draws the spark of each control alone, of every outcome', async () => {
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

    it('tells the rulesets of screenings, the latest seen first', async () => {
      await append(
        { rulesetVersion: 'old', occurredAt: noonPlus(-3 * HOUR) },
        { rulesetVersion: 'new', occurredAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', occurredAt: noonPlus(-2 * HOUR) },
        { rulesetVersion: 'forgotten', occurredAt: noonPlus(-25 * HOUR) },
        { rulesetVersion: 'elsewhere', control: 'tool_firewall' },
      );
      assert.deepEqual((await fixture.backend.overview.activity(NOON)).rulesets, [
        { rulesetVersion: 'new', attempts: 1, lastSeenAt: noonPlus(-HOUR) },
        { rulesetVersion: 'old', attempts: 2, lastSeenAt: noonPlus(-2 * HOUR) },
      ]);
    });

    it('has no hits of rules at first', async () => {
      assert.deepEqual(await fixture.backend.overview.ruleHits(NOON), new Map());
    });

    it('counts the hits of every rule that matched, whether or not it decided or anything was blocked', async () => {
      await append(
        { outcome: 'blocked', ...matched('first', 'second') },
        { outcome: 'observed', ...matched('second') },
        { outcome: 'allowed', ...matched('second', 'Ünïcode "quoted" %') },
        { outcome: 'blocked', errored: true, erroredRuleIds: ['broken'] },
      );
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['first', 1],
          ['second', 3],
          ['Ünïcode "quoted" %', 1],
        ]),
      );
    });

    it('counts a rule once for each text, however often it matched there', async () => {
      await append(matched('first', 'second', 'first', 'first'), matched('first', 'first'));
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['first', 2],
          ['second', 1],
        ]),
      );
    });

    it('counts hits of the trailing day and of screenings alone', async () => {
      await append(
        { occurredAt: noonPlus(1), ...matched('later') },
        { occurredAt: NOON, ...matched('now') },
        { occurredAt: noonPlus(1 - 24 * HOUR), ...matched('early') },
        { occurredAt: noonPlus(-24 * HOUR), ...matched('earlier') },
        { control: 'output_handler', ...matched('elsewhere') },
      );
      assert.deepEqual(
        await fixture.backend.overview.ruleHits(NOON),
        new Map([
          ['now', 1],
          ['early', 1],
        ]),
      );
    });

    it('counts the approvals that wait, and neither the expired nor the decided', async () => {
      const { approvals, overview } = fixture.backend;
      const decided = newApproval();
      for (const call of [newApproval(), newApproval(), newApproval({ ttlMs: 0 }), decided]) {
        await approvals.park(call, approvalEvidence, 20);
      }
      await approvals.decide(decided.tokenHash, {
        verdict: 'rejected',
        actor: { id: 'ops-1' },
        reason: null,
        seal: '',
        evidence: approvalEvidence,
      });
      assert.equal((await overview.activity(NOON)).pendingApprovals, 2);
    });
  });
}
