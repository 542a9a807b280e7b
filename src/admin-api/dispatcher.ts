import type { NextFunction, Request, Response } from 'express';
import { GuardrailsError } from '#contracts/common/errors.js';
import { ApiRequest, type RequestedApproval, type RequestOwner } from '../http/api-request.js';
import type { Panel } from '../panel/panel.js';
import { receiveBody } from '../http/body.guard.js';
import { sendError } from '../http/error.filter.js';
import { isBelow, matchBeside, matchRoute, parentOf, pathOf, type RouteMatch } from '../http/routes.js';

const SETTINGS_BODY_LIMIT = 4 * 1024 * 1024;

export type RequestHandler = (request: Request, response: Response, next: NextFunction) => unknown;

/** Gives the handler of a match, with the guards, pipes, interceptors and filters of the admin API around it. */
export interface HandlerSource extends RequestOwner {
  handlerOf(match: RouteMatch): RequestHandler;
}

/**
 * Takes requests under one prefix and below one panel from Express to their handlers. `receive` runs before the host's body parser,
 * `dispatch` after the host's middleware and before its routes.
 */
export class Dispatcher implements RequestOwner {
  private handlers: HandlerSource | null = null;
  private bodyLimit = 0;

  constructor(
    readonly prefix: string,
    /** `null` while the panel is off. */
    readonly panel: Panel | null,
  ) {}

  /** Before `open` and after `close`, requests are answered with 503. */
  open(handlers: HandlerSource, bodyLimit: number): void {
    this.handlers = handlers;
    this.bodyLimit = bodyLimit;
  }

  close(): void {
    this.handlers = null;
  }

  async approvalOf(params: Readonly<Record<string, string>>): Promise<RequestedApproval | null> {
    return this.handlers === null ? null : this.handlers.approvalOf(params);
  }

  readonly receive = (request: Request, response: Response, next: NextFunction) => {
    const match = this.match(request);
    if (match === undefined || ApiRequest.find(request) !== undefined) return next();
    const apiRequest = ApiRequest.register(this, match, request);
    // The status of the API must never be 304, so clients always get the data.
    if (match.kind !== 'panel') delete request.headers['if-none-match'];
    // Express refuses a path that it cannot decode, before any middleware of the host runs.
    if (!isDecodable(request.url)) request.url = request.url.replaceAll('%', '%25');
    // body-parser 1 (Nest 11.0) fails on a stream that was already read, unless this mark is set.
    Object.assign(request, { _body: true });
    receiveBody(request, this.limitOf(match), (body) => {
      apiRequest.body = body;
      if (body.kind === 'endless') abandonBody(request, response);
      next();
    });
  };

  readonly dispatch = (request: Request, response: Response, next: NextFunction) => {
    const apiRequest = this.find(request);
    if (apiRequest === undefined) return next();
    if (this.handlers === null) return sendError(response, apiRequest, notServing());
    request.url = apiRequest.url;
    request.params = { ...apiRequest.params };
    const { match } = apiRequest;
    if (match.kind === 'panel' && match.requested.isOpen) return match.requested.answer(request, response);
    this.handlers.handlerOf(match)(request, response, next);
  };

  /** Answers errors that the host's middleware throws on requests under the prefix. */
  readonly recover = (error: unknown, request: Request, response: Response, next: NextFunction) => {
    const apiRequest = this.find(request);
    if (apiRequest !== undefined) return sendError(response, apiRequest, error);
    const match = ApiRequest.find(request) === undefined ? this.match(request) : undefined;
    if (match === undefined) return next(error);
    // A body parser that was installed before Nest may fail before `receive` runs. The gate has to run in this case, too.
    ApiRequest.register(this, match, request).body = { kind: 'refused', error };
    this.dispatch(request, response, next);
  };

  private find(request: Request): ApiRequest | undefined {
    const apiRequest = ApiRequest.find(request);
    return apiRequest?.owner === this ? apiRequest : undefined;
  }

  /** `undefined`: the path belongs to the host. */
  private match(request: Request): RouteMatch | undefined {
    const { method, url } = request;
    const path = pathOf(url);
    const requested = this.panel?.find(request, path);
    if (requested !== undefined) return { kind: 'panel', requested };
    const base = `/${this.prefix}`;
    if (isBelow(path, base)) return matchRoute(method, path.slice(base.length));
    const parent = parentOf(base);
    return path.startsWith(`${parent}/`) ? matchBeside(method, path.slice(parent.length)) : undefined;
  }

  private limitOf(match: RouteMatch) {
    if (match.kind !== 'route' || match.route.body === 'none') return 0;
    return match.route.takesSettings === true
      ? Math.max(SETTINGS_BODY_LIMIT, this.bodyLimit)
      : this.bodyLimit;
  }
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

/** The parsers of the host must not wait for the rest of a body that is no longer read. */
function abandonBody(request: Request, response: Response) {
  delete request.headers['content-length'];
  delete request.headers['transfer-encoding'];
  response.setHeader('Connection', 'close');
}

function notServing(): GuardrailsError {
  return new GuardrailsError(
    'store_unavailable',
    'The service is starting or stopping. Retry the request after a few seconds.',
  );
}
