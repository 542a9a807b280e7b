import type { ExecutionContext } from '@nestjs/common';
import { API_ROUTES, routeName, type RouteName } from '../../libs/contracts/src/api/api.routes.js';
import { Claim } from './claim.js';

export interface GuardrailsRoute {
  readonly name: RouteName | 'guardrails.api.openapi';
  /** Changes something: an operator's right, not a reader's. */
  readonly writes: boolean;
}

/** For a deployer's guard: which of our routes is asked; `null` for the host's own, and where no route serves the path. */
export function guardrailsRoute(context: ExecutionContext): GuardrailsRoute | null {
  const match = Claim.of(context.switchToHttp().getRequest<object>())?.match;
  if (match?.kind === 'document') return { name: 'guardrails.api.openapi', writes: false };
  return match?.kind === 'route' ? { name: routeName(match.key), writes: match.route.writes } : null;
}

const NAME_SPACE = 'guardrails.api.';

/** `guardrailsUrl('guardrails.api.audit.show', { id: 7 })` → `/guardrails/api/audit/7`. */
export function guardrailsUrl(
  name: RouteName,
  params: Readonly<Record<string, string | number>> = {},
  prefix = 'guardrails/api',
): string {
  const key = name.slice(NAME_SPACE.length);
  if (!Object.hasOwn(API_ROUTES, key)) throw new Error(`There is no route named ${name}.`);
  const { path } = API_ROUTES[key as keyof typeof API_ROUTES];
  const filled = path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = params[parameter];
    if (value === undefined) throw new Error(`The route ${name} needs the parameter ${parameter}.`);
    return encodeURIComponent(value);
  });
  return `/${prefix.replaceAll(/^\/+|\/+$/g, '')}${filled}`;
}
