import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';

const RELAY = fileURLToPath(new URL('./relay-instance.mjs', import.meta.url));

/** Accepts every webhook after a moment, and records the ids in order. */
async function receiver(environment) {
  const ids = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      ids.push(request.headers['webhook-id']);
      setTimeout(() => response.writeHead(204).end(), 2);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment.onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ids, url: `http://127.0.0.1:${server.address().port}/` };
}

const outboxOf = (url) => query(url, 'select event_id, subject from guardrails_outbox order by position');

const waiting = async (url) =>
  Number((await query(url, 'select count(*) from guardrails_outbox_deliveries'))[0].count);

/** Every event at least once, and the events of one subject in order. */
async function assertTold(url, ids) {
  const events = await outboxOf(url);
  assert.ok(events.length >= 100, 'there was too little to tell');
  const environment = new Map([...new Set(ids)].map((id, index) => [id, index]));
  const missing = events.filter(({ event_id: id }) => !environment.has(id));
  assert.deepEqual(missing, [], 'events never arrived');
  const last = new Map();
  for (const { event_id: id, subject } of events) {
    assert.ok(environment.get(id) > (last.get(subject) ?? -1), `the order of ${subject} does not hold`);
    last.set(subject, environment.get(id));
  }
}

export const faults = {
  async 'a relay killed during a batch: another instance delivers everything, in order'(environment) {
    const url = await environment.database();
    const hook = await receiver(environment);
    const victim = environment.child({ url, hook: hook.url, name: 'victim' }, RELAY);
    await until(() => hook.ids.length >= 150, 'a hundred and fifty deliveries');
    await victim.kill('SIGKILL');
    assert.ok((await waiting(url)) > 0, 'it was not killed in mid-batch');
    const survivor = environment.child({ url, hook: hook.url, name: 'survivor', callers: 0 }, RELAY);
    await until(async () => (await waiting(url)) === 0, 'nothing waits any more', 40_000);
    await survivor.kill('SIGTERM');
    await assertTold(url, hook.ids);
  },

  async 'a relay whose database connections are terminated repeatedly: every event is delivered, in order'(
    environment,
  ) {
    const url = await environment.database();
    const hook = await receiver(environment);
    const relay = environment.child({ url, hook: hook.url, name: 'relay' }, RELAY);
    for (let round = 1; round <= 4; round++) {
      await until(() => hook.ids.length >= round * 60, 'deliveries continue');
      await query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await relay.kill('SIGTERM');
    const rest = environment.child({ url, hook: hook.url, name: 'rest', callers: 0 }, RELAY);
    await until(async () => (await waiting(url)) === 0, 'nothing waits any more', 40_000);
    await rest.kill('SIGTERM');
    await assertTold(url, hook.ids);
  },
};
