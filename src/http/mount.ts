import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { answerError } from './answer-error.js';
import { Claim } from './claim.js';
import { pathOf } from './query/raw-url.js';
import { receiveBody } from './receive-body.js';
import { matchDocument, matchRoute, type RouteMatch } from './route-match.js';

const SETTINGS_BODY_LIMIT = 4 * 1024 * 1024;

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * One mounting of the API in a host. It claims what lies under its prefix before the host parses it, and hands
 * it to our own application before the host routes it; the host's middleware runs in between.
 */
export class Mount {
  private listener: RequestListener | null = null;
  private bodyLimit = 0;

  constructor(
    readonly prefix: string,
    /** The host's global prefix, which is known only once requests arrive. */
    private readonly hostPrefix: () => string,
  ) {}

  /** From here on requests are served; before, and after `close`, they are told to come back. */
  open(listener: RequestListener, bodyLimit: number): void {
    this.listener = listener;
    this.bodyLimit = bodyLimit;
  }

  close(): void {
    this.listener = null;
  }

  readonly claim = (request: Request, response: Response, next: NextFunction): void => {
    const match = this.match(request);
    if (match === undefined || Claim.of(request) !== undefined) return next();
    const claim = Claim.make(this, match, request);
    // Answers of ours are always whole: nothing of ours is ever "not modified".
    delete request.headers['if-none-match'];
    receiveBody(request, this.limitOf(claim.match), (received) => {
      claim.received = received;
      if (received.kind === 'endless') abandonBody(request, response);
      next();
    });
  };

  readonly dispatch = (request: Request, response: Response, next: NextFunction): void => {
    const claim = this.claimOn(request);
    if (claim === undefined) return next();
    if (this.listener === null) return answerError(response, claim, notServing());
    request.url = `/${this.prefix}${innerPath(claim.match)}`;
    this.listener(request, response);
  };

  /** What the host's own middleware throws on a request of ours. */
  readonly recover = (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    const claim = this.claimOn(request);
    if (claim !== undefined) return answerError(response, claim, error);
    const match = Claim.of(request) === undefined ? this.match(request) : undefined;
    if (match === undefined) return next(error);
    // A host whose own server parses before Nest does may fail before our claim. The gate is asked all the same.
    Claim.make(this, match, request).received = { kind: 'refused', error };
    this.dispatch(request, response, next);
  };

  private claimOn(request: Request): Claim | undefined {
    const claim = Claim.of(request);
    return claim?.mount === this ? claim : undefined;
  }

  /** `undefined`: not ours, but the host's. */
  private match({ method, url }: Request): RouteMatch | undefined {
    const path = pathOf(url);
    const host = this.hostPrefix();
    const bases = host === '' ? [`/${this.prefix}`] : [`/${this.prefix}`, `/${host}/${this.prefix}`];
    if (bases.some((base) => path === documentPath(base))) return matchDocument(method);
    const base = bases.find((candidate) => path === candidate || path.startsWith(`${candidate}/`));
    return base === undefined ? undefined : matchRoute(method, path.slice(base.length));
  }

  private limitOf(match: RouteMatch): number {
    if (match.kind !== 'route' || match.route.body === 'none') return 0;
    return match.key === 'settings.update' ? Math.max(SETTINGS_BODY_LIMIT, this.bodyLimit) : this.bodyLimit;
  }
}

/** A path that our own router is sure to understand: parameters travel in the claim. */
function innerPath(match: RouteMatch): string {
  if (match.kind === 'document') return '/openapi.json';
  return match.kind === 'route' ? match.route.path.replaceAll(/:\w+/g, '-') : '/-';
}

/** `/guardrails/api` → `/guardrails/openapi.json` */
function documentPath(base: string): string {
  return base.replace(/\/api$/, '/openapi.json');
}

/** Parsers behind us must not wait for the rest of a body that we stopped reading. */
function abandonBody(request: Request, response: Response): void {
  delete request.headers['content-length'];
  delete request.headers['transfer-encoding'];
  response.setHeader('Connection', 'close');
}

function notServing(): GuardrailsError {
  return new GuardrailsError('store_unavailable', 'The service is starting or stopping: try again.');
}
