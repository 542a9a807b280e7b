import { describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { crowdedHost, HOST_PREFIX } from '../support/crowded-host.js';
import { mountOf } from '../support/host.js';
import { factsOf, navigation, sessionMount, withPanel } from './session-host.js';

/** The headers that helmet() 8 sets by default and that concern pages. */
const HELMET = {
  'Content-Security-Policy':
    "default-src 'self';script-src 'self' https://cdn.example.com;frame-ancestors 'self'",
  'Content-Security-Policy-Report-Only': "default-src 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'SAMEORIGIN',
};

const withHelmet = (application: NestExpressApplication): void =>
  void application.use((_request: Request, response: Response, next: NextFunction) => {
    response.set(HELMET);
    next();
  });

describe('the panel in different hosts', () => {
  it('replaces the policies of the host only on its paths', async () => {
    await withPanel(
      {},
      async (host) => {
        for (const session of ['ops-1', undefined]) {
          const { headers } = await host.raw('GET', '/guardrails/panel', navigation(session));
          expect(headers['content-security-policy']).toMatch(/trusted-types 'none'$/);
          expect(headers['content-security-policy']).not.toContain('cdn');
          expect(headers['content-security-policy-report-only']).toBeUndefined();
          expect(headers['referrer-policy']).toBe('same-origin');
          expect(headers['x-frame-options']).toBe('SAMEORIGIN');
        }
        for (const path of ['/hosts-own', '/guardrails/api/overview']) {
          const { headers } = await host.raw('GET', path, navigation('ops-1'));
          expect(headers['content-security-policy']).toBe(HELMET['Content-Security-Policy']);
          expect(headers['referrer-policy']).toBe('no-referrer');
        }
      },
      { prepare: withHelmet },
    );
  });

  it('stays at its path under a global prefix and versions', async () => {
    await withPanel(
      { login_url: '/login' },
      async (host) => {
        const page = await host.raw('GET', '/guardrails/panel/audit', navigation('ops-1'));
        expect(factsOf(page.text)).toMatchObject({ panel: '/guardrails/panel', api: '/guardrails/api' });
        const [script = ''] = /\/[\w/-]+\.js/.exec(page.text) ?? [];
        expect(script).toContain('/guardrails/panel/assets/');
        expect((await host.raw('GET', script, { as: null })).status).toBe(200);
        const refused = await host.raw('GET', '/guardrails/panel', navigation());
        const returnTo = encodeURIComponent('/guardrails/panel');
        expect(refused.headers.location).toBe(`/login?return_to=${returnTo}#login`);
        expect(refused.headers['set-cookie']?.[0]).toContain('Path=/guardrails/panel;');
        const below = await host.raw('GET', `/${HOST_PREFIX}/guardrails/panel`, navigation('ops-1'));
        expect(below.headers['content-security-policy']).toBeUndefined();
      },
      crowdedHost,
    );
  });

  it('leaves all other paths to the host', async () => {
    await withPanel({ path: 'desk/operators' }, async (host) => {
      expect((await host.raw('GET', '/desk/operators', navigation('ops-1'))).status).toBe(200);
      for (const path of [
        '/desk',
        '/desk/operatorsx',
        '/desk/operator',
        '/guardrails/panel',
        '/assets/x.js',
      ]) {
        const answer = await host.raw('GET', path, navigation('ops-1'));
        expect(answer.body).toMatchObject({ message: `Cannot GET ${path}` });
      }
      expect((await host.raw('GET', '/hosts-own', navigation())).body).toEqual({ from: 'host' });
    });
  });

  it('is served twice in one application', async () => {
    const mounts = [
      sessionMount({}, 'shop/api'),
      sessionMount({ auth: 'bearer', path: 'bank-panel' }, 'bank/api'),
    ];
    await withPanel(
      {},
      async (host) => {
        const shop = await host.raw('GET', '/shop/panel', navigation('ops-1'));
        expect(factsOf(shop.text)).toMatchObject({ panel: '/shop/panel', api: '/shop/api', auth: 'session' });
        const bank = await host.raw('GET', '/bank-panel', navigation());
        expect(factsOf(bank.text)).toEqual({ panel: '/bank-panel', api: '/bank/api', auth: 'bearer' });
        expect((await host.raw('GET', '/shop/panel', navigation())).status).toBe(401);
      },
      { mounts },
    );
  });

  it.each([{}, { enabled: false }])('is not served with %j', async (panel) => {
    await withPanel(
      {},
      async (host) => {
        for (const path of [
          '/guardrails/panel',
          '/guardrails/panel/audit',
          '/guardrails/panel/assets/x.js',
        ]) {
          const answer = await host.raw('GET', path);
          expect(answer.body).toMatchObject({ message: `Cannot GET ${path}` });
        }
        expect((await host.get('/overview')).status).toBe(200);
      },
      { mounts: [mountOf({ panel })] },
    );
  });
});
