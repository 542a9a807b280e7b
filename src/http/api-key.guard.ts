import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import { ConfigurationError } from '#contracts/common/errors.js';
import { guardrailsRoute, type GuardrailsRoute } from './api-request.js';

/** A viewer reads, an approver also decides about pending calls, an operator may do everything, exports included. */
export type Role = 'viewer' | 'approver' | 'operator';

/**
 * Whether the roles of the caller, `request.user.roles`, allow a route. For guards of hosts: `return permitsByRole(context)`;
 * and as `api.permits`, so that clients disable what is not allowed.
 */
export function permitsByRole(
  context: ExecutionContext,
  route: Pick<GuardrailsRoute, 'name' | 'writes' | 'bulk'> | null = guardrailsRoute(context),
): boolean {
  const { user } = context.switchToHttp().getRequest<{ user?: { readonly roles?: unknown } }>();
  const roles: readonly unknown[] = Array.isArray(user?.roles) ? user.roles : [];
  if (roles.includes('operator')) return true;
  if (route?.bulk === true) return false;
  if (roles.includes('approver') && route?.name.startsWith('guardrails.api.approvals.') === true) return true;
  return (roles.includes('approver') || roles.includes('viewer')) && route?.writes !== true;
}

const VALID_KEY = /^\S{32,}$/;

interface KeyRequest {
  readonly headers: { readonly authorization?: string };
  user?: { readonly id: string; readonly roles: readonly Role[] };
}

/** An entry of `api.middleware` for hosts without a login of their own: `Authorization: Bearer KEY`, and a role per key. */
export class ApiKeyGuard implements CanActivate {
  private readonly users: readonly { readonly digest: Buffer; readonly id: string; readonly role: Role }[];

  /** @param keys by the id that is recorded as the actor */
  constructor(keys: Readonly<Record<string, { readonly key: string | undefined; readonly role: Role }>>) {
    const all = Object.entries(keys);
    const reasons = all.flatMap(([id, { key = '' }]) => {
      if (!VALID_KEY.test(key))
        return `ApiKeyGuard: the key of ${id} needs at least 32 characters and no space: use the output of openssl rand -hex 32`;
      const other = all.find(([name, given]) => given.key === key && name !== id);
      return other === undefined
        ? []
        : `ApiKeyGuard: ${id} and ${other[0]} have the same key: give each its own`;
    });
    if (reasons.length > 0) throw new ConfigurationError(reasons);
    this.users = all.map(([id, { key = '', role }]) => ({
      id,
      role,
      digest: digestOf(key),
    }));
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<KeyRequest>();
    const [, key = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const digest = digestOf(key);
    // Every digest is compared, so that the time does not tell which key is similar.
    const [user] = this.users.filter((each) => timingSafeEqual(each.digest, digest));
    if (user === undefined) throw new UnauthorizedException();
    request.user = { id: user.id, roles: [user.role] };
    return permitsByRole(context);
  }
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
