import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { prepareAnswer, prepareHead } from './answer.js';
import { Claim } from './claim.js';

/** What a handler returns is the `data` of the envelope; the OpenAPI document goes out as it is. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<string> {
    const http = context.switchToHttp();
    const claim = Claim.expect(http.getRequest<object>());
    const response = http.getResponse<Response>();
    if (claim.match.kind === 'document') {
      prepareHead(response, claim, 200);
      return next.handle() as Observable<string>;
    }
    // What streams has written its head, and its envelopes, by the time it returns.
    if (claim.match.kind === 'route' && claim.match.route.streams === true)
      return next.handle() as Observable<string>;
    return next.handle().pipe(map((data) => prepareAnswer(response, claim, 200, data)));
  }
}
