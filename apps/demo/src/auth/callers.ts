import { ForbiddenException, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { DemoData } from '../storage/demo-data.js';
import { isSameSecret, SESSION_COOKIE, Sessions, USERS, type User } from '../storage/sessions.js';

interface CallerRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Identifies the user of a request: scripts by bearer token, browsers by session cookie. */
@Injectable()
export class Callers {
  constructor(
    private readonly data: DemoData,
    private readonly sessions: Sessions,
  ) {}

  identify({ method, headers }: CallerRequest): User | null {
    const token = bearerToken(headers);
    if (token !== null) return this.tokenOwner(token);
    const session = cookieValue(SESSION_COOKIE, headers);
    const user = session === null ? null : this.sessions.userOf(session);
    if (user !== null && !isSafeMethod(method) && !isSameOrigin(headers)) {
      throw new ForbiddenException('The request was sent by a page of another origin.');
    }
    return user;
  }

  private tokenOwner(token: string): User | null {
    return USERS.find(({ id }) => isSameSecret(token, this.data.credentials[`${id}.token`])) ?? null;
  }
}

export function cookieValue(name: string, { cookie = '' }: IncomingHttpHeaders): string | null {
  const pair = cookie.split('; ').find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
}

function bearerToken({ authorization }: IncomingHttpHeaders) {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether one of our pages sent the request. `SameSite` cookies ignore the port, so another server on this machine is
 * the same site. Pages cannot forge either header: `Origin` is compared where `Sec-Fetch-Site` is missing, and a request
 * without both is rejected.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  return host !== undefined && hostOf(origin) === host;
}

function hostOf(origin: string | undefined) {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}
