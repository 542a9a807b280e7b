import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { expectError } from '../support/envelope.js';
import { TestHost } from '../support/host.js';

/** A host that does not check the origin of a request. */
@Injectable()
class ForgetfulGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: object }>();
    const { cookie, authorization = '' } = request.headers;
    const isKnown = cookie === 'session=ops-1' || ['Bearer operator', PASSWORD].includes(authorization);
    if (!isKnown) throw new UnauthorizedException();
    request.user = { id: 'ops-1' };
    return true;
  }
}

const PASSWORD = `Basic ${btoa('ops-1:a password')}`;
const COOKIE = { cookie: 'session=ops-1' };
const CHANGE = { settings: { 'input_screen.enabled': true } };

describe('cross-site writes', () => {
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start({ api: { enabled: true, middleware: [ForgetfulGuard] } });
  });
  afterAll(() => host.stop());

  const foreign = (): readonly Record<string, string>[] => [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: host.origin },
    { origin: 'https://evil.example.com' },
    { origin: `${host.origin}.evil.example.com` },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'null' },
    { origin: '' },
  ];

  it('are refused if they carry a cookie and no Authorization', async () => {
    for (const headers of foreign()) {
      const call = { as: null, headers: { ...COOKIE, ...headers } };
      const change = await host.put('/settings', CHANGE, call);
      expectError(change, 403, 'settings', 'forbidden');
      expect(change.body.data.error.message).toContain('A page of another origin');
      expectError(
        await host.post('/events/sinks/siem/test', undefined, call),
        403,
        'event-test',
        'forbidden',
      );
    }
  });

  it('are refused if the browser attached a password', async () => {
    for (const headers of foreign()) {
      const call = { as: null, headers: { authorization: PASSWORD, ...headers } };
      expectError(await host.put('/settings', CHANGE, call), 403, 'settings', 'forbidden');
    }
    const own = { authorization: PASSWORD, 'sec-fetch-site': 'same-origin' };
    expect(await host.put('/settings', CHANGE, { as: null, headers: own })).toMatchObject({ status: 200 });
    const script = { authorization: PASSWORD };
    expect(await host.put('/settings', CHANGE, { as: null, headers: script })).toMatchObject({ status: 200 });
  });

  it('are refused as unauthenticated if the gate does not admit them', async () => {
    const headers = { cookie: 'session=unknown', 'sec-fetch-site': 'cross-site' };
    expectError(
      await host.put('/settings', CHANGE, { as: null, headers }),
      401,
      'settings',
      'unauthenticated',
    );
  });

  it('do not include requests of the same origin, of scripts and with bearer tokens', async () => {
    const admitted = [
      { as: null, headers: COOKIE },
      { as: null, headers: { ...COOKIE, 'sec-fetch-site': 'same-origin' } },
      { as: null, headers: { ...COOKIE, 'sec-fetch-site': 'same-origin', origin: host.origin } },
      // Behind a proxy that changes Host.
      {
        as: null,
        headers: { ...COOKIE, 'sec-fetch-site': 'same-origin', origin: 'https://shop.example.com' },
      },
      { as: null, headers: { ...COOKIE, origin: host.origin } },
      { as: 'operator', headers: {} },
      { as: 'operator', headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' } },
    ];
    for (const call of admitted)
      expect(await host.put('/settings', CHANGE, call)).toMatchObject({ status: 200 });
  });

  it('do not include reads', async () => {
    const call = { as: null, headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' } };
    expect(await host.get('/overview', call)).toMatchObject({ status: 200 });
  });
});
