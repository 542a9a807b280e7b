import assert from 'node:assert/strict';
import { noonPlus, outgoingEvent } from './builders.js';
import { type DurabilityCases, restart } from './durability-helpers.js';
import { claim, claimOne, LONG, queue, queueFor, settling, SIEM } from './outbox-helpers.js';

export const DURABLE_OUTBOX: DurabilityCases['outbox'] = {
  backlog: 'reads',
  deadLetters: 'reads',
  after: 'reads',
  newest: 'reads',
  async claim(fixture) {
    await queue(fixture, 'a');
    await claimOne(fixture);
    await restart(fixture);
    assert.deepEqual(await claim(fixture), [], 'the event is still leased');
  },
  async delivered(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).delivered(await claimOne(fixture));
    await restart(fixture);
  },
  async retry(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).retry(await claimOne(fixture), LONG);
    await restart(fixture);
    assert.deepEqual(await claim(fixture), [], 'the event still waits for its retry');
  },
  async markDead(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).markDead(await claimOne(fixture));
    await restart(fixture);
  },
  async release(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).release(await claimOne(fixture));
    await restart(fixture);
    assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
  },
  async retryDead(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).markDead(await claimOne(fixture));
    await fixture.backend.outbox.retryDead(SIEM, 10);
    await restart(fixture);
  },
  async add(fixture) {
    await fixture.backend.outbox.add([outgoingEvent()]);
    await restart(fixture);
  },
  async retryNow(fixture) {
    await queue(fixture, 'a');
    await settling(fixture).retry(await claimOne(fixture), LONG);
    await fixture.backend.outbox.retryNow(SIEM);
    await restart(fixture);
    assert.equal((await claim(fixture)).length, 1, 'the event can be claimed');
  },
  async markOldDead(fixture) {
    await queue(fixture, 'a');
    assert.equal(await fixture.backend.outbox.markOldDead(SIEM, 0, 10, 'too old'), 1);
    await restart(fixture);
  },
  async requeue(fixture) {
    await queue(fixture, 'a');
    const event = await claimOne(fixture);
    await settling(fixture).delivered(event);
    await fixture.backend.outbox.requeue(SIEM, [event.position]);
    await restart(fixture);
  },
  async prune(fixture) {
    await queueFor(fixture, [], 'a');
    assert.equal(await fixture.backend.outbox.prune(noonPlus(LONG), 10, []), 1);
    await restart(fixture);
  },
};
