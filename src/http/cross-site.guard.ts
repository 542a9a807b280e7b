import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { GuardrailsError } from '#contracts/errors.js';
import { ApiRequest } from './api-request.js';

/** Refuses writes that a page of another origin sends with the cookie or the password of its visitor. */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { match } = ApiRequest.of(context);
    const request = context.switchToHttp().getRequest<Request>();
    if (match.kind !== 'route' || !match.route.writes || !isCrossSite(request)) return true;
    throw new GuardrailsError(
      'forbidden',
      'A page of another origin sent this change with a cookie. Send it from a page of this origin, or with a token in the Authorization header.',
    );
  }
}

/** Browsers attach these schemes by themselves, like a cookie, once a password was entered. */
const AMBIENT_SCHEME = /^(?:basic|digest|negotiate|ntlm)\b/i;

/**
 * Browsers set both headers, and pages cannot change them. Scripts send neither. `Origin` is compared only where
 * `Sec-Fetch-Site` is missing (old browsers, plain HTTP), because a reverse proxy may change `Host`.
 */
function isCrossSite(request: Request): boolean {
  const { cookie, authorization, origin, 'sec-fetch-site': site } = request.headers;
  const isAmbient = authorization === undefined ? cookie !== undefined : AMBIENT_SCHEME.test(authorization);
  if (!isAmbient) return false;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && !isOriginOf(request, origin);
}

/** The scheme is not compared: a proxy may end TLS. */
function isOriginOf({ host }: Request, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: sender } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender && sender !== '';
}
