import { describe, expect, it } from '@jest/globals';
import { Clock } from '#contracts/common/clock.js';
import {
  approvalEvidence,
  decision,
  newApproval,
  NOON,
  noonPlus,
  outgoingEvent,
} from '#stores/contract/builders.js';
import { memoryStores } from './memory-stores.js';

class ManualClock extends Clock {
  private instant = NOON;

  override now(): Date {
    return this.instant;
  }

  setAfterNoon(milliseconds: number): void {
    this.instant = noonPlus(milliseconds);
  }
}

describe('memoryStores with a given clock', () => {
  it('expires an approval exactly when its ttl has passed', async () => {
    const clock = new ManualClock();
    const { approvals, overview } = memoryStores({ clock });
    await approvals.park(newApproval({ ttlMs: 1000 }), approvalEvidence, 20);
    for (const [after, open] of [
      [999, 1],
      [1000, 0],
    ] as const) {
      clock.setAfterNoon(after);
      expect((await approvals.pending({ limit: 10 })).entries).toHaveLength(open);
      expect((await overview.activity(NOON)).approvals.pending).toBe(open);
    }
  });

  it('takes the times of an approval from the clock', async () => {
    const clock = new ManualClock();
    const { approvals } = memoryStores({ clock });
    const call = newApproval({ ttlMs: 1000 });
    const parked = await approvals.park(call, approvalEvidence, 20);
    expect(parked?.approval).toMatchObject({ createdAt: NOON, expiresAt: noonPlus(1000) });
    clock.setAfterNoon(500);
    const evidence = approvalEvidence;
    const command = {
      verdict: 'approved',
      actorId: 'ops-1',
      reason: null,
      decisionMac: '',
      evidence,
    } as const;
    expect(await approvals.decide(call.tokenHash, command)).toMatchObject({
      approval: { decidedAt: noonPlus(500) },
    });
    const id = parked?.approval.id ?? 0;
    await approvals.claim(id, { leaseMs: 60_000, withinMs: 60_000, objection: () => null });
    clock.setAfterNoon(700);
    const run = { result: null, error: null };
    expect(await approvals.finish(id, 1, 'executed', run, evidence)).toMatchObject({
      finishedAt: noonPlus(700),
    });
  });

  it('returns an event again after its lease or delay has passed', async () => {
    const clock = new ManualClock();
    const { audit, outbox } = memoryStores({ clock });
    await audit.append(decision({ outgoing: [outgoingEvent()] }));
    const claim = () => outbox.claim('siem', 10, 1000);
    const [event] = await claim();
    clock.setAfterNoon(999);
    expect(await claim()).toEqual([]);
    clock.setAfterNoon(1000);
    const [again] = await claim();
    expect(again?.id).toBe(event?.id);
    if (again !== undefined) await outbox.retry('siem', again, 5000, 'refused');
    clock.setAfterNoon(5999);
    expect(await claim()).toEqual([]);
    clock.setAfterNoon(6000);
    expect(await claim()).toMatchObject([{ attempts: 1 }]);
  });

  it('shares nothing between two backends', async () => {
    const [one, other] = [memoryStores(), memoryStores()];
    await one.audit.append(decision());
    expect((await other.audit.list({}, { limit: 1 })).entries).toEqual([]);
  });
});
