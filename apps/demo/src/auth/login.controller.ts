import { Body, Controller, ForbiddenException, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DemoData } from '../storage/demo-data.js';
import { pageFile } from '../public-folder.js';
import { LoginThrottle } from './login-throttle.js';
import { cookieNamed } from './request-secrets.js';
import { isSameOrigin } from './same-origin.js';
import { sameSecret } from './secrets.js';
import { SESSION_COOKIE, SESSION_LIFETIME_MS, Sessions } from './sessions.js';

/** One password, one operator. */
@Controller()
export class LoginController {
  constructor(
    private readonly data: DemoData,
    private readonly sessions: Sessions,
    private readonly throttle: LoginThrottle,
  ) {}

  @Get('login')
  page(@Res() response: Response): void {
    response.sendFile(pageFile('login.html'));
  }

  @Post('login')
  login(
    @Body() body: { password?: unknown } | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    assertOwnPage(request);
    const address = request.ip ?? '';
    if (!this.throttle.isOpen(address)) return response.redirect(303, '/login#wait');
    const password = body?.password;
    if (typeof password !== 'string' || !sameSecret(password, this.data.credentials.password)) {
      this.throttle.failed(address);
      return response.redirect(303, '/login#wrong');
    }
    this.throttle.succeeded(address);
    response.cookie(SESSION_COOKIE, this.sessions.begin('operator'), {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: request.secure,
      maxAge: SESSION_LIFETIME_MS,
    });
    response.redirect(303, '/');
  }

  @Post('logout')
  logout(@Req() request: Request, @Res() response: Response): void {
    assertOwnPage(request);
    const session = cookieNamed(SESSION_COOKIE, request.headers);
    if (session !== null) this.sessions.end(session);
    response.clearCookie(SESSION_COOKIE, { path: '/' });
    response.redirect(303, '/login');
  }
}

/** Nobody is logged in, or out, by a page of someone else's. */
function assertOwnPage({ headers }: Request): void {
  if (!isSameOrigin(headers)) throw new ForbiddenException('This request did not come from our own page.');
}
