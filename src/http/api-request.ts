import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import { routeName, type RouteName } from '#contracts/api/api.routes.js';
import type { RouteMatch } from './routes.js';

export type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** A parser that the host runs before Nest refused it. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Reading was stopped before its end, so the connection cannot be reused. */
  | { readonly kind: 'endless' };

/** The caller who decided or changed something, derived on the server from the authenticated request. */
export interface Actor {
  readonly id: string;
}

/** The data of the requested approval that a guard can use. */
export interface RequestedApproval {
  readonly approvalId: number;
  readonly tool: string;
  readonly application: string | null;
  /** Only its members may decide; `null`: every operator who may write. */
  readonly group: string | null;
}

/** The dispatcher that received a request. */
export interface RequestOwner {
  /** The approval that the parameters of a route name; `null` if there is none. */
  approvalOf(params: Readonly<Record<string, string>>): Promise<RequestedApproval | null>;
}

const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const registered = new WeakMap<object, ApiRequest>();

/**
 * A request to the admin API, registered before the host parses it. The gate checks this match, and the dispatcher
 * runs it: middleware of the host that rewrites the URL or the method afterwards changes neither.
 */
export class ApiRequest {
  readonly requestId: string;
  readonly url: string;
  readonly method: string;
  /** Set by the dispatcher once everything has arrived. */
  body: ReceivedBody = { kind: 'none' };
  /** Set by the actor guard on routes that write; on routes that show what the caller may do, if there is one. */
  actor: Actor | null = null;
  /** Names of parameters that had no effect; `data` of the answer has them. */
  ignored: readonly string[] = [];

  private constructor(
    /** The dispatcher whose prefix the request is under: an application may have several. */
    readonly owner: RequestOwner,
    readonly match: RouteMatch,
    request: IncomingMessage,
  ) {
    const given = request.headers['x-request-id'];
    this.requestId = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
    this.url = request.url ?? '/';
    this.method = request.method ?? 'GET';
  }

  static register(owner: RequestOwner, match: RouteMatch, request: IncomingMessage): ApiRequest {
    const apiRequest = new ApiRequest(owner, match, request);
    registered.set(request, apiRequest);
    return apiRequest;
  }

  static find(request: object): ApiRequest | undefined {
    return registered.get(request);
  }

  static of(context: ExecutionContext): ApiRequest {
    return ApiRequest.get(context.switchToHttp().getRequest<object>());
  }

  static get(request: object): ApiRequest {
    const apiRequest = registered.get(request);
    if (apiRequest === undefined) throw new Error('The request was not registered by the dispatcher.');
    return apiRequest;
  }

  /** Names the envelope's schema; an error keeps that of the endpoint that was requested. */
  get endpoint(): string {
    if (this.match.kind === 'route') return this.match.route.endpoint;
    return this.match.kind === 'wrong_verb' ? this.match.endpoint : 'error';
  }

  get params(): Readonly<Record<string, string>> {
    return this.match.kind === 'route' ? this.match.params : {};
  }
}

/** The route of the API that a request is for, as `guardrailsRoute` returns it to guards. */
export interface GuardrailsRoute {
  readonly name: RouteName | 'guardrails.api.openapi' | 'guardrails.api.panel';
  /** Changes something: a right of operators, not of readers. */
  readonly writes: boolean;
  /** Sends many records at once: an export. */
  readonly bulk: boolean;
  /**
   * The approval that the request names by its token or id, read from the store when this is called; `null` if there
   * is none. Rejects if the store is unavailable.
   */
  approval(): Promise<RequestedApproval | null>;
}

class MatchedRoute implements GuardrailsRoute {
  readonly #request: ApiRequest;

  constructor(
    readonly name: GuardrailsRoute['name'],
    readonly writes: boolean,
    readonly bulk: boolean,
    request: ApiRequest,
  ) {
    this.#request = request;
  }

  async approval(): Promise<RequestedApproval | null> {
    const { owner, params } = this.#request;
    return owner.approvalOf(params);
  }
}

/** For a guard of the host: the route that is requested; `null` on routes of the host and on unknown paths. */
export function guardrailsRoute(context: ExecutionContext): GuardrailsRoute | null {
  const request = ApiRequest.find(context.switchToHttp().getRequest<object>());
  const match = request?.match;
  if (request === undefined || match === undefined) return null;
  if (match.kind === 'document') return new MatchedRoute('guardrails.api.openapi', false, false, request);
  if (match.kind === 'panel') return new MatchedRoute('guardrails.api.panel', false, false, request);
  if (match.kind !== 'route') return null;
  const { writes, bulk = false } = match.route;
  return new MatchedRoute(routeName(match.key), writes, bulk, request);
}
