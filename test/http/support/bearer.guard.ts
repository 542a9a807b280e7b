import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { guardrailsRoute } from '#src/http/api-request.js';

interface Person {
  readonly id?: string;
  readonly role: 'reader' | 'operator' | 'visitor';
}

const PEOPLE: Readonly<Record<string, Person>> = {
  reader: { id: 'reader-1', role: 'reader' },
  operator: { id: 'ops-1', role: 'operator' },
  'second-operator': { id: 'ops-2', role: 'operator' },
  visitor: { id: 'visitor-1', role: 'visitor' },
  nameless: { role: 'operator' },
};

/** A typical guard of a host: bearer tokens, and writes for operators only. */
@Injectable()
export class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: Person }>();
    const person = PEOPLE[request.headers.authorization?.replace(/^Bearer /, '') ?? ''];
    if (person === undefined) throw new UnauthorizedException('no such token');
    if (person.role === 'visitor') throw new ForbiddenException('visitors may not even look');
    if (guardrailsRoute(context)?.writes && person.role !== 'operator') {
      throw new ForbiddenException('readers may not write');
    }
    request.user = person;
    return true;
  }
}
