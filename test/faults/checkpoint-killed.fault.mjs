import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { MerkleTree } from '#contracts/log/merkle-tree.js';
import { leafText } from '#contracts/log/transparency-log.js';
import { query } from './fault-environment.mjs';

const RETENTION_INSTANCE = fileURLToPath(new URL('./retention-instance.mjs', import.meta.url));
const MAX_STATEMENTS = 60;

const screened = (engine, count) =>
  Promise.all(Array.from({ length: count }, () => engine.guardrails.screen('Where is my parcel?')));

function rootOf(leaves) {
  const tree = new MerkleTree((bytes) => hash('sha256', Buffer.from(bytes, 'latin1'), 'binary'));
  for (const leaf of leaves) tree.append(leafText(leaf));
  return Buffer.from(tree.root(), 'latin1').toString('base64');
}

/** Every checkpoint has its event and the root of its leaves, and no row has two leaves. */
async function assertWhole(url, log) {
  const leaves = await log.leaves(0, 10_000);
  assert.deepEqual(
    leaves.map(({ index }) => index),
    leaves.map((_, index) => index),
  );
  assert.equal(new Set(leaves.map(({ kind, ref }) => `${kind} ${ref}`)).size, leaves.length);
  const [state] = await query(url, 'select size::int from guardrails_log_state');
  assert.equal(state.size, leaves.length);
  const checkpoints = await query(
    url,
    `select size::int, encode(root, 'base64') as root, note from guardrails_log_checkpoints order by size`,
  );
  for (const { size, root } of checkpoints) assert.equal(root, rootOf(leaves.slice(0, size)));
  const events = await query(
    url,
    `select payload from guardrails_outbox where name = 'guardrails.audit.checkpointed' order by position`,
  );
  assert.deepEqual(
    events.map(({ payload }) => JSON.parse(payload).note),
    checkpoints.map(({ note }) => note),
  );
  return leaves;
}

export const faults = {
  async 'a process killed at each statement of a checkpoint: no row is without its leaf or has two, and a checkpoint is complete with its event, or absent'(
    environment,
  ) {
    const url = await environment.database();
    const engine = await environment.engine(url);
    const { log } = engine.stores;
    let acknowledged = null;
    let unfinished = 0;
    for (let killAfterStatements = 0; acknowledged === null; killAfterStatements++) {
      assert.ok(killAfterStatements < MAX_STATEMENTS, 'a checkpoint does not end');
      await screened(engine, 3);
      await engine.holds.set({ kind: 'run', runId: 'run-1' }, 'case 118', 'ops-1');
      // Only a superuser can do this. The next checkpoint is due at once.
      await query(
        url,
        `do $$ begin set local session_replication_role = replica;
          update guardrails_log_checkpoints set time = time - interval '2 hours'; end $$`,
      );
      const child = environment.child({ url }, RETENTION_INSTANCE);
      assert.equal(await child.nextAnswer(), 'ready');
      acknowledged = await child.ask('checkpoint', {}, { killAfterStatements });
      await child.kill();
      const leaves = await assertWhole(url, log);
      if (acknowledged === null) unfinished++;
      else assert.equal(leaves.length, acknowledged);
    }
    assert.ok(unfinished > 5, 'no process was killed before its commit');
    while (await log.extend(100));
    const leaves = await assertWhole(url, log);
    const [{ rows }] = await query(
      url,
      `select (select count(*) from guardrails_audit_evidence)::int
        + (select count(*) from guardrails_holds)::int as rows`,
    );
    assert.equal(leaves.length, rows);
  },
};
