import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  Put,
  Req,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { API_ROUTES, SCHEMA_VERSION, type ApiRoute } from '#contracts/api/api.routes.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import type { TestClient } from '../support/client.js';
import { crowdedHost } from '../support/crowded-host.js';
import { expectEnvelope, expectError } from '../support/envelope.js';
import { mountOf, TestHost, type HostSetup } from '../support/host.js';
import { WatchedStores } from '../support/watched-stores.js';
import { WHOLE_ROUTE_KEYS } from '../support/whole-routes.js';

const ROUTES = WHOLE_ROUTE_KEYS.map((key) => {
  const { method, path, endpoint }: ApiRoute = API_ROUTES[key];
  return {
    key,
    method,
    path: path
      .replace(/:(?:approval_)?id/, '1')
      .replace(':token', 'A'.repeat(43))
      .replace(':name', 'siem'),
    endpoint,
  };
});

/** Routes of the host with every verb, some of them similar to the routes of the API. */
@Controller()
class OwnController {
  @Get('overview')
  overview(): object {
    return { own: 'overview' };
  }

  @Put('settings')
  settings(@Body() body: object): object {
    return { own: body };
  }

  @Post('guardrails/apis')
  raw(@Req() request: Request & { rawBody?: Buffer }): object {
    return { raw: request.rawBody?.toString() ?? null, user: (request as { user?: unknown }).user ?? null };
  }

  @Get('guardrails')
  above(): object {
    return { own: 'above' };
  }

  @Get('broken')
  broken(): never {
    throw new Error('the host is broken');
  }
}

const OWN = [
  ['GET', '/overview', undefined, 200],
  ['PUT', '/settings', { a: 1 }, 200],
  ['POST', '/guardrails/apis', { a: 1 }, 201],
  ['GET', '/guardrails', undefined, 200],
  ['GET', '/broken', undefined, 500],
  ['GET', '/nowhere', undefined, 404],
  ['GET', '/guardrails/apix/overview', undefined, 404],
  ['PUT', '/settings', '{', 400],
  ['PUT', '/settings', `{"a":"${'x'.repeat(101 * 1024)}"}`, 413],
] as const;

/** Authenticates by a header. */
@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
    request.user = { id: request.headers['x-person'] };
    return request.headers['x-person'] !== undefined;
  }
}

describe('contract 1.4: a host’s own routes', () => {
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start({ host: { controllers: [OwnController] }, nest: { rawBody: true } });
  });

  afterAll(() => host.stop());

  it.each(OWN)('%s %s passes no gate and gets no envelope', async (method, path, body, status) => {
    for (const as of [null, 'operator', 'visitor']) {
      const answer = await host.raw(method, path, { as, body });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain(SCHEMA_VERSION);
      expect(answer.headers).not.toHaveProperty('x-request-id');
      expect(answer.headers['cache-control']).not.toBe('no-store');
    }
  });

  it('keep their parser, their raw bodies and their ETags', async () => {
    expect((await host.raw('PUT', '/settings', { body: { a: [1] } })).body).toEqual({ own: { a: [1] } });
    expect((await host.raw('POST', '/guardrails/apis', { body: '{"a": 1}' })).body).toEqual({
      raw: '{"a": 1}',
      user: null,
    });
    expect((await host.raw('GET', '/overview')).headers).toHaveProperty('etag');
    expect((await host.raw('GET', '/broken')).body).toEqual({
      statusCode: 500,
      message: 'Internal server error',
    });
  });

  it.each(ROUTES)(
    'contract 1.3: $key passes the gate and gets the envelope',
    async ({ method, path, endpoint }) => {
      expectError(await host.call(method, path, { as: null }), 401, endpoint, 'unauthenticated');
      expectEnvelope(await host.call(method, path), (await host.call(method, path)).status, endpoint);
    },
  );
});

describe.each([
  ['plain', {}],
  ['crowded', crowdedHost],
])('contract 1: two mounts in one %s host', (_, setup: HostSetup) => {
  const stores = { first: new WatchedStores(memoryStores()), second: new WatchedStores(memoryStores()) };
  let first: TestClient;
  let second: TestClient;
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start({
      ...setup,
      mounts: [
        mountOf({ api: { prefix: 'first/api' }, guardrails: { stores: stores.first } }),
        mountOf({
          api: { prefix: '/second/api/', middleware: [HeaderGuard] },
          guardrails: { stores: stores.second },
        }),
      ],
    });
    first = host.under('/first/api');
    second = host.under('/second/api');
  });

  afterAll(() => host.stop());

  const person = { headers: { 'x-person': 'ops-9' } };

  it.each(ROUTES)('contract 1.3: $key runs the guard of its mount', async ({ method, path, endpoint }) => {
    expectError(await second.call(method, path), 403, endpoint, 'forbidden');
    expectError(await first.call(method, path, { ...person, as: null }), 401, endpoint, 'unauthenticated');
    for (const answer of [await first.call(method, path), await second.call(method, path, person)]) {
      expectEnvelope(answer, answer.status, endpoint);
      expect([401, 403]).not.toContain(answer.status);
    }
  });

  it('each mount has separate stores, settings and actors', async () => {
    const change = { settings: { 'retention.days': 7 } };
    const calls = await stores.first.callsDuring(async () => {
      expect((await second.put('/settings', change, person)).status).toBe(200);
    });
    expect(calls).toEqual([]);
    expect((await second.get('/settings/changes', person)).body.data).toMatchObject({
      changes: [{ actor_id: 'ops-9' }],
    });
    expect((await first.get('/settings/changes')).body.data).toEqual({ changes: [], next_cursor: null });
    expect((await first.get('/settings')).body.data).toMatchObject({ overridden: [], revision: 0 });
  });

  it('a second mount is refused under the same prefix or one below it', async () => {
    for (const [one, other] of [
      ['x/api', 'x/api'],
      ['x/api', '/x/api/'],
      ['x/api', 'x/api/y/api'],
      ['x/api/y/api', 'x/api'],
    ]) {
      const mounts = [one, other].map((prefix) => mountOf({ api: { prefix: prefix ?? '' } }));
      await expect(TestHost.start({ mounts })).rejects.toThrow(/api\.prefix.*overlaps/);
    }
  });
});

describe('contract 1.3: the gate and the stores', () => {
  const stores = new WatchedStores(memoryStores());
  const seen: string[] = [];
  let host: TestHost;

  const step =
    (name: string) =>
    (request: Request, response: Response, next: NextFunction): void => {
      seen.push(name);
      if (request.headers['x-answer'] === name)
        response.status(299).setHeader('X-Mine', name).end(`from ${name}`);
      else next();
    };

  @Injectable()
  class People {
    readonly of = (name: string | undefined): object | null =>
      name === undefined ? null : { sub: `people/${name}` };
  }

  @Injectable()
  class PeopleGuard implements CanActivate {
    constructor(private readonly people: People) {}

    canActivate(context: ExecutionContext): boolean {
      seen.push('guard');
      const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
      const name = request.headers['x-person'];
      request.user = this.people.of(typeof name === 'string' ? name : undefined);
      return request.headers['x-refuse'] === undefined;
    }
  }

  @Module({ providers: [People, PeopleGuard], exports: [PeopleGuard] })
  class PeopleModule {}

  beforeAll(async () => {
    host = await TestHost.start({
      host: { imports: [PeopleModule] },
      api: { middleware: [step('one'), false, PeopleGuard, step('two')] },
      guardrails: { stores },
      prepare: (application) => void application.use(step('host')),
    });
  });

  afterAll(() => host.stop());

  it.each(ROUTES)(
    '$key: runs the host’s middleware, then each entry in order, before the API',
    async ({ method, path, endpoint }) => {
      seen.length = 0;
      const answer = await host.call(method, path, { headers: { 'x-person': 'ada' } });
      expectEnvelope(answer, answer.status, endpoint);
      expect(seen).toEqual(['host', 'one', 'guard', 'two']);
    },
  );

  it.each(ROUTES)(
    '$key: a refused request reaches no store and no later entry',
    async ({ method, path, endpoint }) => {
      seen.length = 0;
      const calls = await stores.callsDuring(async () => {
        expectError(
          await host.call(method, path, { headers: { 'x-refuse': 'yes' }, body: '{' }),
          403,
          endpoint,
          'forbidden',
        );
      });
      expect(calls).toEqual([]);
      expect(seen).toEqual(['host', 'one', 'guard']);
    },
  );

  it.each(ROUTES)('$key: the response of an entry is sent unchanged', async ({ method, path }) => {
    for (const [name, order] of [
      ['one', ['host', 'one']],
      ['two', ['host', 'one', 'guard', 'two']],
      ['host', ['host']],
    ] as const) {
      seen.length = 0;
      const calls = await stores.callsDuring(async () => {
        const answer = await host.call(method, path, { headers: { 'x-answer': name } });
        expect([answer.status, answer.text, answer.headers['x-mine']]).toEqual([299, `from ${name}`, name]);
        for (const ours of ['x-request-id', 'cache-control', 'x-content-type-options', 'content-type']) {
          expect(answer.headers).not.toHaveProperty(ours);
        }
      });
      expect(calls).toEqual([]);
      expect(seen).toEqual(order);
    }
  });

  it('contract 6.3: uses the user that an entry sets as the actor', async () => {
    const put = (days: number, headers = {}): ReturnType<TestHost['put']> =>
      host.put('/settings', { settings: { 'retention.days': days } }, { headers });
    expect((await put(7, { 'x-person': 'ada' })).status).toBe(200);
    expectError(await put(8), 403, 'settings', 'actor_required');
    expect((await host.get('/settings/changes')).body.data).toMatchObject({
      changes: [{ actor_id: 'people/ada', new_value: 7 }],
    });
  });
});
