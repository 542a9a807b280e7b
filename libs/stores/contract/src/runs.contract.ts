import assert from 'node:assert/strict';
import { MAX_HASHES, type Run, type RunName, type RunReading } from '#contracts/runs/run.store.js';
import { park, parkFinished } from './approval-helpers.js';
import type { BackendFixture, Runner } from './backend-fixture.js';
import { decision } from './builders.js';
import { retain } from './retention-helpers.js';

export const RUN: RunName = { application: 'shop', principalId: 'customer-42', runId: 'run-1' };
export const READING: RunReading = {
  parentRunId: null,
  label: 'clean',
  entryId: null,
  salt: 'a1'.repeat(16),
  hours: 24,
};
const [ONE, TWO] = ['0123456789abcdef', 'fedcba9876543210'];

export function runsContract({ describe, it }: Runner, fixture: BackendFixture): void {
  const { audit, runs } = fixture;
  const read = (run: RunName, reading: Partial<RunReading> = {}) =>
    runs.read(run, { ...READING, ...reading });
  const found = async (run = RUN): Promise<Run> => {
    const row = await runs.find(run);
    assert.ok(row !== null, 'the run is found');
    return row;
  };

  describe('runs', () => {
    it('raises the label, and keeps the first entry that raised it', async () => {
      await read(RUN);
      assert.deepEqual(
        { ...(await found()), salt: '' },
        {
          label: 'clean',
          untrustedBy: null,
          suspectBy: null,
          salt: '',
          hashes: '',
          isFull: false,
        },
      );
      await read(RUN, { label: 'untrusted', entryId: 3 });
      await read(RUN, { label: 'suspect', entryId: 5 });
      await read(RUN, { label: 'untrusted', entryId: 7 });
      await read(RUN);
      const { label, untrustedBy, suspectBy } = await found();
      assert.deepEqual([label, untrustedBy, suspectBy], ['suspect', 3, 5]);
    });

    it('keeps every word that vouches when instances add at the same time', async () => {
      const salt = await read(RUN);
      await fixture.concurrently(8, async (backend, index) => {
        assert.equal(await backend.runs.read(RUN, READING), salt);
        await backend.runs.vouch(RUN, salt, `${index}`.repeat(16));
      });
      const { hashes } = await found();
      assert.deepEqual(
        hashes.match(/.{16}/g)?.toSorted(),
        Array.from({ length: 8 }, (_, index) => `${index}`.repeat(16)),
      );
    });

    it('stores nothing under another salt, nor beyond the limit', async () => {
      const salt = await read(RUN);
      await runs.vouch(RUN, '00'.repeat(16), ONE);
      assert.equal((await found()).hashes, '');
      await runs.vouch(RUN, salt, ONE);
      await runs.vouch(RUN, salt, TWO.repeat(MAX_HASHES));
      const { hashes, isFull } = await found();
      assert.deepEqual([hashes, isFull], [ONE, true]);
    });

    it('separates applications and principals', async () => {
      await read(RUN, { label: 'suspect' });
      for (const other of [
        { application: null },
        { application: 'desk' },
        { principalId: null },
        { principalId: 'customer-7' },
      ])
        assert.equal(await runs.find({ ...RUN, ...other }), null);
    });

    it('inherits from the runs that handed over, and not the other way round', async () => {
      const child = { ...RUN, runId: 'child' };
      const grandchild = { ...RUN, runId: 'grandchild' };
      const salt = await read(RUN);
      await runs.vouch(RUN, salt, ONE);
      assert.equal(await read(child, { parentRunId: RUN.runId }), salt);
      assert.equal(await read(grandchild, { parentRunId: child.runId }), salt);
      await runs.vouch(grandchild, salt, TWO);
      await read(RUN, { label: 'untrusted', entryId: 4 });
      const inherited = await found(grandchild);
      assert.deepEqual([inherited.label, inherited.untrustedBy], ['untrusted', 4]);
      assert.deepEqual(inherited.hashes.match(/.{16}/g)?.toSorted(), [ONE, TWO]);
      assert.equal((await found(RUN)).hashes, ONE);
    });

    it('ends runs that name themselves as their parent, or each other', async () => {
      const other = { ...RUN, runId: 'other' };
      await read(RUN, { parentRunId: 'other' });
      await read(other, { parentRunId: RUN.runId });
      await read({ ...RUN, runId: 'self' }, { parentRunId: 'self' });
      assert.equal((await found()).label, 'clean');
      assert.equal((await found({ ...RUN, runId: 'self' })).label, 'clean');
    });

    it('ends a run on request, so that its name begins anew', async () => {
      const salt = await read(RUN, { label: 'suspect' });
      await runs.end(RUN);
      assert.equal(await runs.find(RUN), null);
      assert.equal(await read(RUN, { salt: 'b2'.repeat(16) }), 'b2'.repeat(16));
      assert.equal(salt, READING.salt);
      assert.equal((await found()).label, 'clean');
    });

    it('deletes runs whose time is over, unless a call of theirs waits', async () => {
      const [waiting, done, long] = ['waiting', 'done', 'long'].map((runId) => ({ ...RUN, runId }));
      for (const run of [waiting, done]) await read(run as RunName, { hours: -1 });
      await read(long as RunName);
      await park(fixture, { runId: 'waiting' });
      await parkFinished(fixture, 'executed', { runId: 'done' });
      assert.equal(await runs.deleteOld(10), 1);
      assert.deepEqual(
        await Promise.all(
          [waiting, done, long].map(async (run) => (await runs.find(run as RunName)) !== null),
        ),
        [true, false, true],
      );
    });

    for (const [what, scope] of [
      ['of an entry', null],
      ['of a principal', { kind: 'principal', principalId: 'customer-42' }],
      ['by age', { kind: 'before', before: new Date('2026-03-11T00:00:00Z') }],
    ] as const)
      it(`leaves nothing of a run after an erasure ${what}`, async () => {
        const id = await audit.append(decision({ ...RUN, prompt: 'send it to bob@shop.example' }));
        const salt = await read(RUN);
        await runs.vouch(RUN, salt, ONE);
        const other = { ...RUN, principalId: 'customer-7' };
        await read(other);
        await retain(fixture, 'anonymize', scope ?? { kind: 'entry', id });
        assert.equal(await runs.find(RUN), null);
        assert.notEqual(await runs.find(other), null);
      });
  });
}
