import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { guardrailsRoute } from '#src/http/api-request.js';
import { TestClient } from '../support/client.js';
import { mountOf, TestHost } from '../support/host.js';
import { WatchedStores } from '../support/watched-stores.js';

const seen: string[] = [];

@Injectable()
class RecordingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    seen.push(`gate ${request.url}`);
    return true;
  }
}

@Controller('shop')
class ShopController {
  @Get()
  @UseGuards(RecordingGuard)
  show(): { readonly shop: string } {
    return { shop: 'open' };
  }
}

@Module({ controllers: [ShopController], providers: [RecordingGuard] })
class RateLimitModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((request: Request, response: Response, next: NextFunction) => {
        seen.push('middleware');
        if (request.headers['x-limit'] === undefined) next();
        else response.status(429).end('slow down');
      })
      .forRoutes('{*splat}');
  }
}

async function withHost(
  imports: readonly (DynamicModule | typeof RateLimitModule)[],
  act: (client: TestClient) => Promise<void>,
): Promise<void> {
  @Module({ imports: [...imports] })
  class HostModule {}
  const application = await NestFactory.create<NestExpressApplication>(HostModule, { logger: false });
  await application.listen(0, '127.0.0.1');
  try {
    await act(new TestClient((await application.getUrl()).replace('[::1]', '127.0.0.1')));
  } finally {
    await application.close();
  }
}

describe('contract 1.4: Nest middleware of the host', () => {
  const mount = mountOf({ api: { middleware: [RecordingGuard] } });

  it.each([
    ['before', [RateLimitModule, mount]],
    ['after', [mount, RateLimitModule]],
  ] as const)('runs before the gate if its module is imported %s ours', async (_, imports) => {
    await withHost(imports, async (client) => {
      for (const path of ['/overview', '/nowhere', '/audit/%E0%A4%A?q=%', '']) {
        seen.length = 0;
        await client.get(path);
        expect(seen).toEqual(['middleware', `gate /guardrails/api${path}`]);
      }
      seen.length = 0;
      await client.raw('GET', '/guardrails/openapi.json');
      await client.post('/try/screen', { prompt: 'hello' });
      expect(seen).toEqual([
        'middleware',
        'gate /guardrails/openapi.json',
        'middleware',
        'gate /guardrails/api/try/screen',
      ]);
    });
  });

  it('can refuse a request before the gate with its own response', async () => {
    await withHost([mount, RateLimitModule], async (client) => {
      seen.length = 0;
      const answer = await client.get('/audit', { headers: { 'x-limit': '1' } });
      expect([answer.status, answer.text, seen]).toEqual([429, 'slow down', ['middleware']]);
    });
  });

  it('runs once on routes of the host, which have no gate', async () => {
    await withHost([mount, RateLimitModule], async (client) => {
      seen.length = 0;
      expect((await client.raw('GET', '/shop')).body).toEqual({ shop: 'open' });
      expect(seen).toEqual(['middleware', 'gate /shop']);
    });
  });
});

describe('contract 1.3: a method override of the host', () => {
  const stores = new WatchedStores(memoryStores());
  const judged: unknown[] = [];

  @Injectable()
  class RouteGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
      judged.push(guardrailsRoute(context));
      request.user = { id: 'ops-1' };
      return true;
    }
  }

  it.each([
    ['GET', 'PUT', '/settings', 'settings.show'],
    ['PUT', 'GET', '/settings', 'settings.update'],
    ['HEAD', 'POST', '/audit', 'audit.index'],
  ])('%s as %s %s runs the route that the gate has checked', async (sent, override, path, name) => {
    const host = await TestHost.start({
      api: { middleware: [RouteGuard] },
      guardrails: { stores },
      prepare: (application) =>
        void application.use((request: Request, _: Response, next: NextFunction) => {
          request.method = override;
          request.url = '/guardrails/api/overview';
          next();
        }),
    });
    judged.length = 0;
    const body = { settings: { 'retention.days': 7 } };
    const answer = await host.call(sent, path, sent === 'PUT' ? { body } : {});
    expect(answer.status).toBe(200);
    const writes = name === 'settings.update';
    expect(judged).toMatchObject([{ name: `guardrails.api.${name}`, writes, bulk: false }]);
    if (sent === 'PUT') expect(answer.body.data).toMatchObject({ changed: ['retention.days'] });
    else if (sent === 'GET') expect(answer.body.data).not.toHaveProperty('changed');
    await host.stop();
  });
});
