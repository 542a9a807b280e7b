import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { ReceivedBody } from './receive-body.js';
import type { RouteMatch } from './route-match.js';

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const claims = new WeakMap<object, Claim>();

/** What we know of a request that is ours, from before the host parses it until it is answered. */
export class Claim {
  readonly requestId: string;
  /** As the host's application saw it. */
  readonly url: string;
  /** Set by the mount, once everything has arrived. */
  received: ReceivedBody = { kind: 'none' };
  /** Set by the actor guard, on routes that write. */
  actor: Actor | null = null;

  private constructor(
    /** Whose prefix the request is under: there may be several mounts in one application. */
    readonly mount: object,
    readonly match: RouteMatch,
    request: IncomingMessage,
  ) {
    const given = request.headers['x-request-id'];
    this.requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
    this.url = request.url ?? '/';
  }

  static make(mount: object, match: RouteMatch, request: IncomingMessage): Claim {
    const claim = new Claim(mount, match, request);
    claims.set(request, claim);
    return claim;
  }

  static of(request: object): Claim | undefined {
    return claims.get(request);
  }

  /** The claim of a request that is already past the mount. */
  static expect(request: object): Claim {
    const claim = claims.get(request);
    if (claim === undefined) throw new Error('a request reached the admin API without passing its mount');
    return claim;
  }

  /** Names the envelope's schema; errors keep that of the endpoint asked. */
  get endpoint(): string {
    if (this.match.kind === 'route') return this.match.route.endpoint;
    return this.match.kind === 'wrong_verb' ? this.match.endpoint : 'error';
  }

  get params(): Readonly<Record<string, string>> {
    return this.match.kind === 'route' ? this.match.params : {};
  }
}

/** The caller who decided or changed something, derived on the server from the authenticated request. */
export interface Actor {
  readonly id: string;
}
