import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../contracts/src/clock.js';
import {
  approvalEvidence,
  decision,
  newApproval,
  NOON,
  noonPlus,
  outgoingEvent,
} from '../../contract/src/builders.js';
import { memoryStores } from './memory-stores.js';

class SetClock extends Clock {
  private instant = NOON;

  override now(): Date {
    return this.instant;
  }

  /** To this many milliseconds after noon. */
  set(milliseconds: number): void {
    this.instant = noonPlus(milliseconds);
  }
}

describe('the memory stores by the clock they are given', () => {
  it('let an approval wait until its time is up, and not a millisecond longer', async () => {
    const clock = new SetClock();
    const { approvals, overview } = memoryStores({ clock });
    await approvals.park(newApproval({ ttlMs: 1000 }), approvalEvidence, 20);
    for (const [after, open] of [
      [999, 1],
      [1000, 0],
    ] as const) {
      clock.set(after);
      expect((await approvals.pending({ limit: 10 })).entries).toHaveLength(open);
      expect((await overview.activity(NOON)).pendingApprovals).toBe(open);
    }
  });

  it('date what happens to an approval', async () => {
    const clock = new SetClock();
    const { approvals } = memoryStores({ clock });
    const call = newApproval({ ttlMs: 1000 });
    const parked = await approvals.park(call, approvalEvidence, 20);
    expect(parked?.approval).toMatchObject({ createdAt: NOON, expiresAt: noonPlus(1000) });
    clock.set(500);
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
    clock.set(700);
    const run = { result: null, error: null };
    expect(await approvals.finish(id, 1, 'executed', run, evidence)).toMatchObject({
      finishedAt: noonPlus(700),
    });
  });

  it('hand an event over again when its lease or its delay has run out', async () => {
    const clock = new SetClock();
    const { audit, outbox } = memoryStores({ clock });
    await audit.append(decision({ outgoing: [outgoingEvent()] }));
    const claim = () => outbox.claim('siem', 10, 1000);
    const [event] = await claim();
    clock.set(999);
    expect(await claim()).toEqual([]);
    clock.set(1000);
    const [again] = await claim();
    expect(again?.id).toBe(event?.id);
    if (again !== undefined) await outbox.retry('siem', again, 5000, 'refused');
    clock.set(5999);
    expect(await claim()).toEqual([]);
    clock.set(6000);
    expect(await claim()).toMatchObject([{ attempts: 1 }]);
  });

  it('forget with the process: two backends share nothing', async () => {
    const [one, other] = [memoryStores(), memoryStores()];
    await one.audit.append(decision());
    expect((await other.audit.list({}, { limit: 1 })).entries).toEqual([]);
  });
});
