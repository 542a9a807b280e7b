import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { MeData } from '#contracts/api/me.js';
import { decision } from '#stores/contract/builders.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { USERS } from '../../../apps/demo/src/storage/sessions.js';
import { DemoModule } from '../../../apps/demo/src/demo.module.js';
import { securityHeaders } from '../../../apps/demo/src/auth/page.controller.js';
import type { DemoData } from '../../../apps/demo/src/storage/demo-data.js';
import { TestClient, type Answer } from '../support/client.js';

const secret = (name: string): string => `the ${name} of the tests, thirty-two bytes`;
const PAGE = '/guardrails/panel/audit?outcome=blocked';
const RETURN_TO = encodeURIComponent(PAGE);

describe('the panel of the demo', () => {
  let application: NestExpressApplication;
  let browser: TestClient;

  beforeAll(async () => {
    const stores = memoryStores();
    // The demo seeds only an empty database.
    await stores.audit.append(decision({}));
    const data = {
      stores,
      credentials: {
        ...Object.fromEntries(
          USERS.flatMap(({ id }) => [
            [`${id}.token`, secret(`token of ${id}`)],
            [`${id}.password`, secret(`password of ${id}`)],
          ]),
        ),
        sessionSecret: secret('session'),
        tokenSecret: secret('bridge'),
        hashKey: secret('hashes'),
      },
      seedMarker: { isSet: false },
    };
    application = await NestFactory.create(DemoModule.over(data as unknown as DemoData), {
      logger: false,
      abortOnError: false,
    });
    application.use(securityHeaders);
    await application.listen(0, '127.0.0.1');
    browser = new TestClient(
      `http://127.0.0.1:${(application.getHttpServer().address() as AddressInfo).port}`,
    );
  });
  afterAll(() => application.close());

  const open = (path: string, cookie = ''): Promise<Answer> =>
    browser.raw('GET', path, { as: null, headers: { accept: 'text/html', cookie } });

  const logIn = (path: string, user: string, password = secret(`password of ${user}`)): Promise<Answer> =>
    browser.raw('POST', path, {
      as: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ user, password }).toString(),
    });

  it.each(['ops-1', 'ops-2', 'viewer-1'])(
    'opens for %s after the login, at the requested page',
    async (user) => {
      const refused = await open(PAGE);
      expect([refused.status, refused.headers.location]).toEqual([
        303,
        `/login?return_to=${RETURN_TO}#login`,
      ]);
      const login = await open(refused.headers.location?.replace('#login', '') ?? '');
      const action = /<form method="post" action="([^"]*)"/.exec(login.text)?.[1] ?? '';
      expect(action).toBe(`/login?return_to=${RETURN_TO}`);
      const wrong = await logIn(action, user, 'not the password');
      expect(wrong.headers.location).toBe(`/login?return_to=${RETURN_TO}#wrong`);
      const { status, headers } = await logIn(action, user);
      expect([status, headers.location]).toEqual([303, PAGE]);
      const [cookie = ''] = headers['set-cookie'] ?? [];
      expect(cookie).toContain('SameSite=Lax');
      const session = cookie.split(';')[0] ?? '';
      const page = await open(PAGE, session);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>Guardrails</title>')]);
      expect(page.headers['content-security-policy']).toContain("trusted-types 'none'");
      const me = (await open('/guardrails/api/me', session)).body.data as unknown as MeData;
      expect(me.actor).toBe(user);
      expect(me.permissions['guardrails.api.approvals.approve']).toBe(user !== 'viewer-1');
      expect(me.permissions['guardrails.api.approvals.index']).toBe(true);
    },
  );

  it.each(['https://evil.example.com/', '//evil.example.com', '/.//evil.example.com'])(
    'opens the chat after a login for %s',
    async (returnTo) => {
      const path = `/login?return_to=${encodeURIComponent(returnTo)}`;
      expect((await open(path)).text).toContain('action="/login"');
      expect((await logIn(path, 'ops-1')).headers.location).toBe('/');
    },
  );

  it('is linked from the chat', async () => {
    const { headers } = await logIn('/login', 'ops-1');
    const chat = await open('/', headers['set-cookie']?.[0]?.split(';')[0]);
    expect(chat.text).toContain('<a href="/guardrails/panel">Panel</a>');
  });
});
