import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { guardrailsRoute } from '#src/index.js';
import { Callers } from './callers.js';
import type { User } from './sessions.js';

/** Guards the API (as the entry of `api.middleware`) and the chat: every user may read, operators may write and export. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly callers: Callers) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: User }>();
    const user = this.callers.identify(request);
    if (user === null) throw new UnauthorizedException('Log in, or send a bearer token.');
    // Two POST routes of the API change nothing, so the method alone is not enough there.
    const route = guardrailsRoute(context);
    const isWrite = route?.writes ?? request.method !== 'GET';
    if ((isWrite || route?.bulk === true) && user.role !== 'operator') {
      throw new ForbiddenException('Only operators may change or export data.');
    }
    request.user = user;
    return true;
  }
}
