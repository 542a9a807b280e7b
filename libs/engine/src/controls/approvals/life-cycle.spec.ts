import { describe, expect, it } from '@jest/globals';
import { APPROVAL_STATUSES } from '#contracts/approvals/approvals.js';
import type { ApprovalCommand, ApprovalRow } from '#contracts/stores/approvals.store.js';
import {
  claiming,
  command,
  finishing,
  resolution,
  superseding,
  voting,
} from '#stores/contract/approval-helpers.js';
import { newApproval, NOON, noonPlus } from '#stores/contract/builders.js';
import { begin, next } from './life-cycle.js';

const MINUTE = 60_000;
const FAILURE = { result: null, error: { code: 'interrupted', message: 'the process ended' } };

/** A call that waits since noon, for an hour. */
function waiting(parts: Partial<ApprovalRow> = {}): ApprovalRow {
  return { ...begin(newApproval({ encryptedToken: 'sealed' }), NOON), id: 1, ...parts };
}

const decided = { decision: 'approved', decidedBy: 'ops-1', decidedAt: NOON, encryptedToken: null } as const;
const ended = { ...decided, fence: 1, finishedAt: NOON };

/** Every state, one minute after noon. */
const STATES: Readonly<Record<string, ApprovalRow>> = {
  pending: waiting(),
  'pending, overdue': waiting({ expiresAt: noonPlus(MINUTE) }),
  'pending, reminded': waiting({ remindedAt: NOON }),
  'approved, now': waiting({ ...decided, status: 'approved' }),
  'approved, restored': waiting({ ...decided, status: 'approved', isRestored: true }),
  'approved, restored, erased': waiting({
    ...decided,
    status: 'approved',
    isRestored: true,
    arguments: null,
    argumentsDigest: '',
  }),
  'approved, long ago': waiting({ ...decided, status: 'approved', decidedAt: noonPlus(-60 * MINUTE) }),
  executing: waiting({ ...decided, status: 'executing', fence: 1, leaseUntil: noonPlus(2 * MINUTE) }),
  'executing, lost': waiting({ ...decided, status: 'executing', fence: 1, leaseUntil: noonPlus(MINUTE) }),
  'executing again': waiting({ ...decided, status: 'executing', fence: 2, leaseUntil: NOON }),
  executed: waiting({ ...ended, status: 'executed' }),
  'executed, notified': waiting({ ...ended, status: 'executed', notifiedAt: NOON }),
  'executed, leased to notify': waiting({
    ...ended,
    status: 'executed',
    notifyLeaseUntil: noonPlus(2 * MINUTE),
  }),
  'executed, a week ago': waiting({
    ...ended,
    status: 'executed',
    finishedAt: noonPlus(-7 * 24 * 60 * MINUTE),
  }),
  failed: waiting({ ...ended, status: 'failed' }),
  outcome_unknown: waiting({ ...ended, ...FAILURE, status: 'outcome_unknown' }),
  rejected: waiting({ ...ended, status: 'rejected', fence: 0, decision: 'rejected' }),
  expired: waiting({ status: 'expired', finishedAt: NOON }),
  superseded: waiting({ ...ended, status: 'superseded', fence: 0 }),
};

interface Row {
  readonly command: ApprovalCommand;
  /** The status that follows in each state: a state of `STATES`, or all others of this status. */
  readonly to: Readonly<Record<string, string>>;
}

const pendingOnly = { 'pending, overdue': '– expired' };
const byDecision = { 'pending, overdue': 'expired', expired: '– expired' };
const byFence = { 'executing again': '– fence' };

/** Command × state → status, fence and step that is recorded, or the refusal. Where no answer stands: `– status`. */
const LIFE_CYCLE: Readonly<Record<string, Row>> = {
  approve: { command: command(), to: { ...byDecision, pending: 'approved' } },
  reject: { command: command({ verdict: 'rejected' }), to: { ...byDecision, pending: 'rejected' } },
  vote: { command: voting({ afterCount: 0 }), to: { ...byDecision, pending: 'pending, voted' } },
  'vote last': {
    command: voting({ afterCount: 0, isLast: true }),
    to: { ...byDecision, pending: 'approved' },
  },
  'vote after another vote': {
    command: voting({ afterCount: 1 }),
    to: { ...byDecision, pending: '– votes' },
  },
  expire: { command: { kind: 'expire' }, to: { pending: '– early', 'pending, overdue': 'expired' } },
  remind: {
    command: { kind: 'remind', reminder: 'reminded', afterMs: MINUTE },
    to: { ...pendingOnly, pending: 'pending, reminded', 'pending, reminded': '– late' },
  },
  'remind too early': {
    command: { kind: 'remind', reminder: 'reminded', afterMs: MINUTE + 1 },
    to: { ...pendingOnly, pending: '– early', 'pending, reminded': '– late' },
  },
  escalate: {
    command: { kind: 'remind', reminder: 'escalated', afterMs: MINUTE },
    to: { ...pendingOnly, pending: 'pending, escalated' },
  },
  'replace by a proposal': {
    command: { kind: 'replace' },
    to: { ...pendingOnly, pending: 'superseded' },
  },
  claim: {
    command: claiming(),
    to: { approved: '– late', 'approved, now': 'executing, fence 1, unrecorded' },
  },
  'claim a changed call': {
    command: claiming({ isUnchanged: () => false }),
    to: { approved: '– late', 'approved, now': 'superseded' },
  },
  'claim again': {
    command: { kind: 'claimAgain', fence: 1, leaseMs: MINUTE },
    to: { ...byFence, executing: '– early', 'executing, lost': 'executing, fence 2, unrecorded' },
  },
  renew: {
    command: { kind: 'renew', fence: 1, leaseMs: MINUTE },
    to: { ...byFence, executing: 'executing, fence 1, unrecorded' },
  },
  'finish as executed': {
    command: finishing('executed'),
    to: { ...byFence, executing: 'executed, fence 1' },
  },
  'finish as failed': { command: finishing('failed'), to: { ...byFence, executing: 'failed, fence 1' } },
  'finish as unknown': {
    command: finishing('outcome_unknown'),
    to: { ...byFence, executing: 'outcome_unknown, fence 1' },
  },
  'mark as unknown': {
    command: { kind: 'markUnknown', fence: 1, result: FAILURE },
    to: { ...byFence, executing: '– early', 'executing, lost': 'outcome_unknown, fence 1' },
  },
  'mark as unknown before a run': {
    command: { kind: 'markUnknown', fence: 0, result: FAILURE },
    to: { executing: '– fence', 'approved, restored': 'outcome_unknown, fence 1' },
  },
  supersede: { command: superseding(), to: { approved: 'superseded' } },
  'resolve as executed': { command: resolution(), to: { outcome_unknown: 'executed, fence 1' } },
  'resolve as failed': {
    command: resolution({ resolution: 'failed' }),
    to: { outcome_unknown: 'failed, fence 1' },
  },
  'claim the notification': {
    command: { kind: 'claimNotification', leaseMs: MINUTE },
    to: {
      executed: 'executed, fence 1, unrecorded',
      'executed, notified': '– late',
      'executed, leased to notify': '– early',
      'executed, a week ago': '– late',
      failed: 'failed, fence 1, unrecorded',
      outcome_unknown: 'outcome_unknown, fence 1, unrecorded',
      rejected: 'rejected, unrecorded',
      expired: 'expired, unrecorded',
      superseded: 'superseded, unrecorded',
    },
  },
  'put off the notification': {
    command: { kind: 'retryNotification', status: 'executed', inMs: MINUTE },
    to: { executed: 'executed, fence 1, unrecorded', 'executed, notified': '– late' },
  },
  'end the notification': {
    command: { kind: 'markNotified', status: 'executed' },
    to: { executed: 'executed, fence 1, unrecorded' },
  },
};

function answer(row: ApprovalRow, given: ApprovalCommand): string {
  const result = next(row, given, noonPlus(MINUTE));
  if (result.kind === 'refused') return `– ${result.why}`;
  const { status, fence } = result.row;
  const step = result.step ?? 'unrecorded';
  return [status, ...(fence > 0 ? [`fence ${fence}`] : []), ...(step === status ? [] : [step])].join(', ');
}

describe('the life cycle of an approval', () => {
  it.each(Object.entries(LIFE_CYCLE))('has one answer in each state to: %s', (_, { command: given, to }) => {
    const states = Object.entries(STATES);
    const expected = states.map(([state, { status }]) => [state, to[state] ?? to[status] ?? '– status']);
    expect(states.map(([state, row]) => [state, answer(row, given)])).toEqual(expected);
  });

  it('reaches every status, and is asked in every one', () => {
    const statuses = new Set(Object.values(STATES).map(({ status }) => status));
    expect([...statuses].toSorted()).toEqual([...APPROVAL_STATUSES].toSorted());
    const reached = Object.values(LIFE_CYCLE).flatMap(({ to }) => Object.values(to));
    for (const status of APPROVAL_STATUSES) expect(reached.some((to) => to.startsWith(status))).toBe(true);
  });

  it('ends a call without its lease and its token, and keeps a result that the command does not give', () => {
    for (const [state, row] of Object.entries(STATES))
      for (const { command: given } of Object.values(LIFE_CYCLE)) {
        const result = next(row, given, noonPlus(MINUTE));
        if (result.kind === 'refused' || result.row.status === row.status) continue;
        const { status, leaseUntil, finishedAt, encryptedToken } = result.row;
        expect([state, encryptedToken]).toEqual([state, null]);
        const isOpen = status === 'approved' || status === 'executing';
        expect([state, status, finishedAt !== null]).toEqual([state, status, !isOpen]);
        if (!isOpen) expect(leaseUntil).toBeNull();
      }
  });

  it('resolves an outcome as executed without its error, and notifies handlers again', () => {
    const notified = { notifiedAt: NOON, notifyAttempts: 3 };
    const unknown = waiting({ ...ended, ...FAILURE, ...notified, status: 'outcome_unknown' });
    const result = next(unknown, resolution(), noonPlus(MINUTE));
    const time = noonPlus(MINUTE);
    const by = { resolvedBy: 'ops-2', resolvedReason: 'confirmed by the bank', resolvedAt: time };
    const again = { notifiedAt: null, notifyAttempts: 0, notifyLeaseUntil: null, finishedAt: time };
    const row = { ...unknown, ...by, ...again, status: 'executed', error: null };
    expect(result).toEqual({ kind: 'changed', step: 'executed', row });
  });

  it('voids the named votes, and no vote twice', () => {
    const vote = { actorId: 'ops-1', reason: null, votedAt: NOON, voteMac: 'sealed', voidedAt: null };
    const votes = [
      { ...vote, id: 1, voidedAt: NOON },
      { ...vote, id: 2 },
      { ...vote, id: 3 },
    ];
    const given = voting({ afterCount: 3, voided: [1, 2], actorId: 'ops-2' });
    const result = next(waiting({ votes, voteCount: 3 }), given, noonPlus(MINUTE));
    expect(result).toMatchObject({
      row: {
        voteCount: 4,
        votes: [
          { voidedAt: NOON },
          { voidedAt: noonPlus(MINUTE) },
          { voidedAt: null },
          { id: 4, actorId: 'ops-2', votedAt: noonPlus(MINUTE), voidedAt: null },
        ],
      },
    });
  });
});
