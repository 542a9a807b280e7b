import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Claim } from './claim.js';
import { readJsonBody } from './json-body.js';

/** Parses what the mount has received, now that the gate let the request on. */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { match, received } = Claim.expect(request);
    request.body =
      match.kind === 'route' ? readJsonBody(match.route.body, received, request.headers) : undefined;
    return true;
  }
}
