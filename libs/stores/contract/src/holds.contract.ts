import assert from 'node:assert/strict';
import type { HoldScope, NewHold } from '#contracts/retention/holds.js';
import { outgoingEvent, unreadableEvent } from './builders.js';
import { entriesOf, type BackendFixture, type Runner } from './backend-fixture.js';
import { UNUSUAL_TEXT } from './hostile-text.js';
import { LONG, SIEM } from './outbox-helpers.js';
import { hours } from './retention-helpers.js';

const HOLD_SCOPES: readonly HoldScope[] = [
  { kind: 'principal', principalId: UNUSUAL_TEXT },
  { kind: 'run', runId: 'run-1' },
  { kind: 'application', application: 'support' },
  { kind: 'entries', firstId: 1, lastId: Number.MAX_SAFE_INTEGER },
  { kind: 'period', from: hours(-1), to: hours(0) },
];

export function newHold(parts: Partial<NewHold> = {}): NewHold {
  return {
    scope: { kind: 'principal', principalId: 'customer-42' },
    reason: 'case 118',
    setBy: 'ops-1',
    ...parts,
  };
}

export function holdsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('holds', () => {
    const stored = (filter: { readonly active?: boolean } = {}) =>
      entriesOf((page) => fixture.backend.holds.list(filter, page));
    const queued = () => fixture.backend.outbox.claim(SIEM, 100, LONG);

    it('are listed newest first, with scope, reason and actor', async () => {
      for (const scope of HOLD_SCOPES) {
        const hold = await fixture.backend.holds.set(newHold({ scope, reason: UNUSUAL_TEXT }), () => []);
        assert.deepEqual(
          [hold.scope, hold.reason, hold.setBy, hold.releasedBy, hold.releasedAt],
          [scope, UNUSUAL_TEXT, 'ops-1', null, null],
        );
      }
      assert.deepEqual(
        (await stored()).map(({ scope }) => scope),
        HOLD_SCOPES.toReversed(),
      );
      const page = await fixture.backend.holds.list({}, { limit: 2 });
      assert.deepEqual([page.entries.length, page.next_cursor], [2, page.entries[1]?.id]);
    });

    it('are released once, and keep who released them', async () => {
      const { holds } = fixture.backend;
      const [first, second] = [await holds.set(newHold(), () => []), await holds.set(newHold(), () => [])];
      const results = await fixture.concurrently(6, (backend, index) =>
        backend.holds.release(first.id, `ops-${index}`, () => [outgoingEvent()]),
      );
      const released = results.filter((result) => result?.kind === 'released');
      assert.equal(released.length, 1);
      const [{ hold } = { hold: first }] = released;
      assert.ok(hold.releasedAt !== null && hold.releasedAt >= hold.setAt);
      for (const result of results) assert.deepEqual(result?.hold, hold);
      assert.equal((await queued()).length, 1);
      assert.deepEqual(await stored(), [second, hold]);
      assert.deepEqual(await stored({ active: true }), [second]);
      assert.deepEqual(await stored({ active: false }), [hold]);
      assert.equal(await holds.release(second.id + 1, 'ops-1', () => []), null);
    });

    it('commit with their events or not at all', async () => {
      const { holds } = fixture.backend;
      const { id } = await holds.set(newHold(), ({ setBy }) => [outgoingEvent({ subject: setBy })]);
      assert.deepEqual(
        (await queued()).map(({ subject }) => subject),
        ['ops-1'],
      );
      await assert.rejects(holds.set(newHold(), () => [unreadableEvent()]));
      await assert.rejects(holds.release(id, 'ops-2', () => [unreadableEvent()]));
      assert.deepEqual(
        (await stored()).map(({ releasedAt }) => releasedAt),
        [null],
      );
    });
  });
}
