import { describe, expect } from '@jest/globals';
import { API_ROUTES, ROUTE_KEYS } from '#contracts/api/api.routes.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';
import { READ_ROUTES, wireValues } from './parameters.js';
import { isAboutOneRow, pathOf, WHOLE_ROUTE_KEYS } from '../support/whole-routes.js';

const READS = WHOLE_ROUTE_KEYS.filter((key) => API_ROUTES[key].method === 'GET').map((key) => ({
  path: pathOf(key),
  success: isAboutOneRow(key) ? 404 : 200,
  endpoint: API_ROUTES[key].endpoint,
  verbs: ROUTE_KEYS.filter((other) => API_ROUTES[other].path === API_ROUTES[key].path).map(
    (other) => API_ROUTES[other].method,
  ),
}));

const OTHER_VERBS = [
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'LOCK',
];

const UNKNOWN_PATHS = [
  '',
  ...wireValues(`
    / /? /nowhere /audit/1/2 /audit//1 //audit /audit// /Audit /AUDIT /audits /audit%2F1 /%61udit /audit%20 /audit%00
    /audit/trend/x /settings/changes/1 /output /output/ /output/stats/x /firewall/1 /rules/1 /overview/1 /approvals/x/y
    /..%2faudit /%2e%2e/audit /./audit /audit/../overview /audit;x=1 /% /%zz /%E0%A4%A /%FF /%ED%A0%80 /audit%zz /*
    /:id /audit\\1 /- / /.. /approvals//approve /try /settings/x /constructor
  `),
  `/${'x'.repeat(4000)}`,
  `/${'a/'.repeat(2000)}`,
];

const NEW_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const short = (path: string): string => path.slice(0, 40);

export function describeGate(bench: Bench): void {
  const { it } = bench;

  describe('contract 1.3: the gate', () => {
    it.each(READS)('GET $path refuses unknown callers without a store call', async ({ path, endpoint }) => {
      const strangers = [
        { as: null },
        { as: '' },
        { as: 'wrong' },
        { as: null, headers: { authorization: 'Basic b3BlcmF0b3I6' } },
        { as: null, headers: { cookie: 'token=operator', 'x-user': 'ops-1' } },
      ];
      for (const stranger of strangers) {
        const calls = await bench.stores.callsDuring(async () => {
          expectError(await bench.api.get(path, stranger), 401, endpoint, 'unauthenticated');
          expectError(await bench.api.get(`${path}?as=operator`, stranger), 401, endpoint, 'unauthenticated');
        });
        expect(calls).toEqual([]);
      }
    });

    it.each(READS)(
      'GET $path refuses callers without the right, without a store call',
      async ({ path, endpoint }) => {
        const calls = await bench.stores.callsDuring(async () => {
          expectError(await bench.api.get(path, { as: 'visitor' }), 403, endpoint, 'forbidden');
        });
        expect(calls).toEqual([]);
      },
    );

    it.each(READ_ROUTES)(
      'contract 2.4: $path authenticates before it validates a parameter',
      async ({ path, endpoint, parameters }) => {
        const refused = Object.entries(parameters).map(
          ([
            name,
            {
              refused: [value = ''],
            },
          ]) => `${name}=${value}`,
        );
        const calls = await bench.stores.callsDuring(async () => {
          const answer = await bench.api.get(`${path}?${refused.join('&')}`, { as: null });
          expectError(answer, 401, endpoint, 'unauthenticated');
        });
        expect(calls).toEqual([]);
      },
    );

    it.each(READS)('contract 1.5: a reader may GET $path', async ({ path, success }) => {
      const { status } = await bench.api.get(path, { as: 'reader' });
      expect(status).toBe(success);
    });

    it.each(READS)(
      'contract 2.1: another verb on $path answers 401 without authentication, else 405 with Allow',
      async ({ path, endpoint, verbs }) => {
        const others = OTHER_VERBS.filter((other) => !(verbs as readonly string[]).includes(other));
        for (const verb of path === '/overview' ? others : others.slice(0, 5)) {
          const calls = await bench.stores.callsDuring(async () => {
            const stranger = await bench.api.call(verb, path, { as: null });
            expectError(stranger, 401, endpoint, 'unauthenticated');
            expect(stranger.headers).not.toHaveProperty('allow');
            const known = await bench.api.call(verb, path);
            expectError(known, 405, endpoint, 'method_not_allowed');
            const allowed = String(known.headers.allow).split(', ');
            expect(allowed).toEqual(expect.arrayContaining(verbs));
            expect(allowed).not.toContain(verb);
          });
          expect(calls).toEqual([]);
        }
      },
    );

    it.each(UNKNOWN_PATHS.map((path) => [short(path), path]))(
      'contract 1.3, 2.1: %s has no route and answers 401 without authentication, else 404',
      async (_, path) => {
        const calls = await bench.stores.callsDuring(async () => {
          for (const verb of ['GET', 'POST', 'DELETE']) {
            const stranger = await bench.api.call(verb, path, { as: null });
            expectError(stranger, 401, 'error', 'unauthenticated');
            expectError(await bench.api.call(verb, path), 404, 'error', 'not_found');
          }
        });
        expect(calls).toEqual([]);
      },
    );

    it.each(['%', '%zz', '%E0%A4%A', '%FF', '%00', '0', '999999999', '..%2F..'])(
      'the entry %s answers 401 without authentication, else 404',
      async (id) => {
        const stranger = await bench.api.get(`/audit/${id}`, { as: null });
        expectError(stranger, 401, 'audit-detail', 'unauthenticated');
        expectError(await bench.api.get(`/audit/${id}`), 404, 'audit-detail', 'not_found');
      },
    );

    it.each(READS)(
      'a request line in absolute form passes the same gate: $path',
      async ({ path, endpoint }) => {
        const absolute = `http://elsewhere.example${bench.api.base}${path}`;
        const stranger = await bench.api.raw('GET', absolute, { as: null });
        expectError(stranger, 401, endpoint, 'unauthenticated');
        expect((await bench.api.raw('GET', absolute)).body.schema).toBe(`guardrails.api.v1.${endpoint}`);
      },
    );
  });

  describe('contract 2.2: an answer', () => {
    it.each(READS)('HEAD $path has the headers of GET, and no body', async ({ path }) => {
      const [head, get] = [await bench.api.call('HEAD', path), await bench.api.get(path)];
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      for (const name of [
        'content-type',
        'cache-control',
        'x-content-type-options',
        'content-length',
      ] as const) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    });

    it.each(READS)('GET $path is never cached and never "not modified"', async ({ path, endpoint }) => {
      const { headers, status } = await bench.api.get(path);
      const again = await bench.api.get(path, {
        headers: {
          'if-none-match': `${String(headers.etag)}, *`,
          'if-modified-since': new Date(0).toUTCString(),
        },
      });
      expectEnvelope(again, status, endpoint);
    });

    it('returns a valid X-Request-Id, and replaces an invalid one', async () => {
      const idFor = async (path: string, given: string | readonly string[]): Promise<unknown> =>
        (await bench.api.get(path, { headers: { 'x-request-id': given as string } })).headers['x-request-id'];
      const ids = ['a', 'asked-1', '018f3c5e-7b1a-7c1e-9d2f-0123456789ab', 'x'.repeat(128)];
      for (const id of ids) expect(await idFor('/overview', id)).toBe(id);
      for (const { path } of READS) expect(await idFor(path, 'asked-2')).toBe('asked-2');
      for (const odd of ['', 'x'.repeat(129), 'a b', '<script>', 'é', 'a"b', '{"a":1}', ['one', 'two']])
        expect(await idFor('/overview', odd)).toMatch(NEW_ID);
      for (const { path } of READS) expect(await idFor(path, '')).toMatch(NEW_ID);
    });

    it.each(READS)('contract 2.1: GET $path does not read a body', async ({ path, endpoint }) => {
      const { status } = await bench.api.get(path);
      const bodies = ['{"limit":1}', '{', Buffer.from([0xff, 0x00])];
      for (const body of path === '/overview' ? bodies : bodies.slice(1, 2))
        expectEnvelope(await bench.api.get(path, { body }), status, endpoint);
      const form = { body: 'limit=abc', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      expectEnvelope(await bench.api.get(path, form), status, endpoint);
    });

    it.each(['application/xml', 'text/html', '*/*;q=0', 'image/png', ''])(
      'is JSON also with Accept: %s',
      async (accept) => {
        expectEnvelope(await bench.api.get('/overview', { headers: { accept } }), 200, 'overview');
        expectEnvelope(await bench.api.get('/nowhere', { headers: { accept } }), 404, 'error');
      },
    );

    it('contract 2.1: ignores a slash at the end of the path', async () => {
      for (const { path, endpoint } of READS) {
        const { status } = await bench.api.get(path);
        expectEnvelope(await bench.api.get(`${path}/`), status, endpoint);
      }
    });
  });
}
