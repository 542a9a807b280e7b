import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { mountOf } from '../support/host.js';
import { expectError } from '../support/envelope.js';
import { factsOf, navigation, seen, SessionGuard, withPanel } from './session-host.js';

const SCREENS = [
  '',
  '/',
  '/audit',
  '/audit/7',
  '/approvals/33?tab=run',
  '/settings/history',
  '/no/such/screen',
];
const PANEL = '/guardrails/panel';

beforeEach(() => void (seen.length = 0));

describe('the panel with the session of the host', () => {
  it('is one page for every screen, with the addresses that it needs', async () => {
    await withPanel({ login_url: '/login' }, async (host) => {
      for (const screen of SCREENS) {
        const { status, headers, text } = await host.raw('GET', PANEL + screen, navigation('ops-1'));
        expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        expect(factsOf(text)).toEqual({
          panel: PANEL,
          api: '/guardrails/api',
          auth: 'session',
          login: '/login',
          position: '0',
        });
        expect(text).not.toMatch(/\.\/assets|<!-- guardrails -->|<base/);
      }
      const head = await host.raw('HEAD', PANEL, navigation('ops-1'));
      expect([head.status, head.text]).toEqual([200, '']);
    });
  });

  it('is behind the entries of the API, in their order and after the middleware of the host', async () => {
    const order: string[] = [];
    const note = (name: string) => (request: Request, _: Response, next: NextFunction) => {
      order.push(`${name} ${request.originalUrl}`);
      next();
    };
    const mounts = [
      mountOf({
        api: { middleware: [note('first'), SessionGuard, note('last')] },
        panel: { enabled: true },
      }),
    ];
    const prepare = (application: { use: (middleware: ReturnType<typeof note>) => unknown }) =>
      void application.use(note('host'));
    await withPanel(
      {},
      async (host) => {
        await host.raw('GET', `${PANEL}/rules`, navigation('ops-1'));
        expect(order).toEqual(['host', 'first', 'last'].map((name) => `${name} ${PANEL}/rules`));
        expect(seen).toMatchObject([{ name: 'guardrails.api.panel', writes: false, bulk: false }]);
        expect(await (seen[0] as { approval: () => Promise<unknown> }).approval()).toBeNull();
      },
      { mounts, prepare },
    );
  });

  it('redirects a browser without a session to panel.login_url, and back to the same page', async () => {
    await withPanel({ login_url: '/login' }, async (host) => {
      const page = `${PANEL}/audit?outcome=blocked&q=a%20b`;
      const returnTo = encodeURIComponent(page);
      for (const call of [
        navigation(),
        { as: null, headers: { accept: 'text/html' } },
        { as: null, headers: { 'sec-fetch-mode': 'navigate' } },
      ]) {
        const { status, headers, text } = await host.raw('GET', page, call);
        expect([status, headers.location, text]).toEqual([303, `/login?return_to=${returnTo}#login`, '']);
        expect(headers['cache-control']).toBe('no-store');
      }
      const absolute = await host.raw('GET', `http://evil.example.com${page}`, navigation());
      expect(absolute.headers.location).toBe(`/login?return_to=${returnTo}#login`);
    });
  });

  it.each([
    ['/login?theme=dark#top', `/login?theme=dark&return_to=%2Fguardrails%2Fpanel#login`],
    ['https://sso.example.com/in', `https://sso.example.com/in?return_to=%2Fguardrails%2Fpanel#login`],
  ])('redirects to %s', async (login_url, location) => {
    await withPanel({ login_url }, async (host) => {
      expect((await host.raw('GET', PANEL, navigation())).headers.location).toBe(location);
    });
  });

  it('shows a page instead of a loop, if the login page redirects back at once', async () => {
    await withPanel({ login_url: '/login' }, async (host) => {
      const [cookie = ''] = (await host.raw('GET', PANEL, navigation())).headers['set-cookie'] ?? [];
      expect(cookie).toMatch(
        /^guardrails_login=1; Path=\/guardrails\/panel; Max-Age=10; HttpOnly; SameSite=Lax$/,
      );
      const mark = cookie.split(';')[0] ?? '';
      const back = await host.raw('GET', PANEL, navigation(undefined, { cookie: mark }));
      expect(back.status).toBe(401);
      expect(back.text).toContain('href="/login?return_to=%2Fguardrails%2Fpanel#login"');
      const loggedIn = await host.raw(
        'GET',
        PANEL,
        navigation(undefined, { cookie: `${mark}; session=ops-1` }),
      );
      expect(loggedIn.status).toBe(200);
    });
  });

  it('explains a refusal on a page, and gives a request id, but no text of the host', async () => {
    const cases = [
      [undefined, 401, 'You are not logged in', /panel\.login_url/],
      ['visitor', 403, 'Your account may not open the panel', /Access is denied/],
      ['hurried', 429, 'Too many requests', /Retry later/],
      ['unlucky', 500, 'The panel cannot be opened', /internal error/],
    ] as const;
    await withPanel({}, async (host) => {
      for (const [session, status, title, words] of cases) {
        const call = navigation(session, { 'x-request-id': 'request-7' });
        const answer = await host.raw('GET', `${PANEL}/audit`, call);
        expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
          status,
          'text/html; charset=utf-8',
          'no-store',
        ]);
        expect(answer.text).toContain(`<h1>${title}</h1>`);
        expect(answer.text).toMatch(words);
        expect(answer.text).toContain('request-7');
        expect(answer.text).not.toMatch(/secret|slow down|<script|schema_version/);
      }
    });
  });

  it('does not redirect authenticated users to the login page', async () => {
    await withPanel({ login_url: '/login' }, async (host) => {
      const answer = await host.raw('GET', PANEL, navigation('visitor'));
      expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
      expect(answer.text).toContain('>Log in</a>');
    });
  });

  it('answers scripts in the envelope', async () => {
    await withPanel({ login_url: '/login' }, async (host) => {
      const call = { as: null, headers: { accept: '*/*', 'sec-fetch-mode': 'cors' } };
      expectError(await host.raw('GET', PANEL, call), 401, 'error', 'unauthenticated');
    });
  });

  it('supports no other method, behind the gate', async () => {
    await withPanel({}, async (host) => {
      const refused = await host.raw('POST', PANEL, { ...navigation('ops-1'), body: { a: 1 } });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(refused.text).toContain('The panel supports GET and HEAD only.');
      expect((await host.raw('POST', PANEL, navigation())).status).toBe(401);
    });
  });
});

describe('the panel with bearer tokens', () => {
  it('is public, contains no data, and does not open the API', async () => {
    await withPanel({ auth: 'bearer' }, async (host) => {
      const page = await host.raw('GET', `${PANEL}/approvals`, navigation());
      expect(page.status).toBe(200);
      expect(factsOf(page.text)).toEqual({ panel: PANEL, api: '/guardrails/api', auth: 'bearer' });
      expect(seen).toEqual([]);
      expect((await host.get('/overview', { as: null })).status).toBe(401);
      const refused = await host.raw('DELETE', PANEL, { as: null });
      expectError(refused, 405, 'error', 'method_not_allowed');
    });
  });
});
