import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { prepareAnswer } from './answer.js';
import { Claim } from './claim.js';

/** What a handler returns is the `data` of the envelope. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<string> {
    const http = context.switchToHttp();
    const claim = Claim.expect(http.getRequest<object>());
    return next.handle().pipe(map((data) => prepareAnswer(http.getResponse<Response>(), claim, 200, data)));
  }
}
