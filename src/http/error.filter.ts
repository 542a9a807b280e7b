import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import type { Request, Response } from 'express';
import { answerError } from './answer-error.js';
import { Claim } from './claim.js';

/** Catches everything on our routes, and on nobody else's. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(http.getResponse<Response>(), Claim.expect(http.getRequest<Request>()), thrown);
  }
}
