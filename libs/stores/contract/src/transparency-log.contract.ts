import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { MerkleTree } from '#contracts/log/merkle-tree.js';
import type { LogHead } from '#contracts/events/checkpoints.js';
import { leafText, type Leaf, type SignedHead } from '#contracts/log/transparency-log.js';
import { changed, command, park, TWO_APPROVERS, voting } from './approval-helpers.js';
import type { Contract } from './backend-fixture.js';
import { decision, outgoingEvent, unreadableEvent } from './builders.js';
import { newHold } from './holds.contract.js';
import { LONG, sinkOf } from './outbox-helpers.js';
import { hours, namingDecision, retain } from './retention-helpers.js';
import { review } from './reviews.contract.js';
import { write } from './settings-helpers.js';

const AGE = { kind: 'before', before: hours(1) } as const;

function rootOf(leaves: readonly Leaf[]) {
  const tree = new MerkleTree((bytes) => createHash('sha256').update(bytes, 'latin1').digest('binary'));
  for (const leaf of leaves) tree.append(leafText(leaf));
  return Buffer.from(tree.root(), 'latin1').toString('base64');
}

export const transparencyLogContract: Contract = ({ describe, it }, fixture) => {
  const { audit, holds, log } = fixture;
  const leaves = () => log.leaves(0, 10_000);
  const kinds = async () => (await leaves()).map(({ kind, ref }) => `${kind} ${ref}`);

  async function extend(limit = 100) {
    while (await log.extend(limit));
  }

  const signed = ({ size }: LogHead): SignedHead => ({
    note: `size ${size}`,
    outgoing: [outgoingEvent({ payload: { size } })],
  });

  describe('the leaves', () => {
    it('are appended once for every committed decision, in batches of any size', async () => {
      const ids = await fixture.concurrently(25, (backend) => backend.audit.append(decision()));
      await extend(7);
      await extend();
      const found = await leaves();
      assert.deepEqual(
        found.map(({ index }) => index),
        Array.from({ length: 25 }, (_, index) => index),
      );
      assert.deepEqual(
        found.map(({ ref }) => ref).toSorted((a, b) => a - b),
        ids.toSorted((a, b) => a - b),
      );
      assert.ok(found.every(({ hash }) => Buffer.from(hash, 'base64url').length === 32));
      assert.deepEqual(await log.leaves(20, 3), found.slice(20, 23));
    });

    it('follow for approvals, votes, settings changes, holds, reviews and retention runs, once for each step', async () => {
      const id = await audit.append(decision());
      await review(fixture, id, 'false_positive');
      const hold = await holds.set(newHold(), () => []);
      await write(fixture, { 'modes.hitl': 'off' });
      const { id: approval } = await park(fixture);
      const voted = await park(fixture, TWO_APPROVERS);
      await extend();
      const before = await kinds();
      for (const kind of [`review`, `hold ${hold.id}`, 'setting_change', `approval ${approval}`])
        assert.ok(
          before.some((leaf) => leaf.startsWith(kind)),
          kind,
        );
      await changed(fixture, { id: approval }, command());
      await changed(fixture, voted, voting({ afterCount: 0 }));
      await holds.release(hold.id, 'ops-2', () => []);
      const { id: run } = await retain(fixture, 'anonymize', { kind: 'entry', id });
      await extend();
      const after = (await kinds()).slice(before.length);
      for (const leaf of [`approval_decided ${approval}`, `hold_released ${hold.id}`, `retention_run ${run}`])
        assert.ok(after.includes(leaf), leaf);
      const { record, hash } = (await leaves()).find(({ kind }) => kind === 'retention_run') ?? {};
      assert.equal(createHash('sha256').update(JSON.stringify(record)).digest('base64url'), hash);
      assert.deepEqual([record?.[0], record?.[2]], [run, 'anonymize']);
      assert.ok((await leaves()).every((leaf) => leaf.kind === 'retention_run' || leaf.record === null));
      assert.ok(after.some((leaf) => leaf.startsWith('vote ')));
      assert.equal(new Set([...before, ...after]).size, before.length + after.length);
    });

    it('are appended once by callers that run at the same time, while others write', async () => {
      const total = 60;
      const state = { left: total };
      const written = fixture.concurrently(total, (backend) =>
        backend.audit.append(decision()).finally(() => state.left--),
      );
      const extending = [fixture.backend, await fixture.another()].map(async (backend) => {
        while (state.left > 0) await backend.log.extend(5);
      });
      const ids = await written;
      await Promise.all(extending);
      await extend();
      const found = await leaves();
      assert.deepEqual(
        found.map(({ ref }) => ref).toSorted((a, b) => a - b),
        ids.toSorted((a, b) => a - b),
      );
    });

    it('remain unchanged when retention erases and deletes their records', async () => {
      for (let count = 0; count < 3; count++) await audit.append(namingDecision('customer-42'));
      await holds.release((await holds.set(newHold(), () => [])).id, 'ops-1', () => []);
      await park(fixture, { principalId: 'customer-42' });
      await extend();
      const before = await leaves();
      await retain(fixture, 'anonymize', { kind: 'principal', principalId: 'customer-42' });
      await extend();
      await retain(fixture, 'purge', AGE);
      assert.deepEqual((await leaves()).slice(0, before.length), before);
    });

    it('are appended before a purge deletes, but not without a log', async () => {
      await audit.append(decision());
      await retain(fixture, 'purge', AGE);
      assert.deepEqual(await leaves(), []);
      await audit.append(decision());
      await extend();
      const id = await audit.append(decision());
      await retain(fixture, 'purge', AGE);
      assert.equal(await audit.find(id), null);
      assert.ok((await kinds()).includes(`evidence ${id}`));
    });
  });

  describe('a checkpoint', () => {
    it('states size and root of all leaves, and commits with its event', async () => {
      assert.equal(await log.checkpoint(0, signed), null);
      assert.equal(await log.newest(), null);
      for (let count = 0; count < 5; count++) await audit.append(decision());
      await extend();
      const checkpoint = await log.checkpoint(0, signed);
      assert.deepEqual(
        [checkpoint?.size, checkpoint?.root, checkpoint?.note],
        [5, rootOf(await leaves()), 'size 5'],
      );
      assert.deepEqual(await log.newest(), checkpoint);
      assert.deepEqual(
        (await sinkOf(fixture).claim()).map(({ payload }) => payload),
        [{ size: 5 }],
      );
    });

    it('is listed with those before it, the smallest first', async () => {
      for (let count = 1; count <= 3; count++) {
        await audit.append(decision());
        await extend();
        await log.checkpoint(0, signed);
      }
      const sizes = async (after: number, limit: number) =>
        (await log.checkpoints(after, limit)).map(({ size }) => size);
      assert.deepEqual(await sizes(0, 10), [1, 2, 3]);
      assert.deepEqual(await sizes(1, 1), [2]);
      assert.deepEqual(await sizes(3, 10), []);
      assert.deepEqual((await log.checkpoints(2, 1))[0], await log.newest());
    });

    it('is made once per interval by one of several callers, and only if there is a new leaf', async () => {
      await audit.append(decision());
      await extend();
      const notes = await fixture.concurrently(4, (backend) => backend.log.checkpoint(LONG, signed));
      assert.equal(notes.filter((checkpoint) => checkpoint !== null).length, 1);
      await audit.append(decision());
      await extend();
      assert.equal(await log.checkpoint(LONG, signed), null);
      assert.equal((await log.checkpoint(0, signed))?.size, 2);
      assert.equal(await log.checkpoint(0, signed), null);
    });

    it('is not stored if its event cannot be', async () => {
      await audit.append(decision());
      await extend();
      await assert.rejects(log.checkpoint(0, () => ({ note: 'signed', outgoing: [unreadableEvent()] })));
      assert.equal(await log.newest(), null);
    });
  });
};
