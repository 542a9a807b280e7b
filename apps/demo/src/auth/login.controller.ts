import { readFileSync } from 'node:fs';
import { Body, Controller, ForbiddenException, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageFile } from './page.controller.js';
import { DemoData } from '../storage/demo-data.js';
import { cookieValue, isSameOrigin } from './callers.js';
import { isSameSecret, SESSION_COOKIE, SESSION_LIFETIME_MS, Sessions, USERS } from '../storage/sessions.js';

const MAX_FAILURES = 5;
const FAILURE_WINDOW_MS = 60_000;

/** Limits password guessing: an address with five failures within a minute is blocked until the minute is over. */
export class LoginThrottle {
  private readonly failures = new Map<string, number[]>();

  constructor(private readonly now: () => number = Date.now) {}

  isOpen(address: string): boolean {
    return this.recentFailures(address).length < MAX_FAILURES;
  }

  recordFailure(address: string): void {
    for (const earlier of this.failures.keys())
      if (this.recentFailures(earlier).length === 0) this.failures.delete(earlier);
    this.failures.set(address, [...this.recentFailures(address), this.now()]);
  }

  recordSuccess(address: string): void {
    this.failures.delete(address);
  }

  private recentFailures(address: string) {
    return (this.failures.get(address) ?? []).filter((at) => this.now() - at < FAILURE_WINDOW_MS);
  }
}

/** A path of this application with its query; `/` for everything else, such as an address of another origin. */
export function ownPath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, BASE)) return '/';
  const { origin, pathname, search } = new URL(path, BASE);
  // The parser leaves `//` of `/.//example.com`, which a browser would read as another host.
  return origin === BASE && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}

const BASE = 'http://demo.invalid';

function loginPath(returnTo: string) {
  return returnTo === '/' ? '/login' : `/login?return_to=${encodeURIComponent(returnTo)}`;
}

/** Login of a user by password. */
@Controller()
export class LoginController {
  constructor(
    private readonly data: DemoData,
    private readonly sessions: Sessions,
    private readonly throttle: LoginThrottle,
  ) {}

  @Get('login')
  page(@Query('return_to') returnTo: unknown, @Res() response: Response): void {
    const page = readFileSync(pageFile('login.html'), 'utf8');
    // The address is encoded, so no character of it has a meaning in HTML.
    const action = `action="${loginPath(ownPath(returnTo))}"`;
    response.type('html').send(page.replace('action="/login"', () => action));
  }

  @Post('login')
  login(
    @Query('return_to') returnTo: unknown,
    @Body() body: { user?: unknown; password?: unknown } | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    assertSameOrigin(request);
    const address = request.ip ?? '';
    const target = ownPath(returnTo);
    if (!this.throttle.isOpen(address)) return response.redirect(303, `${loginPath(target)}#wait`);
    const user = this.userWith(body?.user, body?.password);
    if (user === null) {
      this.throttle.recordFailure(address);
      return response.redirect(303, `${loginPath(target)}#wrong`);
    }
    this.throttle.recordSuccess(address);
    response.cookie(SESSION_COOKIE, this.sessions.begin(user.id), {
      httpOnly: true,
      // With `strict`, the link of a notification would lead to the login page. Writes are checked in `Callers`.
      sameSite: 'lax',
      path: '/',
      secure: request.secure,
      maxAge: SESSION_LIFETIME_MS,
    });
    response.redirect(303, target);
  }

  private userWith(id: unknown, password: unknown) {
    const user = USERS.find((each) => each.id === id);
    if (user === undefined || typeof password !== 'string') return null;
    return isSameSecret(password, this.data.credentials[`${user.id}.password`]) ? user : null;
  }

  @Post('logout')
  logout(@Req() request: Request, @Res() response: Response): void {
    assertSameOrigin(request);
    const session = cookieValue(SESSION_COOKIE, request.headers);
    if (session !== null) this.sessions.end(session);
    response.clearCookie(SESSION_COOKIE, { path: '/' });
    response.redirect(303, '/login');
  }
}

/** Prevents pages of other origins from logging a user in or out. */
function assertSameOrigin({ headers }: Request) {
  if (!isSameOrigin(headers))
    throw new ForbiddenException('The request was sent by a page of another origin.');
}
