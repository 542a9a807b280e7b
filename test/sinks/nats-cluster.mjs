// Tests the nats sink with three nats-servers and a stream of three replicas, whose leader is killed while events are
// delivered: node test/sinks/nats-cluster.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'nats';
import { DEFAULT_SETTINGS } from '../../dist/libs/contracts/src/index.js';
import { createEngine } from '../../dist/libs/engine/src/index.js';
import { NatsSink } from '../../dist/libs/sinks/src/index.js';
import { memoryStores } from '../../dist/libs/stores/memory/src/index.js';
import { freePort } from '../servers/free-port.mjs';
import { reapedFolder } from '../servers/reaped-folder.mjs';

const NAMES = ['one', 'two', 'three'];
const EVENTS = 300;
const BATCH = 50;
const STREAM = 'GUARDRAILS';

const folder = reapedFolder(
  'nats',
  NAMES.map((name) => `${name}.pid=SIGKILL`),
);
const ports = await Promise.all(NAMES.flatMap(() => [freePort(), freePort()]));
const clientPorts = ports.slice(0, 3);
const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);

function start(index) {
  const name = NAMES[index];
  const home = join(folder.path, name);
  mkdirSync(home, { recursive: true });
  const words = `-js -n ${name} -a 127.0.0.1 -p ${clientPorts[index]} --cluster_name guardrails --cluster ${routes[index]}`;
  return spawn(
    process.env.NATS_SERVER ?? 'nats-server',
    [...words.split(' '), '--routes', routes.join(','), '-sd', home, '-P', `${home}.pid`],
    { stdio: 'ignore' },
  );
}

/** Repeats the work until it succeeds, as a cluster elects its leaders at any time. */
async function eventually(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 600) throw error;
      await wait(50);
    }
  }
}

const servers = NAMES.map((_, index) => start(index));
try {
  const connection = await eventually(() =>
    connect({
      servers: clientPorts.map((port) => `127.0.0.1:${port}`),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
    }),
  );
  const manager = await eventually(() => connection.jetstreamManager());
  await eventually(() =>
    manager.streams.add({
      name: STREAM,
      subjects: ['guardrails.>'],
      num_replicas: 3,
      duplicate_window: 120_000_000_000,
    }),
  );
  const leader = () =>
    eventually(async () => {
      const { cluster } = await manager.streams.info(STREAM);
      assert.ok(cluster.leader, 'the stream has no leader');
      return cluster.leader;
    });

  const stores = memoryStores();
  const engine = createEngine({
    stores,
    configured: DEFAULT_SETTINGS,
    sinks: [new NatsSink({ jetstream: connection.jetstream() })],
  });
  await engine.start();
  const state = async () => (await engine.events.states())[0];

  const first = await leader();
  const server = servers[NAMES.indexOf(first)];
  let unfinished = 0;
  for (let count = 0; count < EVENTS; count += BATCH) {
    const texts = Array.from({ length: BATCH }, (_, index) => `Where is order ${count + index}?`);
    await Promise.all(texts.map((text) => engine.guardrails.screen(text)));
    // Not awaited: events are on their way when the leader is killed.
    void engine.relay.deliverDue().catch(() => undefined);
    if (count !== EVENTS / 2) continue;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    unfinished = count + BATCH - (await state()).delivered;
    await gone;
  }
  assert.ok(unfinished > 0, 'no event was on its way when the leader was killed');
  const second = await leader();
  assert.notEqual(second, first);

  // An event whose acknowledgement was lost is published again after a pause, which an operator may cut short.
  const deadline = Date.now() + 180_000;
  while ((await state()).delivered < EVENTS && Date.now() < deadline) {
    await engine.relay.deliverDue().catch(() => undefined);
    await wait(200);
  }
  const { waiting, dead } = await state();
  assert.deepEqual([waiting, dead], [0, 0]);
  console.log(`${first} led, was killed with ${unfinished} events on their way, and ${second} leads`);

  servers[NAMES.indexOf(first)] = start(NAMES.indexOf(first));
  const published = (await stores.outbox.after(0, EVENTS + 10)).map(({ id }) => id);
  const { state: stored } = await eventually(() => manager.streams.info(STREAM));
  const received = [];
  for (let sequence = stored.first_seq; sequence <= stored.last_seq; sequence++) {
    const message = await eventually(() => manager.streams.getMessage(STREAM, { seq: sequence }));
    received.push(message.json().id);
  }
  assert.deepEqual(new Set(received), new Set(published), 'an event is lost');
  assert.deepEqual([published.length, received.length], [EVENTS, EVENTS], 'an event is there twice');
  console.log('nothing is lost, and nothing is there twice');

  await engine.stop();
  await connection.close();
  console.log('1 passed, 0 failed');
} catch (error) {
  console.log(`${error.stack}\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  for (const server of servers) server.kill('SIGKILL');
  await folder.reap();
}
