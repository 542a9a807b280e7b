import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { guardrailsRoute } from '../../../../src/index.js';
import { Callers } from './callers.js';
import type { User } from './user.js';

/** The one entry of `api.middleware`, and the guard of the chat: everyone known may read, operators may write. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly callers: Callers) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: User }>();
    const user = this.callers.identify(request);
    if (user === null) throw new UnauthorizedException('Log in, or send a bearer token.');
    // Two operations of the API are POST and change nothing: only its own routes know. Elsewhere the verb tells.
    const writes = guardrailsRoute(context)?.writes ?? request.method !== 'GET';
    if (writes && user.role !== 'operator') {
      throw new ForbiddenException('Only an operator may change something.');
    }
    request.user = user;
    return true;
  }
}
