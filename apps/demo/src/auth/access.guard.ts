import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { guardrailsRoute, type PermissionResolver } from '#src/index.js';
import { Callers } from './callers.js';
import type { User } from '../storage/sessions.js';

interface Asked {
  readonly writes: boolean;
  readonly bulk: boolean;
}

/** Every user may read, and operators may also write and export. */
function mayUse({ role }: User, { writes, bulk }: Asked) {
  return role === 'operator' || !(writes || bulk);
}

/** What GET /me shows: the same rule as the guard's. */
export const permits: PermissionResolver = (context, route) => {
  const { user } = context.switchToHttp().getRequest<{ user?: User }>();
  return user === undefined ? null : mayUse(user, route);
};

/** Guards the API (as the entry of `api.middleware`) and the chat. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly callers: Callers) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: User }>();
    const user = this.callers.identify(request);
    if (user === null) throw new UnauthorizedException('Log in, or send a bearer token.');
    // Two POST routes of the API change nothing, so the method alone is not enough there.
    const route = guardrailsRoute(context);
    const asked = { writes: route?.writes ?? request.method !== 'GET', bulk: route?.bulk === true };
    if (!mayUse(user, asked)) {
      throw new ForbiddenException('Only operators may change or export data.');
    }
    request.user = user;
    return true;
  }
}
