import assert from 'node:assert/strict';
import { decision, outgoingEvent } from 'nest-guardrails/testing';
import { typeormStores } from 'nest-guardrails/typeorm';
import { HaltingProxy } from './halting-proxy.mjs';
import { Load } from './load.mjs';
import { until } from './time-limits.mjs';
import { onConnection, query } from './fault-environment.mjs';
import { assertRecorded, assertRollupsEqualRows, assertWhole } from './records.mjs';

const UNAVAILABLE = { code: 'store_unavailable' };

export const faults = {
  async 'a commit whose response is lost is not repeated'(environment) {
    const { url, proxy, stores } = await behindProxy(environment);
    const [first, lost] = ['first', 'lost'].map(decisionOf);
    await stores.audit.append(first);
    proxy.dropResponses();
    await assert.rejects(stores.audit.append(lost), UNAVAILABLE);
    assert.equal((await rowsOf(url, 'lost')).length, 1, 'it was committed');
    const id = await stores.audit.append(lost);
    assert.deepEqual(await rowsOf(url, 'lost'), [id]);
    await stores.audit.append(decisionOf('next'));
    await assertOnce(url, ['first', 'lost', 'next']);
  },

  async 'a batch that did not arrive is committed when it is sent again'(environment) {
    const { url, proxy, stores } = await behindProxy(environment);
    await stores.audit.append(decisionOf('first'));
    const lost = decisionOf('lost');
    proxy.dropRequests();
    await assert.rejects(stores.audit.append(lost), UNAVAILABLE);
    assert.deepEqual(await rowsOf(url, 'lost'), []);
    assert.deepEqual([await stores.audit.append(lost)], await rowsOf(url, 'lost'));
    await assertOnce(url, ['first', 'lost']);
  },

  async 'a batch that is sent again while the server processes it is committed once'(environment) {
    const { url, proxy, stores } = await behindProxy(environment);
    const lost = decisionOf('lost');
    const again = await onConnection(url, async (holder) => {
      await holder.query('begin; lock table guardrails_audit_evidence in share mode');
      const waiting = assert.rejects(stores.audit.append(lost), UNAVAILABLE);
      await until(async () => (await waitingForLocks(url)) === 1, 'the batch waits');
      proxy.cut();
      await waiting;
      const appended = stores.audit.append(lost);
      await until(async () => (await waitingForLocks(url)) === 2, 'the second one waits as well');
      await holder.query('commit');
      return appended;
    });
    assert.deepEqual([await again], await rowsOf(url, 'lost'));
    await assertOnce(url, ['lost']);
  },

  async 'buffered decisions are written once, although connections end repeatedly'(environment) {
    const url = await environment.database();
    const proxy = await HaltingProxy.before(url);
    const settings = { 'audit.write_policy': 'buffered' };
    const engine = await environment.engine(proxy.url, { settings });
    environment.onEnd(() => proxy.close());
    const load = new Load(engine, { callers: 16 });
    for (let turn = 1; turn <= 40; turn++) {
      await until(() => load.acknowledged.length >= turn * 100, `${turn * 100} calls`);
      if (turn % 4 === 0) proxy.dropRequests();
      else proxy.dropResponses();
    }
    await load.stop();
    await until(async () => {
      if (engine.recording.queued === 0) return true;
      // Returned rows are appended again with the next decision.
      await engine.guardrails.screen('Is it over?', { requestId: 'over' });
      return false;
    }, 'everything is written');

    assert.equal(engine.recording.lost, 0);
    assert.ok((await countOf(url, 'guardrails_audit_writers where ended and sequence > 0')) > 0);
    await assertRecorded(url, load.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },
};

async function behindProxy(environment) {
  const url = await environment.database();
  const proxy = await HaltingProxy.before(url);
  const stores = typeormStores({ url: proxy.url, poolSize: 2 });
  await stores.open();
  environment.onEnd(async () => {
    await stores.close();
    await proxy.close();
  });
  return { url, proxy, stores };
}

/** A decision with output counts and an outgoing event. */
function decisionOf(requestId) {
  const counts = [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 }];
  const outgoing = [outgoingEvent({ id: requestId, sinks: ['board'] })];
  return decision({ control: 'output_handler', requestId, outputCounts: counts, outgoing });
}

async function assertOnce(url, requestIds) {
  await assertRecorded(url, requestIds);
  await assertWhole(url);
  await assertRollupsEqualRows(url);
  for (const table of ['outbox', 'outbox_deliveries', 'output_counts', 'audit_evidence']) {
    assert.equal(await countOf(url, `guardrails_${table}`), requestIds.length, table);
  }
}

async function rowsOf(url, requestId) {
  const text = 'select id::int from guardrails_audit_evidence where request_id = $1';
  return (await query(url, text, [requestId])).map(({ id }) => id);
}

async function countOf(url, rows) {
  return (await query(url, `select count(*)::int as count from ${rows}`))[0].count;
}

async function waitingForLocks(url) {
  return countOf(url, `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
}
