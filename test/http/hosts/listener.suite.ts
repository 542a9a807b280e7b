import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  ConsoleLogger,
  Controller,
  Get,
  Module,
  type DynamicModule,
  type INestApplicationContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ListenOptions } from '#src/options/guardrails-api.options.js';
import { TestClient } from '../support/client.js';
import { assertContract } from '../support/contract-calls.js';
import { mountOf, TestHost } from '../support/host.js';

@Controller('shop')
class ShopController {
  @Get()
  show(): { readonly shop: string } {
    return { shop: 'open' };
  }
}

class Log extends ConsoleLogger {
  readonly lines: string[] = [];

  override log(message: unknown): void {
    this.lines.push(String(message));
  }

  override warn(): void {}

  override error(): void {}

  /** Every address that was logged. */
  addresses(): readonly URL[] {
    return this.lines
      .filter((line) => line.startsWith('Listening at'))
      .flatMap((line) => line.match(/http:\/\/[^\s,]+[^\s,.]/g) ?? [])
      .map((address) => new URL(address));
  }
}

function listening(listen: Partial<ListenOptions> = {}, ...more: readonly DynamicModule[]) {
  @Module({
    imports: [
      mountOf({ api: { listen: { port: 0, ...listen } }, panel: { enabled: true, auth: 'bearer' } }),
      ...more,
    ],
    controllers: [ShopController],
  })
  class Host {}
  return Host;
}

/** Runs `assert` with the logged origins of the listeners, and closes the application. */
async function withWorker(
  module: ReturnType<typeof listening>,
  assert: (origin: string, application: INestApplicationContext, log: Log) => Promise<void>,
): Promise<void> {
  const logger = new Log();
  const application = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  try {
    await assert(logger.addresses()[0]?.origin ?? '', application, logger);
  } finally {
    await application.close();
  }
}

const start = (listen: Partial<ListenOptions>): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(listening(listen), { logger: false, abortOnError: false });

describe('contract 1.11: the own listener', () => {
  it('serves a Fastify host, whose own routes stay on its port', async () => {
    const logger = new Log();
    const application = await NestFactory.create<NestFastifyApplication>(listening(), new FastifyAdapter(), {
      logger,
      abortOnError: false,
    });
    await application.listen(0, '127.0.0.1');
    try {
      const [api, panel] = logger.addresses();
      const client = new TestClient(api?.origin ?? '');
      await assertContract(client);
      expect((await client.raw('GET', panel?.pathname ?? '', { as: null })).text).toContain('<title>');
      expect((await client.raw('GET', '/shop')).body).toMatchObject({
        schema: 'guardrails.api.v1.error',
        data: { error: { code: 'not_found' } },
      });
      const host = new TestClient((await application.getUrl()).replace('[::1]', '127.0.0.1'));
      expect((await host.raw('GET', '/shop')).body).toEqual({ shop: 'open' });
      expect((await host.get('/overview')).status).toBe(404);
    } finally {
      await application.close();
    }
  });

  it('serves an Express host instead of mounting in it', async () => {
    const logger = new Log();
    const host = await TestHost.start({ api: { listen: { port: 0 } }, nest: { logger } });
    try {
      expect((await host.get('/overview')).status).toBe(404);
      await assertContract(new TestClient(logger.addresses()[0]?.origin ?? ''));
    } finally {
      await host.stop();
    }
  });

  it('serves a worker, logs its addresses and what protects them, and closes with it', async () => {
    let client: TestClient | undefined;
    await withWorker(listening(), async (origin, _, log) => {
      client = new TestClient(origin);
      await assertContract(client);
      expect(log.lines.join('\n')).toContain('Only api.middleware protects this port');
      expect(log.lines.filter((line) => line.startsWith('Mapped'))).toEqual([]);
      expect((await client.get('/overview')).headers).not.toHaveProperty('x-powered-by');
    });
    await expect(client?.get('/overview')).rejects.toThrow('ECONNREFUSED');
  });

  it('serves two mounts, each on its port', async () => {
    const second = mountOf({ api: { listen: { port: 0 } } });
    await withWorker(listening({}, second), async (_, __, log) => {
      const origins = new Set(log.addresses().map(({ origin }) => origin));
      expect(origins.size).toBe(2);
      for (const origin of origins) expect((await new TestClient(origin).get('/overview')).status).toBe(200);
    });
  });

  it('refuses requests with another Host header before the gate', async () => {
    await withWorker(listening(), async (origin) => {
      const client = new TestClient(origin);
      const { port } = new URL(origin);
      for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`, 'localhost']) {
        expect((await client.get('/overview', { headers: { host } })).status).toBe(200);
      }
      const foreign = [
        'rebound.example',
        `rebound.example:${port}`,
        'a@localhost',
        'localhost.rebound.example',
        '[::1]',
      ];
      for (const host of foreign) {
        const answer = await client.get('/overview', { headers: { host } });
        expect([host, answer.status, answer.body.data.error.code]).toEqual([host, 403, 'forbidden']);
        expect((await client.raw('GET', '/guardrails/panel', { headers: { host } })).status).toBe(403);
      }
    });
  });

  it('serves the names in listen.hosts', async () => {
    const hosts = ['Guardrails.internal', '::1'];
    await withWorker(listening({ host: '0.0.0.0', hosts }), async (origin) => {
      const client = new TestClient(origin.replace('0.0.0.0', '127.0.0.1'));
      const statuses = ['guardrails.internal', '[::1]:80', 'localhost'].map(
        async (host) => (await client.get('/overview', { headers: { host } })).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
    });
  });

  it.each<readonly [reason: RegExp, listen: unknown]>([
    [/api\.listen\.port is "3001": write a whole number/, { port: '3001' }],
    [/api\.listen\.port is 70000/, { port: 70_000 }],
    [/"0\.0\.0\.0" means every address of the machine[^]*also write hosts:/, { host: '0.0.0.0' }],
    [/"::" means every address of the machine/, { host: '::' }],
    [/"http:\/\/a\.example\/" is not the name or address of a host/, { hosts: ['http://a.example/'] }],
    [/api\.listen\.hosts must be a list/, { hosts: 'a.example' }],
    [/192\.0\.2\.1:0 cannot be used \(this machine does not have this address/, { host: '192.0.2.1' }],
  ])('refuses to start: %s', async (reason, listen) => {
    await expect(start(listen as ListenOptions)).rejects.toThrow(reason);
  });

  it('refuses to start at a busy port', async () => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    try {
      await expect(start({ port })).rejects.toThrow(/another program uses this port/);
    } finally {
      await new Promise((resolve) => busy.close(resolve));
    }
  });

  it('contract 1.4: refuses to mount in a Fastify host', async () => {
    const application = await NestFactory.create(mountOf({}), new FastifyAdapter(), {
      logger: false,
      abortOnError: false,
    });
    await expect(application.init()).rejects.toThrow(
      /the HTTP adapter is fastify[^]*api: \{ listen: \{ port: 3001 \} \}/,
    );
    await application.close();
  });

  it('refuses to start without middleware, as a mounted API does', async () => {
    const module = mountOf({ api: { middleware: [], listen: { port: 0 } } });
    await expect(
      NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }),
    ).rejects.toThrow(/api\.middleware resolves to an empty list/);
  });
});
