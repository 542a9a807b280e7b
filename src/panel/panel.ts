import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { GuardrailsError } from '#contracts/common/errors.js';
import { isBelow, pathOf, queryOf, type PageRefusal, type PanelRequest } from '../http/routes.js';
import type { PanelConfiguration } from './panel.configuration.js';
import { type Asset, PanelFiles, type Place } from './panel-files.js';
import { escapeHtml, loginAddress, refusalPage } from './refusal-page.js';

const ASSETS = '/assets/';

/** Serves the pages and the files of the panel below `panel.path`. */
export class Panel {
  private constructor(
    readonly configuration: PanelConfiguration,
    readonly apiPrefix: string,
    readonly files: PanelFiles,
  ) {}

  /** `null` if the panel is missing from the package. */
  static load(configuration: PanelConfiguration, apiPrefix: string): Panel | null {
    const files = PanelFiles.load();
    return files && new Panel(configuration, apiPrefix, files);
  }

  get path(): string {
    return this.configuration.path;
  }

  /** `undefined`: the path does not belong to the panel. */
  find(request: IncomingMessage, path: string): PanelRequest | undefined {
    const base = `/${this.path}`;
    return isBelow(path, base) ? new RequestedPage(this, request, base, path) : undefined;
  }
}

/** Marks a browser that was sent to the login page, for longer than redirects take and shorter than a login takes. */
const LOGIN_MARK = 'guardrails_login';
const LOGIN_MARK_SECONDS = 10;

class RequestedPage implements PanelRequest {
  readonly isOpen: boolean;
  readonly isNavigation: boolean;
  private readonly asset: string | null;
  private readonly method: string;
  private readonly place: Place;
  /** Path and query of the panel: never another origin. */
  private readonly returnTo: string;
  private readonly wasSentToLogin: boolean;

  constructor(
    private readonly panel: Panel,
    { url = '/', method = 'GET', headers }: IncomingMessage,
    private readonly base: string,
    path: string,
  ) {
    const below = path.slice(base.length);
    this.asset = below.startsWith(ASSETS) ? below.slice(ASSETS.length) : null;
    this.isOpen = this.asset !== null || panel.configuration.auth === 'bearer';
    const accepts = headers.accept?.includes('text/html') === true;
    this.isNavigation = headers['sec-fetch-mode'] === 'navigate' || accepts;
    this.method = method;
    const query = queryOf(url);
    this.place = { path: below, hasQuery: query !== '' };
    this.returnTo = query === '' ? pathOf(url) : `${pathOf(url)}?${query}`;
    this.wasSentToLogin = headers.cookie?.includes(`${LOGIN_MARK}=`) === true;
  }

  answer(request: Request, response: Response, position?: number): void {
    if (this.method !== 'GET' && this.method !== 'HEAD') {
      throw new GuardrailsError('method_not_allowed', 'The panel supports GET and HEAD only.');
    }
    if (this.asset === null) this.sendShell(request, response, position);
    else this.sendAsset(this.panel.files.assets.get(this.asset), request, response);
  }

  refuse(response: Response, { status, message, requestId }: PageRefusal): void {
    const { loginUrl } = this.panel.configuration;
    const address = loginUrl === null ? null : loginAddress(loginUrl, this.returnTo);
    setHead(response, this.csp());
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
    if (status === 401 && address !== null && !this.wasSentToLogin) {
      // A login page that sends its visitor back at once would cause a loop, so the panel sends the visitor there once.
      response.append(
        'Set-Cookie',
        `${LOGIN_MARK}=1; Path=${this.base}; Max-Age=${LOGIN_MARK_SECONDS}; HttpOnly; SameSite=Lax`,
      );
      response.setHeader('Location', address);
      send(response, 303, '');
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    send(
      response,
      status,
      refusalPage({ status, message, requestId, loginAddress: address, links: this.links() }),
    );
  }

  private sendShell(request: Request, response: Response, position: number | undefined) {
    const page = this.shell(position);
    setHead(response, this.csp());
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'private, no-cache');
    // The tag is weak, because the host may compress the page.
    response.setHeader('ETag', `W/"${createHash('sha256').update(page).digest('base64url')}"`);
    response.statusCode = 200;
    if (request.fresh) {
      response.removeHeader('Content-Type');
      response.statusCode = 304;
      response.end();
    } else {
      send(response, 200, page);
    }
  }

  private sendAsset(asset: Asset | undefined, request: Request, response: Response) {
    setHead(response, this.csp());
    if (asset === undefined) {
      response.setHeader('Cache-Control', 'no-store');
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      send(
        response,
        404,
        'The panel has no such file. Refresh the page: a newer version may be installed.\n',
      );
      return;
    }
    const encoding = (['br', 'gzip'] as const).find(
      (name) => asset[name] !== undefined && request.acceptsEncodings(name) === name,
    );
    response.vary('Accept-Encoding');
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', asset.type);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    send(response, 200, (encoding && asset[encoding]) ?? asset.plain);
  }

  private shell(position?: number): string {
    const { auth, loginUrl } = this.panel.configuration;
    const api = `/${this.panel.apiPrefix}`;
    const facts = [
      ['panel', this.base],
      ['api', api],
      ['auth', auth],
      ...(loginUrl === null ? [] : [['login', loginUrl] as const]),
      ...(position === undefined ? [] : [['position', String(position)] as const]),
    ] as const;
    const tags = facts.map(
      ([name, content]) => `<meta name="guardrails-${name}" content="${escapeHtml(content)}">`,
    );
    const { files } = this.panel;
    const more = files.preloads(this.place, this.base, auth === 'session' ? api : null);
    // Browsers load files in the order of the page, so the frame comes first.
    return files.index
      .replaceAll('./assets/', () => this.base + ASSETS)
      .replace('<!-- guardrails -->', () => tags.join('\n    '))
      .replace('</head>', () => `  ${more.join('\n    ')}\n  </head>`);
  }

  /** The icon and the style sheets, for a page without scripts. */
  private links() {
    return (this.shell().match(/<link rel="(?:icon|stylesheet)"[^>]*>/g) ?? []).join('\n    ');
  }

  private csp() {
    const { loginUrl } = this.panel.configuration;
    const login = loginUrl !== null && !loginUrl.startsWith('/') ? ` ${new URL(loginUrl).origin}` : '';
    return CONTENT_SECURITY_POLICY.replace("form-action 'self'", () => `form-action 'self'${login}`);
  }
}

/** Trusted Types without a policy: no script can reach a sink that parses HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Replaces what middleware of the host has set for this response. */
function setHead(response: Response, csp: string) {
  response.removeHeader('Content-Security-Policy-Report-Only');
  response.setHeader('Content-Security-Policy', csp);
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
}

function send(response: Response, status: number, body: string | Buffer) {
  response.statusCode = status;
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
