import {
  ForbiddenException,
  HttpException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import type { PanelOptions } from '#src/options/guardrails-api.options.js';
import { guardrailsRoute } from '#src/http/api-request.js';
import { mountOf, TestHost, type HostSetup } from '../support/host.js';
import type { Call } from '../support/client.js';

export const seen: unknown[] = [];

/** A host whose browsers have a session cookie. */
@Injectable()
export class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: object }>();
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
    seen.push(guardrailsRoute(context));
    if (session === undefined) throw new UnauthorizedException('no session in the secret store');
    if (session === 'visitor') throw new ForbiddenException();
    if (session === 'hurried') throw new HttpException('slow down', 429);
    if (session === 'unlucky') throw new Error('the session store is full of secrets');
    request.user = { id: session };
    return true;
  }
}

export const sessionMount = (panel: PanelOptions = {}, prefix = 'guardrails/api') =>
  mountOf({ api: { middleware: [SessionGuard], prefix }, panel: { enabled: true, ...panel } });

export async function withPanel(
  panel: PanelOptions,
  act: (host: TestHost) => Promise<void>,
  setup: HostSetup = {},
): Promise<void> {
  const host = await TestHost.start({ mounts: [sessionMount(panel)], ...setup });
  try {
    await act(host);
  } finally {
    await host.stop();
  }
}

/** What a browser sends when it opens a page. */
export const navigation = (session?: string, more: Readonly<Record<string, string>> = {}): Call => ({
  as: null,
  headers: {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'sec-fetch-mode': 'navigate',
    ...(session !== undefined && { cookie: `session=${session}` }),
    ...more,
  },
});

/** The facts that the server writes into the page. */
export const factsOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<meta name="guardrails-(\w+)" content="([^"]*)">/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  );
