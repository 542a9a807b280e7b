import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { API_ROUTES, type ApiRoute, type RouteKey } from '#contracts/api/api.routes.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { TestClient, type Answer, type Call } from '../support/client.js';
import { crowdedHost } from '../support/crowded-host.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { TestHost } from '../support/host.js';
import { WatchedStores } from '../support/watched-stores.js';
import { isAboutOneRow, pathOf, WHOLE_ROUTE_KEYS } from '../support/whole-routes.js';
import { QuietSink } from '../support/quiet.sink.js';

/** Contains a table, a path and a token. No part of it may appear in an answer. */
const INNER_WORDS = 'select * from guardrails_audit at /srv/app/secret.js:7 with Bearer xyzzy';

/** The action that a request selects for an entry or a middleware of the host. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  401: () => new HttpException(INNER_WORDS, 401),
  403: () => new HttpException(INNER_WORDS, 403),
  429: () => new HttpException(INNER_WORDS, 429),
  500: () => new HttpException(INNER_WORDS, 500),
  error: () => new Error(INNER_WORDS),
  text: () => INNER_WORDS,
  'http-error': () => Object.assign(new Error(INNER_WORDS), { status: 403 }),
};
const EXPECTED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  401: [401, 'unauthenticated'],
  403: [403, 'forbidden'],
  429: [429, 'rate_limited'],
  500: [500, 'internal'],
  error: [500, 'internal'],
  text: [500, 'internal'],
  'http-error': [403, 'forbidden'],
};

const headerOf = (request: Request, name: string): string => String(request.headers[name] ?? '');

const fault = (name: string): unknown => FAULTS[name]?.();

/** Reports by `next(err)`, as Express's middleware does. */
const reporting =
  (header: string) =>
  (request: Request, _: Response, next: NextFunction): void =>
    next(fault(headerOf(request, header)));

const throwing: CanActivate = {
  canActivate: (context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    const thrown = fault(headerOf(request, 'x-entry-throws'));
    if (thrown !== undefined) throw thrown as Error;
    return headerOf(request, 'x-entry-denies') === '';
  },
};

interface Case {
  readonly key: RouteKey;
  readonly method: ApiRoute['method'];
  readonly path: string;
  readonly endpoint: string;
  readonly body: ApiRoute['body'];
  readonly writes: boolean;
  readonly valid: unknown;
}

const VALID: Partial<Record<RouteKey, unknown>> = {
  'audit.review': { verdict: 'unsure' },
  'holds.set': { run_id: 'run-1', reason: 'case 2026-118' },
  // A second freeze of the same scope is refused.
  get 'freeze.create'() {
    return { scope: 'application', name: randomUUID(), reason: 'case 2026-118' };
  },
  'events.replay': { sink: 'siem', dead_letters: true },
  'settings.update': { settings: {} },
  'settings.preview': { settings: { 'modes.hitl': 'off' } },
  'try.screen': { prompt: 'hello' },
  'try.sanitize': { text: 'hello' },
  'try.policies': { policies: {} },
  'rules.backtest': { candidate: {} },
  'approvals.approve': {},
  'approvals.reject': {},
  'approvals.resolve': { status: 'failed', reason: 'it never arrived' },
  'approvals.propose': { arguments: {}, reason: 'it names another order' },
};
const CASES: readonly Case[] = WHOLE_ROUTE_KEYS.map((key) => {
  const route: ApiRoute = API_ROUTES[key];
  return {
    ...route,
    key,
    path: pathOf(key),
    valid: VALID[key],
  };
});
const WITH_BODY = CASES.filter(({ body }) => body !== 'none');
/** The reads have these tests in test/http/reads. */
const OTHER_THAN_GET = CASES.filter(({ method }) => method !== 'GET');
const WRITES = CASES.filter(({ writes, body }) => writes && body !== 'none');
/** Every second fault per route, so that two adjacent routes cover all. */
const faultsFor = (route: Case): readonly string[] =>
  Object.keys(FAULTS).filter((_, index) => index % 2 === CASES.indexOf(route) % 2);

/** Routes whose bodies may have 4 MiB. Others may have 256 KiB. */
const LARGE = new Set<RouteKey>(['settings.update', 'settings.preview', 'try.policies', 'rules.backtest']);

/** A body beyond the limit of a route. */
const tooLarge = (key: RouteKey): Buffer => Buffer.from('{'.padEnd((LARGE.has(key) ? 4096 : 256) * 1024 + 1));

const MUCH = 'x'.repeat(1024 * 1024);
const MEGABYTES = [
  JSON.stringify({ prompt: MUCH, text: MUCH, reason: MUCH, settings: { [MUCH]: 1 } }),
  JSON.stringify({ settings: { 'input_screen.refusal_message': MUCH } }),
  `[${'[],'.repeat(300_000)}[]]`,
  `{"settings":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`,
].map((text) => Buffer.from(text));

const SUCCEEDING = CASES.filter(({ key }) => !isAboutOneRow(key));

describe.each([
  { name: 'plain', setup: {} },
  { name: 'crowded', setup: crowdedHost },
])('in a $name host', ({ name, setup }) => {
  /** All routes in the crowded host; every third in the plain one, which runs the same code. */
  const some = <Value>(values: readonly Value[]): readonly Value[] =>
    name === 'crowded' ? values : values.filter((_, index) => index % 3 === 0);
  const stores = new WatchedStores(memoryStores());
  const connections = new Agent({ keepAlive: true });
  let host: TestHost;
  let api: TestClient;

  beforeAll(async () => {
    host = await TestHost.start({
      ...setup,
      api: { middleware: [throwing, reporting('x-entry-reports'), BearerGuard] },
      guardrails: { stores, sinks: [new QuietSink()] },
      prepare: (application) => {
        setup.prepare?.(application);
        application.use(reporting('x-host-reports'));
      },
    });
    api = new TestClient(host.origin, '/guardrails/api', connections);
  });

  afterAll(async () => {
    connections.destroy();
    await host.stop();
  });

  const ask = ({ method, path, valid }: Case, call: Call = {}): Promise<Answer> =>
    api.call(method, path, { body: valid, ...call });

  describe('contract 2.1: the envelope of every error, independent of its source', () => {
    it.each(some(CASES))('$key: answers an error of an entry or of the host’s middleware', async (route) => {
      for (const birth of ['x-entry-throws', 'x-entry-reports', 'x-host-reports']) {
        for (const thrown of faultsFor(route)) {
          const [status, code] = EXPECTED[thrown] ?? [0, ''];
          const calls = await stores.callsDuring(async () => {
            const answer = await ask(route, { headers: { [birth]: thrown } });
            const { error } = expectError(answer, status, route.endpoint, code).data;
            expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'request_id']);
            expect(answer.text).not.toMatch(/select|guardrails_audit|secret\.js|xyzzy|HttpException/);
          });
          expect(calls).toEqual([]);
        }
      }
      const denied = await ask(route, { headers: { 'x-entry-denies': 'yes' } });
      expectError(denied, 403, route.endpoint, 'forbidden');
    });

    it.each(some(CASES))(
      'contract 1.3: $key: answers 401 and 403 of the deployer’s guard without a store call',
      async (route) => {
        const calls = await stores.callsDuring(async () => {
          expectError(await ask(route, { as: null }), 401, route.endpoint, 'unauthenticated');
          expectError(await ask(route, { as: 'visitor' }), 403, route.endpoint, 'forbidden');
          if (route.writes) expectError(await ask(route, { as: 'reader' }), 403, route.endpoint, 'forbidden');
        });
        expect(calls).toEqual([]);
      },
    );

    it.each(some(WITH_BODY))(
      'contract 2.3: $key: answers an error in the body',
      async ({ key, method, path, endpoint, body }) => {
        const send = (content: unknown, headers = {}): Promise<Answer> =>
          api.call(method, path, { body: content, headers });
        for (const broken of ['{', '{"a":1', '{"a":}', "{'a':1}", '{} x', 'NaN', Buffer.from([0xff, 0xfe])]) {
          expectError(await send(broken), 400, endpoint, 'malformed_json');
        }
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'application/xml',
          'json',
        ]) {
          expectError(await send('{}', { 'content-type': type }), 415, endpoint, 'unsupported_media_type');
        }
        const takesSettings = [
          'settings.update',
          'settings.preview',
          'try.policies',
          'rules.backtest',
        ].includes(key);
        const limit = takesSettings ? 4 * 1024 * 1024 : 256 * 1024;
        expectError(await send('{}'.padEnd(limit + 1)), 413, endpoint, 'body_too_large');
        expectError(await send('x'.repeat(limit + 1)), 413, endpoint, 'body_too_large');
        expect((await send('{}'.padEnd(limit))).status).not.toBe(413);
        for (const other of ['[]', 'null', '7', '"text"', 'true']) {
          expectError(await send(other), 422, endpoint, 'invalid_body');
        }
        if (body === 'required')
          expectError(await api.call(method, path), 415, endpoint, 'unsupported_media_type');
      },
    );

    it.each(some(OTHER_THAN_GET))('$path: a wrong verb answers 405 with Allow', async ({ path }) => {
      const routes = CASES.filter((route) => route.path === path);
      const served = routes.map(({ method }) => method);
      const allowed = served.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
      for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (allowed.includes(verb)) continue;
        const answer = await api.call(verb, path, { body: '{' });
        expectError(answer, 405, routes[0]?.endpoint ?? '', 'method_not_allowed');
        expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allowed.toSorted());
      }
    });

    it.each(['%', '%zz', '%E0%A4%A', '%FF', '%C0%80'])(
      'contract 2.3: an id or a token of %p is not found',
      async (broken) => {
        expectError(await api.get(`/audit/${broken}`), 404, 'audit-detail', 'not_found');
        for (const verb of ['approve', 'reject']) {
          const answer = await api.post(`/approvals/${broken}/${verb}`);
          expectError(answer, 404, 'approval-decision', 'not_found');
        }
      },
    );
  });

  describe('contract 2.3: a store that fails', () => {
    const failures: readonly (readonly [string, Error, number, string])[] = [
      ['does not answer', GuardrailsError.storeUnavailable(new Error(INNER_WORDS)), 503, 'store_unavailable'],
      ['takes too long', GuardrailsError.queryTimeout(new Error(INNER_WORDS)), 503, 'query_timeout'],
      ['has a defect', new Error(INNER_WORDS), 500, 'internal'],
    ];

    it.each(some(CASES).flatMap((route) => failures.map(([what, ...rest]) => ({ ...route, what, rest }))))(
      '$key: answers if a store $what',
      async ({ rest: [failure, status, code], ...route }) => {
        const without = await ask(route);
        let answer: Answer | undefined;
        const calls = await stores.callsDuring(async () => {
          answer = await stores.failingWith(failure, () => ask(route));
        });
        if (answer === undefined) throw new Error('there is no answer');
        if (calls.length === 0) {
          expect(answer.status).toBe(without.status);
          return;
        }
        expectError(answer, status, route.endpoint, code);
        expect(answer.text).not.toMatch(/select|guardrails_audit|secret\.js|xyzzy/);
        const retry = status === 503 ? expect.stringMatching(/^[1-9]\d*$/) : undefined;
        expect(answer.headers['retry-after']).toEqual(retry);
      },
    );
  });

  describe('contract 2.4: the order of the checks', () => {
    it('checks the gate before the path and the verb', async () => {
      expectError(await api.get('/nowhere', { as: null }), 401, 'error', 'unauthenticated');
      expectError(await api.call('DELETE', '/settings', { as: null }), 401, 'settings', 'unauthenticated');
      expectError(await api.get('/nowhere', { as: 'visitor' }), 403, 'error', 'forbidden');
    });

    it.each(some(WITH_BODY))('$key: checks the gate before the body', async (route) => {
      const { key, method, path, endpoint } = route;
      for (const body of ['{', tooLarge(key)]) {
        expectError(await api.call(method, path, { body, as: null }), 401, endpoint, 'unauthenticated');
      }
      const call = { body: '{', as: null, headers: { 'content-type': 'text/plain' } };
      expectError(await api.call(method, path, call), 401, endpoint, 'unauthenticated');
    });

    it('checks the path and the verb before the body', async () => {
      for (const body of ['{', tooLarge('settings.update')]) {
        expectError(await api.post('/nowhere', body), 404, 'error', 'not_found');
        expectError(await api.call('PATCH', '/settings', { body }), 405, 'settings', 'method_not_allowed');
      }
    });

    it.each(some(WITH_BODY))(
      '$key: answers 413 before 415 before 400',
      async ({ key, method, path, endpoint }) => {
        const headers = { 'content-type': 'text/plain' };
        expectError(
          await api.call(method, path, { body: tooLarge(key), headers }),
          413,
          endpoint,
          'body_too_large',
        );
        expectError(
          await api.call(method, path, { body: '{', headers }),
          415,
          endpoint,
          'unsupported_media_type',
        );
      },
    );

    it.each(some(WRITES))(
      '$key: checks the body before the actor before the fields',
      async ({ key, method, path, endpoint }) => {
        const send = (body: unknown, headers = {}): Promise<Answer> =>
          api.call(method, path, { body, headers, as: 'nameless' });
        expectError(await send(tooLarge(key)), 413, endpoint, 'body_too_large');
        expectError(
          await send('{}', { 'content-type': 'text/plain' }),
          415,
          endpoint,
          'unsupported_media_type',
        );
        expectError(await send('{'), 400, endpoint, 'malformed_json');
        for (const wrong of [{ reason: 7, settings: 7 }, { settings: { nonsense: 1 } }, '[]', 'null']) {
          expectError(await send(wrong), 403, endpoint, 'actor_required');
        }
      },
    );

    it('checks the fields before the existence', async () => {
      for (const verb of ['approve', 'reject']) {
        for (const token of ['x', 'A'.repeat(43)]) {
          const answer = await api.post(`/approvals/${token}/${verb}`, { reason: 7 });
          expectError(answer, 422, 'approval-decision', 'invalid_body');
        }
      }
    });

    it('checks the existence before the state: an unknown token while HITL is off is not found', async () => {
      const answer = await api.post(`/approvals/${'A'.repeat(43)}/approve`);
      expectError(answer, 404, 'approval-decision', 'not_found');
    });

    it('checks the actor and the fields before the state: If-Match is checked last', async () => {
      const call = { headers: { 'if-match': '"stale"' } };
      const nameless = await api.put('/settings', { settings: {} }, { ...call, as: 'nameless' });
      expectError(nameless, 403, 'settings', 'actor_required');
      const wrong = await api.put('/settings', { settings: { 'modes.hitl': 'x' } }, call);
      expectError(wrong, 422, 'settings', 'invalid_settings');
      expectError(await api.put('/settings', { settings: {} }, call), 412, 'settings', 'stale_settings');
    });
  });

  describe('contract 2.2, 2.4: every answer', () => {
    it.each(SUCCEEDING)('contract 2.4: $key: answers success with 200', async (route) => {
      expectEnvelope(await ask({ ...route, valid: VALID[route.key] }), 200, route.endpoint);
    });

    it.each(some(OTHER_THAN_GET))(
      'contract 2.2: $key: returns a valid X-Request-Id, and replaces an invalid one',
      async (route) => {
        for (const id of ['a', 'req-1.2_3:4', 'x'.repeat(128)]) {
          const answer = await ask(route, { headers: { 'x-request-id': id } });
          expect(answer.headers['x-request-id']).toBe(id);
          if (answer.status !== 200) expect(answer.body.data.error.request_id).toBe(id);
        }
        for (const id of [
          '',
          ' ',
          'x'.repeat(129),
          'a b',
          '<script>',
          'a,b',
          '"q"',
          'é',
          '{{7*7}}',
          '../../etc',
        ]) {
          const answer = await ask(route, { headers: { 'x-request-id': id } });
          expectEnvelope(answer, answer.status, route.endpoint);
          expect(answer.headers['x-request-id']).not.toBe(id);
        }
        const twice = await ask(route, { headers: { 'x-request-id': ['one', 'two'] } });
        expect(twice.headers['x-request-id']).not.toMatch(/one|two/);
      },
    );

    it.each(some(WITH_BODY))(
      'contract 2.3: $key: a megabyte does not answer 5xx',
      async ({ key, method, path, endpoint }) => {
        // Other routes refuse each of them by its size.
        for (const body of LARGE.has(key) ? MEGABYTES : MEGABYTES.slice(0, 1)) {
          const answer = await api.call(method, path, { body });
          // 400: one of them is nested too deep.
          expect([400, 413, 422]).toContain(answer.status);
          expectEnvelope(answer, answer.status, endpoint);
          expect(answer.bytes.length).toBeLessThan(16 * 1024);
        }
      },
    );

    it.each(some(OTHER_THAN_GET))(
      'contract 2.2: $key: If-None-Match and Range are ignored',
      async (route) => {
        const plain = await ask(route);
        for (const headers of [
          { 'if-none-match': '*' },
          { 'if-none-match': String(plain.headers.etag) },
          { range: 'bytes=0-1' },
        ]) {
          const answer = await ask(route, { headers });
          expectEnvelope(answer, plain.status, route.endpoint);
        }
      },
    );

    it('contract 2.2: answers concurrent requests each on its own connection', async () => {
      const answers = await Promise.all(
        Array.from({ length: 140 }, async (_, index) => {
          const route = CASES[index % CASES.length] ?? CASES[0];
          if (route === undefined) throw new Error('there are no routes');
          const as = index % 3 === 0 ? null : 'operator';
          return {
            id: `request-${index}`,
            as,
            route,
            answer: await ask(route, { as, headers: { 'x-request-id': `request-${index}` } }),
          };
        }),
      );
      for (const { id, as, route, answer } of answers) {
        expect(answer.headers['x-request-id']).toBe(id);
        expectEnvelope(answer, as === null ? 401 : answer.status, route.endpoint);
        expect(answer.status).toBeLessThan(500);
      }
    });
  });
});
