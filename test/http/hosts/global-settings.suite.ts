import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  Module,
  ValidationPipe,
  VersioningType,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestApplicationOptions,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import express from 'express';
import { map, type Observable } from 'rxjs';
import { BearerGuard } from '../support/bearer.guard.js';
import { TestClient } from '../support/client.js';
import { assertContract } from '../support/contract-calls.js';
import { mountOf, TestHost, type HostSetup } from '../support/host.js';

@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((wrapped) => ({ wrapped })));
  }
}

@Catch()
class TeapotFilter implements ExceptionFilter {
  catch(
    _: unknown,
    host: { switchToHttp(): { getResponse(): { status(code: number): { end(): void } } } },
  ): void {
    host.switchToHttp().getResponse().status(418).end();
  }
}

class ClosedGuard {
  canActivate(): boolean {
    return false;
  }
}

const everythingGlobal: HostSetup = {
  host: {
    providers: [
      { provide: APP_INTERCEPTOR, useClass: WrappingInterceptor },
      { provide: APP_FILTER, useClass: TeapotFilter },
      { provide: APP_GUARD, useClass: ClosedGuard },
    ],
  },
  prepare: (application) => {
    application.setGlobalPrefix('/of/the/host/');
    application.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    application.useGlobalPipes(
      new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
    );
    application.set('query parser', 'extended');
    application.set('trust proxy', true);
  },
};

const parsers: Readonly<Record<string, NestApplicationOptions>> = {
  'the default body parser': {},
  'no body parser': { bodyParser: false },
  'raw bodies': { rawBody: true },
};

describe('contract 1.4: global settings of the host', () => {
  it.each(Object.entries(parsers))('the contract holds with %s', async (_, nest) => {
    const host = await TestHost.start({ ...everythingGlobal, nest });
    try {
      await assertContract(host);
      // The filter of the host answers: the global prefix does not move the API.
      expect((await host.raw('GET', '/of/the/host/guardrails/api/overview')).status).toBe(418);
      expect((await host.raw('GET', '/of/the/host/v1/hosts-own')).status).toBe(418);
    } finally {
      await host.stop();
    }
  });

  it('the contract holds in a plain host, and the routes of the host are unchanged', async () => {
    const host = await TestHost.start();
    try {
      await assertContract(host);
      expect((await host.raw('GET', '/guardrails/apis')).status).toBe(404);
      expect(JSON.parse((await host.raw('GET', '/guardrails/apis')).text)).toHaveProperty('statusCode', 404);
    } finally {
      await host.stop();
    }
  });

  it('the contract holds in a testing module, which gets its adapter late', async () => {
    const module = await Test.createTestingModule({ imports: [mountOf({})] }).compile();
    const application = module.createNestApplication<NestExpressApplication>({ logger: false });
    await application.listen(0, '127.0.0.1');
    try {
      await assertContract(new TestClient((await application.getUrl()).replace('[::1]', '127.0.0.1')));
    } finally {
      await application.close();
    }
  });

  it('contract 2.1: errors of a parser installed before Nest are answered in the envelope', async () => {
    const server = express();
    server.use(express.json({ limit: '300kb' }));
    @Module({ imports: [mountOf({})] })
    class ParsedHost {}
    const application = await NestFactory.create(ParsedHost, new ExpressAdapter(server), { logger: false });
    await application.listen(0, '127.0.0.1');
    try {
      const client = new TestClient((await application.getUrl()).replace('[::1]', '127.0.0.1'));
      await assertContract(client);
      const cases = [
        ['{', {}, 400, 'malformed_json'],
        [`{"settings":"${'x'.repeat(400_000)}"}`, {}, 413, 'body_too_large'],
        ['{}', { 'content-type': 'application/json; charset=nonsense' }, 415, 'unsupported_media_type'],
      ] as const;
      for (const [body, headers, status, code] of cases) {
        const answer = await client.call('PUT', '/settings', { body, headers });
        expect([answer.status, answer.body.schema, answer.body.data.error.code]).toEqual([
          status,
          'guardrails.api.v1.settings',
          code,
        ]);
      }
    } finally {
      await application.close();
    }
  });

  it('contract 1: serves two mounts in one application', async () => {
    const host = await TestHost.start({
      mounts: [mountOf({ api: { prefix: 'one/api' } }), mountOf({ api: { prefix: '/two/api/' } })],
    });
    try {
      await assertContract(host.under('/one/api'));
      await assertContract(host.under('/two/api'));
      expect((await host.raw('GET', '/guardrails/api/audit')).status).toBe(404);
    } finally {
      await host.stop();
    }
  });

  it('contract 1: mounts no route while the API is off, and the guardrails still work', async () => {
    const host = await TestHost.start({ api: { enabled: false, middleware: [BearerGuard] } });
    try {
      const answer = await host.get('/overview');
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({
        message: 'Cannot GET /guardrails/api/overview',
        error: 'Not Found',
        statusCode: 404,
      });
      expect(await host.guardrails.screen('hello')).toMatchObject({ blocked: false });
    } finally {
      await host.stop();
    }
  });
});
