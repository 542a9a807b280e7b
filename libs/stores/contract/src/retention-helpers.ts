import assert from 'node:assert/strict';
import type { Decision } from '#contracts/audit/record.js';
import type { RetentionRun, RetentionScope, RetentionStrategy } from '#contracts/retention/retention.js';
import type { HeldRun, RetentionStore } from '#contracts/stores/retention.store.js';
import { decision, newRejection, noonPlus, outgoingEvent, type DecisionParts } from './builders.js';
import type { BackendFixture } from './backend-fixture.js';
import { LONG } from './outbox-helpers.js';

const HOUR = 3_600_000;

/** `NOON` plus this many hours. */
export const hours = (count: number): Date => noonPlus(count * HOUR);

export async function begin(
  fixture: BackendFixture,
  strategy: RetentionStrategy,
  scope: RetentionScope,
  leaseMs = LONG,
): Promise<HeldRun> {
  const run = await fixture.retention.begin({ strategy, scope, actorId: 'ops-1' }, leaseMs);
  assert.ok(run !== null, 'the run was started');
  return run;
}

/** Continues a run to its end. */
export async function complete(store: RetentionStore, begun: HeldRun, limit = 100): Promise<RetentionRun> {
  let run = begun;
  for (let done = false; !done;) {
    const step = await store.proceed(run, limit, LONG);
    assert.ok(step !== null, 'the run is still leased by this caller');
    ({ run, done } = step);
  }
  const finished = await store.finish(run);
  assert.ok(finished !== null, 'the run is finished');
  return finished;
}

/** Begins and completes a run. */
export async function retain(
  fixture: BackendFixture,
  strategy: RetentionStrategy,
  scope: RetentionScope,
  limit = 100,
): Promise<RetentionRun> {
  return complete(fixture.retention, await begin(fixture, strategy, scope), limit);
}

/** A rejected call that writes to every store and names its principal in each. */
export function namingDecision(principalId: string, parts: DecisionParts = {}): Decision {
  const { occurredAt = noonPlus(0) } = parts;
  return decision({
    control: 'tool_firewall',
    outcome: 'blocked',
    origin: 'tool_call',
    tool: 'refund',
    principalId,
    prompt: `refund for ${principalId}`,
    matchedText: principalId,
    policy: JSON.stringify({ owner: principalId }),
    rejection: newRejection({ principalId, occurredAt }),
    outgoing: [
      outgoingEvent({
        payload: { principal_id: principalId },
        subject: `principal:${principalId}`,
        occurredAt,
      }),
    ],
    ...parts,
  });
}
