// The commands on stored approvals. What each does in which state is a table beside `next` of the engine; this suite
// shows that a backend asks it once under a lock, and stores what it answers.
import assert from 'node:assert/strict';
import { entriesOf, idsOf, type BackendFixture, type Contract } from './backend-fixture.js';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { ApprovalCommand } from '#contracts/stores/approvals.store.js';
import {
  change,
  changed,
  claiming,
  command,
  evidenceTexts,
  finishing,
  LEASE_MS,
  noEvidence,
  NOTHING,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
  superseding,
  TWO_APPROVERS,
  voting,
} from './approval-helpers.js';
import { approvalEvidence } from './builders.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';

type Times = 'decidedAt' | 'finishedAt' | 'leaseUntil' | 'resolvedAt';

interface CommandCase {
  readonly does: string;
  readonly from: (fixture: BackendFixture) => Promise<Approval>;
  readonly command: ApprovalCommand;
  /** What it changes, except times. */
  readonly to: Partial<Approval>;
  readonly times?: readonly Times[];
  /** It records no evidence. */
  readonly unrecorded?: true;
  /** It changes the approval each time. */
  readonly repeats?: true;
}

const rejected = { verdict: 'rejected', reason: 'the customer asked', actorId: 'ops-2' } as const;
const failure = { result: null, error: { code: 'tool_failed', message: 'the bank said no' } };
const success = { result: { refunded: 25, ids: ['b', 'a'], deep: { none: null } }, error: null };

/** Each command from a state in which it is possible. */
export const COMMAND_CASES: readonly CommandCase[] = [
  {
    does: 'approve',
    from: park,
    command: command(),
    to: { status: 'approved', decision: 'approved', decidedBy: 'ops-1', decisionMac: 'sealed' },
    times: ['decidedAt'],
  },
  {
    does: 'reject',
    from: park,
    command: command(rejected),
    to: {
      status: 'rejected',
      decision: 'rejected',
      decidedBy: 'ops-2',
      reason: 'the customer asked',
      decisionMac: 'sealed',
    },
    times: ['decidedAt', 'finishedAt'],
  },
  {
    does: 'expire by a late decision',
    from: (fixture) => park(fixture, { ttlMs: 0 }),
    command: command(),
    to: { status: 'expired' },
    times: ['finishedAt'],
  },
  {
    does: 'expire',
    from: (fixture) => park(fixture, { ttlMs: -1 }),
    command: { kind: 'expire' },
    to: { status: 'expired' },
    times: ['finishedAt'],
  },
  { does: 'remind', from: park, command: { kind: 'remind', reminder: 'reminded', afterMs: 0 }, to: {} },
  { does: 'escalate', from: park, command: { kind: 'remind', reminder: 'escalated', afterMs: 0 }, to: {} },
  {
    does: 'claim',
    from: parkApproved,
    command: claiming(),
    to: { status: 'executing', fence: 1 },
    times: ['leaseUntil'],
    unrecorded: true,
  },
  {
    does: 'claim a changed call',
    from: parkApproved,
    command: claiming({ isUnchanged: () => false }),
    to: { status: 'superseded' },
    times: ['finishedAt'],
  },
  {
    does: 'supersede',
    from: parkApproved,
    command: superseding(failure),
    to: { status: 'superseded', ...failure },
    times: ['finishedAt'],
  },
  {
    does: 'claim again',
    from: (fixture) => parkClaimed(fixture, 0),
    command: { kind: 'claimAgain', fence: 1, leaseMs: LEASE_MS },
    to: { fence: 2 },
    times: ['leaseUntil'],
    unrecorded: true,
  },
  {
    does: 'renew',
    from: (fixture) => parkClaimed(fixture, 0),
    command: { kind: 'renew', fence: 1, leaseMs: LEASE_MS },
    to: {},
    times: ['leaseUntil'],
    unrecorded: true,
    repeats: true,
  },
  {
    does: 'finish as executed',
    from: parkClaimed,
    command: finishing('executed', success),
    to: { status: 'executed', leaseUntil: null, ...success },
    times: ['finishedAt'],
  },
  {
    does: 'finish as failed',
    from: parkClaimed,
    command: finishing('failed', failure),
    to: { status: 'failed', leaseUntil: null, ...failure },
    times: ['finishedAt'],
  },
  {
    does: 'mark as unknown',
    from: (fixture) => parkClaimed(fixture, 0),
    command: { kind: 'markUnknown', fence: 1, result: failure },
    to: { status: 'outcome_unknown', leaseUntil: null, ...failure },
    times: ['finishedAt'],
  },
  ...(['executed', 'failed'] as const).map((end): CommandCase => ({
    does: `resolve as ${end}`,
    from: (fixture) => parkFinished(fixture, 'outcome_unknown'),
    command: resolution({ resolution: end }),
    to: { status: end, resolvedBy: 'ops-2', resolvedReason: 'confirmed by the bank' },
    times: ['resolvedAt', 'finishedAt'],
  })),
  {
    does: 'claim the notification of',
    from: (fixture) => parkFinished(fixture, 'executed'),
    command: { kind: 'claimNotification', leaseMs: LEASE_MS },
    to: { notifyAttempts: 1 },
    unrecorded: true,
  },
  {
    does: 'put off the notification of',
    from: (fixture) => parkFinished(fixture, 'executed'),
    command: { kind: 'retryNotification', status: 'executed', inMs: LEASE_MS },
    to: {},
    unrecorded: true,
    repeats: true,
  },
  {
    does: 'end the notification of',
    from: (fixture) => parkFinished(fixture, 'executed'),
    command: { kind: 'markNotified', status: 'executed' },
    to: {},
    unrecorded: true,
    repeats: true,
  },
];

/** Of two commands at the same time, one is possible. */
const RACES: readonly (readonly [from: CommandCase['from'], one: ApprovalCommand, other: ApprovalCommand])[] =
  [
    [park, command(), command(rejected)],
    [(fixture) => park(fixture, { ttlMs: 0 }), { kind: 'expire' }, command()],
    [parkApproved, claiming(), superseding()],
    [parkClaimed, finishing('executed'), finishing('failed')],
    [
      (fixture) => parkClaimed(fixture, 0),
      { kind: 'renew', fence: 1, leaseMs: LEASE_MS },
      { kind: 'markUnknown', fence: 1, result: NOTHING },
    ],
  ];

export const approvalsChangeContract: Contract = ({ describe, it }, fixture) => {
  const { approvals } = fixture;
  describe('the command to', () => {
    for (const { does, from, command: given, to, times = [], unrecorded, repeats } of COMMAND_CASES) {
      it(`${does} a call changes it once, with its evidence`, async () => {
        const before = await from(fixture);
        const recorded = (await evidenceTexts(fixture)).length;
        if (unrecorded === undefined) {
          await assert.rejects(change(fixture, before, given, noEvidence), /no evidence/);
          assert.deepEqual(await approvals.find(before.id), before);
        }
        const evidence = unrecorded === undefined ? approvalEvidence : noEvidence;
        const results = await fixture.concurrently(10, (backend) =>
          backend.approvals.change(before.id, given, evidence),
        );
        const after = await approvals.find(before.id);
        const changes = results.filter((result) => result?.kind === 'changed');
        assert.equal(changes.length, repeats ? 10 : 1);
        if (!repeats) for (const result of results) assert.deepEqual(result?.approval, after);
        for (const time of times) assert.ok((after?.[time] ?? 0) >= before.createdAt, time);
        const changedTimes = Object.fromEntries(times.map((time) => [time, after?.[time]]));
        assert.deepEqual(after, { ...before, ...to, ...changedTimes });
        const texts = (await evidenceTexts(fixture)).slice(recorded);
        const text = `approval ${after.id} is ${after.status}`;
        assert.deepEqual(texts, unrecorded === undefined ? [text] : []);
      });
    }

    it('change an approval that does not exist has no result', async () => {
      for (const { command: given } of COMMAND_CASES)
        for (const id of [0, 999_999]) assert.equal(await change(fixture, { id }, given, noEvidence), null);
    });

    it('change an approval is refused in another state, and changes nothing', async () => {
      const refusals = [
        [await parkFinished(fixture, 'failed'), command(), 'status'],
        [await parkApproved(fixture), { kind: 'expire' }, 'status'],
        [await park(fixture), { kind: 'expire' }, 'early'],
        [await parkApproved(fixture), claiming({ withinMs: 0 }), 'late'],
        [await parkClaimed(fixture), finishing('executed', NOTHING, 2), 'fence'],
        [await parkClaimed(fixture), { kind: 'markUnknown', fence: 1, result: NOTHING }, 'early'],
      ] as const;
      for (const [standing, given, why] of refusals) {
        const refused = await change(fixture, standing, given, noEvidence);
        assert.deepEqual(refused, { kind: 'refused', approval: standing, why });
        assert.deepEqual(await approvals.find(standing.id), standing);
      }
    });

    for (const [from, one, other] of RACES) {
      it(`${one.kind} excludes a concurrent ${other.kind}`, async () => {
        for (let round = 0; round < 3; round++) {
          const { id } = await from(fixture);
          const results = await fixture.concurrently(2, (backend, index) =>
            backend.approvals.change(id, index === 0 ? one : other, approvalEvidence),
          );
          const kinds = new Set(results.map((result) => result?.kind));
          assert.deepEqual(kinds, new Set(['changed', 'refused']));
        }
      });
    }

    it('decide different calls does not wait for another call', async () => {
      const calls: Approval[] = [];
      for (let index = 0; index < 10; index++) calls.push(await park(fixture));
      const results = await fixture.concurrently(10, (backend, index) =>
        backend.approvals.change(calls[index]?.id ?? 0, command(), approvalEvidence),
      );
      assert.ok(results.every((result) => result?.kind === 'changed'));
    });

    for (const result of ['done', '', 0, false, [1, [2]], 1e21, { z: 1, a: 2 }, undefined]) {
      it(`finish a call stores the result ${JSON.stringify(result)}`, async () => {
        const { id } = await parkClaimed(fixture);
        const finished = await changed(fixture, { id }, finishing('executed', { result, error: null }));
        const found = await approvals.find(id);
        const stored = JSON.stringify(result ?? null);
        assert.deepEqual([JSON.stringify(found?.result), JSON.stringify(finished.result)], [stored, stored]);
      });
    }

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`decide, vote, finish or resolve replaces ${name}`, async () => {
        const by = { reason: given, actorId: given };
        const decided = await changed(fixture, await park(fixture), command(by));
        assert.deepEqual([decided.reason, decided.decidedBy], [kept, kept]);
        const call = await park(fixture, TWO_APPROVERS);
        const [vote] = (await changed(fixture, call, voting({ ...by, afterCount: 0 }))).votes;
        assert.deepEqual([vote?.actorId, vote?.reason], [kept, kept]);
        const runOf = (text: string) => ({
          result: { [text]: [text] },
          error: { code: text, message: text },
        });
        const ended = await changed(
          fixture,
          await parkClaimed(fixture),
          finishing('outcome_unknown', runOf(given)),
        );
        assert.deepEqual({ result: ended.result, error: ended.error }, runOf(kept));
        const settled = await changed(fixture, ended, resolution(by));
        assert.deepEqual([settled.resolvedReason, settled.resolvedBy], [kept, kept]);
      });
    }
  });

  describe('a vote', () => {
    it('that is not the last leaves the call pending, and is shown wherever the call is', async () => {
      const parked = await park(fixture, TWO_APPROVERS);
      const results = await fixture.concurrently(10, (backend, index) =>
        backend.approvals.change(
          parked.id,
          voting({ actorId: `ops-${index}`, reason: 'checked', afterCount: 0 }),
          approvalEvidence,
        ),
      );
      const [result, ...others] = results.filter((each) => each?.kind === 'changed');
      assert.deepEqual([result?.kind === 'changed' && result.step, others], ['voted', []]);
      assert.equal(results.filter((each) => each?.kind === 'refused' && each.why === 'votes').length, 9);
      const actorId = `ops-${results.findIndex((each) => each?.kind === 'changed')}`;
      const after = await approvals.find(parked.id);
      const [{ id, votedAt } = { id: 0, votedAt: null }] = after?.votes ?? [];
      assert.ok(votedAt !== null && votedAt >= parked.createdAt);
      const vote = { id, votedAt, actorId, reason: 'checked', voteMac: 'sealed vote', voidedAt: null };
      assert.deepEqual(after, { ...parked, votes: [vote], voteCount: 1 });
      assert.deepEqual(await approvals.findByTokenHash(parked.tokenHash), after);
      assert.deepEqual((await approvals.pending({ limit: 1 })).entries, [after]);
      assert.equal((await evidenceTexts(fixture)).length, 2);
    });

    it('that is the last decides, and voids the named votes of this approval only', async () => {
      const other = await park(fixture, TWO_APPROVERS);
      await changed(fixture, other, voting({ actorId: 'ops-1', afterCount: 0 }));
      const call = await park(fixture, TWO_APPROVERS);
      const { votes } = await changed(fixture, call, voting({ actorId: 'ops-1', afterCount: 0 }));
      const voided = idsOf(votes);
      await changed(fixture, call, voting({ actorId: 'ops-2', afterCount: 1, voided }));
      const last = await changed(fixture, call, voting({ actorId: 'ops-3', afterCount: 2, isLast: true }));
      assert.deepEqual([last.status, last.decidedBy, last.voteCount], ['approved', 'ops-3', 3]);
      assert.deepEqual(
        last.votes.map(({ actorId, voidedAt }) => [actorId, voidedAt instanceof Date]),
        [
          ['ops-1', true],
          ['ops-2', false],
          ['ops-3', false],
        ],
      );
      assert.equal((await approvals.find(other.id))?.votes[0]?.voidedAt, null);
      const [entry] = (await approvals.history({}, { limit: 1 })).entries;
      assert.deepEqual(entry?.votes, last.votes);
      for (const actor of ['ops-1', 'ops-2', 'ops-3', 'ops-4']) {
        const found = await entriesOf((page) => approvals.history({ actor }, page), 1);
        assert.equal(found.length, actor === 'ops-4' ? 0 : 1, actor);
      }
    });

    it('is not recorded if the evidence builder throws, and does not outweigh one rejection', async () => {
      const parked = await park(fixture, TWO_APPROVERS);
      const vote = voting({ actorId: 'ops-1', afterCount: 0 });
      await assert.rejects(change(fixture, parked, vote, noEvidence), /no evidence/);
      assert.deepEqual(await approvals.find(parked.id), parked);
      await changed(fixture, parked, vote);
      const { status, votes } = await changed(fixture, parked, command(rejected));
      assert.deepEqual([status, votes.length], ['rejected', 1]);
    });
  });

  describe('the encrypted token', () => {
    it('is kept while votes are missing, and deleted when the call is decided or expires', async () => {
      const token = 'c2VhbGVk';
      const tokenOf = ({ id }: Approval) => approvals.encryptedToken(id);
      const call = await park(fixture, { ...TWO_APPROVERS, encryptedToken: token });
      await changed(fixture, call, voting({ afterCount: 0 }));
      assert.equal(await tokenOf(call), token);
      for (const given of [command(), command(rejected)]) {
        const decided = await park(fixture, { encryptedToken: token });
        assert.equal(await tokenOf(decided), token);
        await changed(fixture, decided, given);
        assert.equal(await tokenOf(decided), null);
      }
      const overdue = await park(fixture, { encryptedToken: token, ttlMs: 0 });
      await changed(fixture, overdue, { kind: 'expire' });
      assert.equal(await tokenOf(overdue), null);
      assert.equal(await approvals.encryptedToken(999_999), null);
    });
  });
};
