import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { figure, thousands } from './figures.mjs';
import { requestRate } from './http-load.mjs';
import { interleavedRates } from './rates.mjs';

const PATH = '/guardrails/api/audit?limit=50';
const HOSTS = ['ours', 'raw', 'nest-typeorm'];

/** A page of 50 over HTTP from three hosts in separate processes, which serve the same bytes. */
export async function page(url, { rounds, milliseconds }) {
  const hosts = HOSTS.map((name) =>
    fork(fileURLToPath(new URL(`./hosts/${name}.mjs`, import.meta.url)), [url]),
  );
  try {
    const ports = await Promise.all(hosts.map(async (host) => (await once(host, 'message'))[0]));
    const bodies = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}${PATH}`)).text()),
    );
    assertSame(bodies);
    const load = { connections: 32, milliseconds };
    const rates = await interleavedRates(
      rounds,
      ports.map((port) => () => requestRate(port, PATH, load)),
    );
    return figuresOf(rates);
  } finally {
    for (const host of hosts) host.disconnect();
  }
}

/** Equal bytes, except for the order of the names in an entry. */
function assertSame(bodies) {
  const [ours, ...others] = bodies.map((body) => JSON.parse(body));
  assert.equal(ours.data.entries.length, 50);
  const same = others.every((other) => isDeepStrictEqual(other, ours));
  assert.ok(
    same && new Set(bodies.map(({ length }) => length)).size === 1,
    'the hosts serve different pages',
  );
}

function figuresOf([ours, raw, usual]) {
  const beside = (peer) => `${thousands(ours.rate)} against ${thousands(peer.rate)} requests/s`;
  return [
    figure({
      name: 'GET /audit, page of 50 over HTTP, against raw node:http and pg',
      floor: 'one statement and JSON.stringify, the same bytes',
      value: raw.ratio,
      unit: '×',
      atLeast: 0.65,
      detail: beside(raw),
    }),
    figure({
      name: 'GET /audit, page of 50 over HTTP, against Nest and TypeORM find',
      floor: 'a controller over a repository with relations, the same bytes',
      value: usual.ratio,
      unit: '×',
      atLeast: 2,
      detail: beside(usual),
    }),
  ];
}
