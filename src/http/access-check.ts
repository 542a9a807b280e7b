import type { CanActivate, ExecutionContext, NestMiddleware } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isObservable, lastValueFrom } from 'rxjs';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';

/** One entry of `api.middleware`, ready to be asked. Resolves to let the request on, and throws to refuse it. */
export type AccessCheck = (context: ExecutionContext) => Promise<void>;

/** Gives the guard or middleware of an entry; anew for each request where it is request-scoped. */
export type Supply = (request: Request) => unknown;

export type MiddlewareFunction = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => unknown;

export function isGuard(candidate: unknown): candidate is CanActivate {
  return typeof (candidate as Partial<CanActivate> | null)?.canActivate === 'function';
}

export function isMiddleware(candidate: unknown): candidate is NestMiddleware<Request, Response> {
  return typeof (candidate as Partial<NestMiddleware> | null)?.use === 'function';
}

export function checkOf(supply: Supply): AccessCheck {
  return async (context) => {
    const entry = await supply(context.switchToHttp().getRequest<Request>());
    if (isGuard(entry)) return askGuard(entry, context);
    if (isMiddleware(entry)) return runFunction(entry.use.bind(entry), context);
    throw new Error('an access entry resolved to neither a guard nor a middleware for this request');
  };
}

export function functionCheck(run: MiddlewareFunction): AccessCheck {
  return (context) => runFunction(run, context);
}

async function askGuard(guard: CanActivate, context: ExecutionContext): Promise<void> {
  const answer = await guard.canActivate(context);
  const admitted = isObservable(answer) ? await lastValueFrom(answer, { defaultValue: false }) : answer;
  if (!admitted) throw new GuardrailsError('forbidden', 'You may not do this.');
}

function runFunction(run: MiddlewareFunction, context: ExecutionContext): Promise<void> {
  const http = context.switchToHttp();
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => {
      if (error) reject(error);
      else resolve();
    };
    const running: unknown = run(http.getRequest(), http.getResponse(), next);
    Promise.resolve(running).catch(reject);
  });
}
