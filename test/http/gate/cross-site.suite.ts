import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { expectError } from '../support/envelope.js';
import { TestHost } from '../support/host.js';

/** A host behind a proxy that authenticates: every request carries credentials, whatever page sent it. */
@Injectable()
class ForgetfulGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: object }>();
    const { cookie, authorization = '', 'x-forwarded-user': forwarded } = request.headers;
    const isKnown =
      cookie === 'session=ops-1' ||
      forwarded === 'ops-1' ||
      ['Bearer operator', PASSWORD].includes(authorization);
    if (!isKnown) throw new UnauthorizedException();
    request.user = { id: 'ops-1' };
    return true;
  }
}

const PASSWORD = `Basic ${btoa('ops-1:a password')}`;
const LISTED = 'https://admin.example.com';

const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a cookie': { cookie: 'session=ops-1' },
  'a password of the browser': { authorization: PASSWORD },
  'a token': { authorization: 'Bearer operator' },
  'a cookie, and a token that a proxy adds': { cookie: 'session=ops-1', authorization: 'Bearer operator' },
  'a header that a proxy adds': { 'x-forwarded-user': 'ops-1' },
};

describe('cross-site writes and exports', () => {
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start({
      api: { enabled: true, middleware: [ForgetfulGuard] },
      guardrails: { settings: { api: { allowed_origins: [LISTED] } } },
    });
  });
  afterAll(() => host.stop());

  const write = (headers: Readonly<Record<string, string>>) =>
    host.post('/holds/1/release', undefined, { as: null, headers });
  const exported = (headers: Readonly<Record<string, string>>) =>
    host.raw('GET', '/guardrails/export/audit', { as: null, headers });

  const foreign = (): readonly Readonly<Record<string, string>>[] => [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: host.origin },
    { 'sec-fetch-site': 'cross-site', origin: `${LISTED}.evil.example.com` },
    { 'sec-fetch-site': 'cross-site', origin: LISTED.replace('https', 'http') },
    { origin: 'https://evil.example.com' },
    { origin: `${host.origin}.evil.example.com` },
    { origin: 'http://127.0.0.1:1' },
    { origin: `${LISTED}:8443` },
    { origin: 'null' },
    { origin: '' },
  ];
  const own = (): readonly Readonly<Record<string, string>>[] => [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: host.origin },
    // Behind a proxy that changes Host.
    { 'sec-fetch-site': 'same-origin', origin: 'https://shop.example.com' },
    { origin: host.origin },
    { 'sec-fetch-site': 'cross-site', origin: LISTED },
    { origin: LISTED },
  ];

  for (const [name, credentials] of Object.entries(CREDENTIALS)) {
    it(`are refused with ${name}`, async () => {
      for (const headers of foreign()) {
        const change = await write({ ...credentials, ...headers });
        expectError(change, 403, 'hold', 'forbidden');
        expect(change.body.data.error.message).toContain('A page of another origin');
        expectError(await exported({ ...credentials, ...headers }), 403, 'audit-export', 'forbidden');
      }
    });

    it(`do not include requests of the same origin, of a listed one and of scripts with ${name}`, async () => {
      for (const headers of own()) {
        expectError(await write({ ...credentials, ...headers }), 404, 'hold', 'not_found');
        const answer = await exported({ ...credentials, ...headers });
        expect(answer.status).toBe(200);
        expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual(
          [],
        );
      }
    });
  }

  it('do not include exports whose address a user enters, but writes', async () => {
    const headers = { cookie: 'session=ops-1', 'sec-fetch-site': 'none' };
    expect(await exported(headers)).toMatchObject({ status: 200 });
    expectError(await write(headers), 403, 'hold', 'forbidden');
  });

  it('are refused after the entries, path and verb, and before the body', async () => {
    const foreignSite = { 'sec-fetch-site': 'cross-site' };
    const unknown = { cookie: 'session=unknown', ...foreignSite };
    expectError(await write(unknown), 401, 'hold', 'unauthenticated');
    const call = { as: 'operator', headers: foreignSite };
    expectError(await host.call('DELETE', '/holds', call), 405, 'hold-list', 'method_not_allowed');
    expectError(await host.put('/settings', '{', call), 403, 'settings', 'forbidden');
  });

  it('do not include reads', async () => {
    const call = { as: 'operator', headers: { 'sec-fetch-site': 'cross-site' } };
    expect(await host.get('/overview', call)).toMatchObject({ status: 200 });
  });
});

describe('api.allowed_origins', () => {
  const start = (origin: string) =>
    TestHost.start({
      api: { enabled: true, middleware: [ForgetfulGuard] },
      guardrails: { settings: { api: { allowed_origins: [origin] } } },
    });

  it('takes exact origins only', async () => {
    for (const origin of [
      '*',
      'null',
      'https://*.example.com',
      'https://admin.example.com/',
      'https://admin.example.com:443',
      'https://ADMIN.example.com',
      'https://ops-1@admin.example.com',
      'http://admin.example.com:80',
      'ftp://admin.example.com',
      'admin.example.com',
    ]) {
      await expect(start(origin)).rejects.toThrow(/api\.allowed_origins entry 0 must be an origin/);
    }
  });
});
