import { ForbiddenException, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DemoData } from '../storage/demo-data.js';
import { bearerToken, cookieNamed } from './request-secrets.js';
import { isSafe, isSameOrigin } from './same-origin.js';
import { sameSecret } from './secrets.js';
import { SESSION_COOKIE, Sessions } from './sessions.js';
import { USERS, type User } from './user.js';

interface Caller {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Tells who sent a request: a script by its bearer token, a browser by its session. */
@Injectable()
export class Callers {
  constructor(
    private readonly data: DemoData,
    private readonly sessions: Sessions,
  ) {}

  identify({ method, headers }: Caller): User | null {
    const token = bearerToken(headers);
    if (token !== null) return this.holderOf(token);
    const session = cookieNamed(SESSION_COOKIE, headers);
    const user = session === null ? null : this.sessions.userOf(session);
    if (user !== null && !isSafe(method) && !isSameOrigin(headers)) {
      throw new ForbiddenException('This request did not come from a page of this server.');
    }
    return user;
  }

  private holderOf(token: string): User | null {
    const { operatorToken, viewerToken } = this.data.credentials;
    if (sameSecret(token, operatorToken)) return USERS.operator;
    return sameSecret(token, viewerToken) ? USERS.viewer : null;
  }
}
