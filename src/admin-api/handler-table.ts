import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { API_ROUTES, ROUTE_KEYS, type ApiRoute } from '#contracts/api/api.routes.js';
import type { RequestHandler } from './dispatcher.js';
import { DOCUMENT_PATH, parentOf, type RouteMatch } from '../http/routes.js';

/** Collects the handlers that Nest builds from the controllers, instead of an Express router. */
export class HandlerTable extends ExpressAdapter {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly base: string;
  private readonly document: string;
  private readonly notFound: string;
  /** `null`: no panel is served. */
  private readonly panel: string | null;

  constructor(prefix: string, panelPath: string | null) {
    super();
    this.base = `/${prefix}`;
    this.document = `GET ${parentOf(this.base)}${DOCUMENT_PATH}`;
    this.notFound = `ALL ${this.base}/*path`;
    this.panel = panelPath === null ? null : `ALL /${panelPath}`;
  }

  override get(...args: readonly unknown[]) {
    this.collect('GET', args);
  }

  override post(...args: readonly unknown[]) {
    this.collect('POST', args);
  }

  override put(...args: readonly unknown[]) {
    this.collect('PUT', args);
  }

  override all(...args: readonly unknown[]) {
    this.collect('ALL', args);
  }

  /** The interceptor has set status and headers. A handler that streams has ended its response. */
  override reply(response: Response, body: unknown) {
    if (typeof body !== 'string' || response.writableEnded) return;
    // The body is converted to bytes once. Node encodes a string while it is written, which takes several times as long.
    const bytes = Buffer.from(body);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }

  /** Prevents the start if the controllers and the list of routes differ. */
  assertComplete(): void {
    const expected = [
      ...ROUTE_KEYS.map((key) => this.nameOf(API_ROUTES[key])),
      this.document,
      this.notFound,
      ...(this.panel === null ? [] : [this.panel]),
    ];
    const missing = expected.filter((name) => !this.handlers.has(name));
    const unlisted = [...this.handlers.keys()].filter((name) => !expected.includes(name));
    if (missing.length === 0 && unlisted.length === 0) return;
    const lists = [
      missing.length > 0 ? `no controller handles ${missing.join(', ')}` : '',
      unlisted.length > 0 ? `api.routes.ts does not list ${unlisted.join(', ')}` : '',
    ];
    throw new Error(`Controllers and api.routes.ts differ: ${lists.filter(Boolean).join('; ')}.`);
  }

  handlerOf(match: RouteMatch): RequestHandler {
    const name = this.nameOfMatch(match);
    const handler = this.handlers.get(name);
    if (handler === undefined) throw new Error(`No handler is registered for ${name}.`);
    return handler;
  }

  private nameOfMatch(match: RouteMatch) {
    if (match.kind === 'route') return this.nameOf(match.route);
    if (match.kind === 'panel' && this.panel !== null) return this.panel;
    return match.kind === 'document' ? this.document : this.notFound;
  }

  private nameOf({ method, path, beside }: ApiRoute) {
    return `${method} ${beside === true ? parentOf(this.base) : this.base}${path}`;
  }

  private collect(method: string, [path, handler]: readonly unknown[]) {
    this.handlers.set(`${method} ${String(path)}`, handler as RequestHandler);
  }
}
