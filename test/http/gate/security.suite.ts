import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HttpException,
  Inject,
  Injectable,
  Module,
  Scope,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { defer, EMPTY, of } from 'rxjs';
import { memoryStores } from '#stores/memory/memory-stores.js';
import type { AccessEntry } from '#src/http/access.guard.js';
import { guardrailsRoute } from '#src/http/api-request.js';
import { mountOf, TestHost, type HostSetup } from '../support/host.js';
import type { Answer, Call } from '../support/client.js';

const pass = (_: Request, __: Response, next: NextFunction): void => next();

/** One request to a host whose gate is the given list. */
async function ask(
  middleware: readonly AccessEntry[],
  path = '/overview',
  call: Call = {},
  setup: HostSetup = {},
): Promise<Answer> {
  const host = await TestHost.start({ ...setup, mounts: setup.mounts ?? [mountOf({ api: { middleware } })] });
  try {
    return await host.get(path, call);
  } finally {
    await host.stop();
  }
}

const throwing =
  (error: unknown): AccessEntry =>
  () => {
    throw error;
  };

@Injectable()
class Secrets {
  readonly word = 'swordfish';
}

@Injectable()
class NeedsSecrets implements CanActivate {
  constructor(private readonly secrets: Secrets) {}

  canActivate(): boolean {
    return this.secrets.word === 'swordfish';
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: Request) {}

  canActivate(): boolean {
    return this.request.headers['x-pass'] === 'yes';
  }
}

class PassingMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    pass(request, response, next);
  }
}

abstract class Door implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean;
}

const ASYNC = Symbol('async guard');

@Module({ providers: [Secrets], exports: [Secrets] })
class SecretsModule {}

describe('contract 1.1: an entry', () => {
  const yes: CanActivate = { canActivate: () => true };
  const admitting: readonly (readonly [string, AccessEntry])[] = [
    ['a guard instance', yes],
    ['a guard that answers later', { canActivate: () => Promise.resolve(true) }],
    ['a guard that answers by an Observable', { canActivate: () => of(true) }],
    ['a middleware class', PassingMiddleware],
    ['a middleware instance', new PassingMiddleware()],
    ['a function', pass],
    ['an asynchronous function', async (_: Request, __: Response, next: NextFunction) => next()],
  ];

  it.each(admitting)('may be %s that admits', async (_, entry) => {
    expect((await ask([false, entry])).status).toBe(200);
  });

  it('may be a guard class that the host provides, request-scoped or not, or one whose dependencies only our imports provide', async () => {
    const setup: HostSetup = { host: { providers: [Secrets, NeedsSecrets, PerRequest] } };
    expect((await ask([NeedsSecrets], '/overview', {}, setup)).status).toBe(200);
    expect((await ask([PerRequest], '/overview', { headers: { 'x-pass': 'yes' } }, setup)).status).toBe(200);
    expect((await ask([PerRequest], '/overview', {}, setup)).status).toBe(403);
    expect((await ask([PerRequest])).status).toBe(403);
    const fed = mountOf({ api: { middleware: [NeedsSecrets] } });
    const imports = [...(fed.imports ?? []), SecretsModule];
    expect((await ask([], '/overview', {}, { mounts: [{ ...fed, imports }] })).status).toBe(200);
  });

  it('may be a symbol or an abstract class, provided asynchronously', async () => {
    const providers = [
      { provide: ASYNC, useFactory: () => new Promise((resolve) => setImmediate(() => resolve(yes))) },
      { provide: Door, useValue: { canActivate: () => false } },
    ];
    expect((await ask([ASYNC], '/overview', {}, { host: { providers } })).status).toBe(200);
    expect((await ask([ASYNC, Door], '/overview', {}, { host: { providers } })).status).toBe(403);
  });
});

describe('contract 1.3, 2.3: refusals of an entry', () => {
  const refusals: readonly (readonly [string, AccessEntry, number, string])[] = [
    ['a guard says no', { canActivate: () => false }, 403, 'forbidden'],
    ['an Observable ends without a word', { canActivate: () => EMPTY }, 403, 'forbidden'],
    ['an Observable says no', { canActivate: () => defer(() => of(false)) }, 403, 'forbidden'],
    ['401 is thrown', throwing(new UnauthorizedException('secret words')), 401, 'unauthenticated'],
    ['429 is thrown', throwing(new HttpException('secret words', 429)), 429, 'rate_limited'],
    ['another 4xx is thrown', throwing(new HttpException('secret words', 402)), 402, 'forbidden'],
    ['a 503 is thrown', throwing(new HttpException('secret words', 503)), 503, 'store_unavailable'],
    [
      'an http-error is thrown',
      throwing(Object.assign(new Error('secret words'), { statusCode: 404 })),
      404,
      'not_found',
    ],
    [
      'an error goes to next',
      (_q: Request, _s: Response, next: NextFunction) => next(new UnauthorizedException()),
      401,
      'unauthenticated',
    ],
    ['a promise rejects', () => Promise.reject(new Error('secret words')), 500, 'internal'],
    ['anything else is thrown', throwing('secret words'), 500, 'internal'],
    ['5xx is thrown', throwing(new HttpException('secret words', 502)), 500, 'internal'],
  ];

  it.each(refusals)('are answered when %s', async (_, entry, status, code) => {
    const answer = await ask([entry], '/audit/1', { headers: { 'x-request-id': 'r-1' } });
    expect(answer.status).toBe(status);
    expect(answer.body.schema).toBe('guardrails.api.v1.audit-detail');
    expect(answer.body.data.error).toMatchObject({ code, request_id: 'r-1' });
    expect(answer.text).not.toContain('secret words');
  });

  it.each([
    ['ends the response', (_: Request, response: Response) => void response.status(418).send('mine')],
    [
      'ends it and calls on',
      (_: Request, response: Response, next: NextFunction) => {
        response.status(418).send('mine');
        next();
      },
    ],
    [
      'ends it and throws',
      (_: Request, response: Response) => {
        response.status(418).send('mine');
        throw new Error('afterwards');
      },
    ],
    [
      'ends it later',
      (_: Request, response: Response) => void setImmediate(() => response.status(418).send('mine')),
    ],
  ])('sends the response of an entry that %s unchanged', async (_, entry) => {
    const answer = await ask([entry as AccessEntry]);
    expect([answer.status, answer.text]).toEqual([418, 'mine']);
    expect(answer.headers).not.toHaveProperty('x-request-id');
    expect(answer.headers).not.toHaveProperty('cache-control');
  });
});

const seen: unknown[] = [];

const look = (request: Request, _: Response, next: NextFunction): void => {
  seen.push([request.method, request.originalUrl, request.url, request.params, request.body, request.ip]);
  next();
};

describe('contract 1.3: the gate', () => {
  let host: TestHost;
  let reads = 0;

  beforeAll(async () => {
    const stores = memoryStores();
    const list = stores.audit.list.bind(stores.audit);
    stores.audit.list = (filter, page) => {
      reads++;
      return list(filter, page);
    };
    const name = {
      canActivate: (context: ExecutionContext) => {
        seen.push(guardrailsRoute(context));
        return context.switchToHttp().getRequest<Request>().headers.authorization !== undefined;
      },
    };
    host = await TestHost.start({
      api: { middleware: [look, name] },
      guardrails: { stores },
      prepare: (application) => void application.set('trust proxy', true),
    });
  });

  afterAll(() => host.stop());

  it('runs the entries in the order of the list, with the original request', async () => {
    seen.length = 0;
    const call = { headers: { 'x-forwarded-for': '192.0.2.7' } };
    await host.post('/approvals/a%20b/approve?x=1', { reason: 'r' }, call);
    const url = '/guardrails/api/approvals/a%20b/approve?x=1';
    expect(seen).toEqual([
      ['POST', url, url, { token: 'a b' }, undefined, '192.0.2.7'],
      { name: 'guardrails.api.approvals.approve', writes: true, bulk: false },
    ]);
  });

  it.each([
    ['GET', '/audit?limit=abc'],
    ['GET', '/audit'],
    ['GET', '/nowhere'],
    ['GET', ''],
    ['GET', '/audit/%E0%A4%A'],
    ['GET', '/%'],
    ['PATCH', '/settings'],
    ['OPTIONS', '/settings'],
    ['POST', '/try/screen'],
    ['PUT', '/settings'],
    ['POST', '/approvals/x/approve'],
  ])('refuses %s %s before it is validated or read', async (method, path) => {
    const before = reads;
    const answer = await host.call(method, path, { as: null });
    expect(answer.status).toBe(403);
    expect(reads).toBe(before);
  });

  it('answers errors of the host’s middleware in the envelope', async () => {
    const failing = await TestHost.start({
      prepare: (application) =>
        void application.use((_: Request, __: Response, next: NextFunction) =>
          next(new UnauthorizedException()),
        ),
    });
    const answer = await failing.get('/audit');
    await failing.stop();
    expect(answer.body.schema).toBe('guardrails.api.v1.audit-list');
    expect(answer.body.data.error.code).toBe('unauthenticated');
  });
});
