import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { GuardrailsError } from '#contracts/common/errors.js';
import { ApiRequest } from './api-request.js';

/** The setting `api.allowed_origins`. */
export class AllowedOrigins {
  constructor(readonly list: readonly string[]) {}
}

/**
 * Refuses writes and exports that a page of another origin sent. Credentials do not matter, because a proxy may add
 * them to every request of a browser.
 */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  constructor(private readonly allowed: AllowedOrigins) {}

  canActivate(context: ExecutionContext): boolean {
    const { match } = ApiRequest.of(context);
    if (match.kind !== 'route') return true;
    const { writes, bulk = false } = match.route;
    if (!(writes || bulk) || this.isTrusted(context.switchToHttp().getRequest(), writes)) return true;
    throw new GuardrailsError(
      'forbidden',
      'A page of another origin sent this request. Send it from a page of this origin; the deployer permits further origins with api.allowed_origins.',
    );
  }

  /**
   * Browsers set both headers, and pages cannot change them. Scripts send neither. `Origin` is compared with our host
   * only where `Sec-Fetch-Site` is missing (old browsers, plain HTTP), because a reverse proxy may change `Host`.
   */
  private isTrusted(request: Request, writes: boolean) {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin !== undefined && this.allowed.list.includes(origin)) return true;
    // The browser sends `none` for a user who opens the address of an export.
    if (site !== undefined) return site === 'same-origin' || (site === 'none' && !writes);
    return origin === undefined || isOriginOf(request, origin);
  }
}

/** The scheme is not compared: a proxy may end TLS. */
function isOriginOf({ host }: Request, origin: string) {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: sender } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender && sender !== '';
}
