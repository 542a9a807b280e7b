import { messageOf } from '#contracts/common/errors.js';
import type { CanActivate, ExecutionContext, InjectionToken, NestMiddleware, Type } from '@nestjs/common';
import { ForbiddenException, Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { isObservable, lastValueFrom } from 'rxjs';

/** One entry of `api.middleware`. */
export type AccessEntry =
  | Type<CanActivate | NestMiddleware>
  | CanActivate
  | NestMiddleware
  /** A token whose provider, which may be asynchronous, gives a guard or a middleware. */
  | symbol
  | (abstract new (...args: never[]) => unknown)
  | ((request: never, response: never, next: (error?: unknown) => void) => unknown)
  /** Dropped, so that `isProduction && RateLimit` can be written. */
  | false;

/** A resolved entry. It resolves to admit the request and throws to refuse it. */
export type AccessCheck = (context: ExecutionContext) => Promise<void>;

/** The resolved entries in the order of the list. The boot check refuses an empty list. */
export class AccessChecks {
  constructor(readonly inOrder: readonly AccessCheck[]) {}
}

/** Thrown to end a request to which an entry has already sent a response. */
export class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
}

/** The gate: runs the entries of `api.middleware` on every request, before the request is parsed or validated. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly checks: AccessChecks) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const response = context.switchToHttp().getResponse<Response>();
    const ended = endOf(response);
    for (const check of this.checks.inOrder) {
      const first = await Promise.race([runCheck(check, context, response), ended]);
      if (first === 'ended') throw new AlreadyAnswered();
    }
    return true;
  }
}

/** A response that an entry sent stays as it is, even if the entry throws afterwards. */
async function runCheck(check: AccessCheck, context: ExecutionContext, response: Response) {
  try {
    await check(context);
  } catch (error) {
    throw response.headersSent ? new AlreadyAnswered() : error;
  }
  if (response.headersSent) throw new AlreadyAnswered();
}

/** An entry may respond without calling `next`. */
function endOf(response: Response): Promise<'ended'> {
  return new Promise((resolve) => {
    const end = () => resolve('ended');
    response.once('finish', end).once('close', end);
  });
}

type ResolvedEntry =
  { readonly ok: true; readonly check: AccessCheck } | { readonly ok: false; readonly reason: string };

/** Returns the guard or middleware of an entry; a new one per request if it is request-scoped. */
type InstanceSource = (request: Request) => unknown;

type MiddlewareFunction = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;

/** Looks an entry up in the host's container, or instantiates it. The behaviour of the entry is not inspected. */
export async function resolveEntry(
  entry: unknown,
  index: number,
  modules: ModuleRef,
): Promise<ResolvedEntry> {
  const refuse = (why: string): ResolvedEntry => ({
    ok: false,
    reason: `api.middleware: entry ${index} ${why}`,
  });
  if (entry === undefined)
    return refuse(
      'is undefined. Usually its file imports the file that lists it: move the guard into a file of its own',
    );
  if (entry === null) return refuse('is null: write a literal false to leave an entry out');
  if (typeof entry === 'symbol' || isClass(entry)) {
    try {
      const source = await sourceOf(entry, modules);
      return source === undefined
        ? refuse(`is ${nameOf(entry)}, and no provider gives a guard or a middleware for it`)
        : { ok: true, check: instanceCheck(source) };
    } catch (error) {
      const why = messageOf(error, String(error));
      return refuse(`is ${nameOf(entry)}, which cannot be instantiated: ${why}`);
    }
  }
  if (typeof entry === 'function') {
    return entry.length > 3
      ? refuse('is an error handler with four parameters, which Express would never call for a request')
      : { ok: true, check: (context) => runMiddleware(entry as MiddlewareFunction, context) };
  }
  if (isGuard(entry) || isMiddleware(entry)) return { ok: true, check: instanceCheck(() => entry) };
  return refuse(
    `is ${describe(entry)}: give a guard, a middleware, an injection token, a function or a literal false`,
  );
}

/** `undefined`: the token gives neither a guard nor a middleware. */
async function sourceOf(token: symbol | Type, modules: ModuleRef): Promise<InstanceSource | undefined> {
  const scope = scopeInHost(token, modules);
  if (scope === undefined) return typeof token === 'symbol' ? undefined : instantiate(token, modules);
  if (scope !== Scope.DEFAULT) {
    return (request) => modules.resolve(token, contextIdOf(request, modules), { strict: false });
  }
  const instance: unknown = modules.get(token, { strict: false });
  return isGuard(instance) || isMiddleware(instance) ? () => instance : undefined;
}

function scopeInHost(token: InjectionToken, modules: ModuleRef): Scope | undefined {
  try {
    return modules.introspect(token as Type).scope;
  } catch {
    return undefined;
  }
}

/** For a class that is not a provider of the host. */
async function instantiate(type: Type, modules: ModuleRef): Promise<InstanceSource | undefined> {
  if (!isGuard(type.prototype) && !isMiddleware(type.prototype)) return undefined;
  try {
    const instance: unknown = await modules.create(type);
    return () => instance;
  } catch (error) {
    if ((error as Error).constructor.name !== 'RequestScopedCreateException') throw error;
    return (request) => modules.create(type, contextIdOf(request, modules));
  }
}

function contextIdOf(request: Request, modules: ModuleRef) {
  const contextId = ContextIdFactory.getByRequest(request);
  modules.registerRequestByContextId(request, contextId);
  return contextId;
}

function instanceCheck(source: InstanceSource): AccessCheck {
  return async (context) => {
    const entry = await source(context.switchToHttp().getRequest<Request>());
    if (isGuard(entry)) return runGuard(entry, context);
    if (isMiddleware(entry)) return runMiddleware(entry.use.bind(entry), context);
    throw new Error('An entry of api.middleware resolved to neither a guard nor a middleware.');
  };
}

async function runGuard(guard: CanActivate, context: ExecutionContext) {
  const result = await guard.canActivate(context);
  const isAdmitted = isObservable(result) ? await lastValueFrom(result, { defaultValue: false }) : result;
  if (!isAdmitted) throw new ForbiddenException();
}

function runMiddleware(run: MiddlewareFunction, context: ExecutionContext): Promise<void> {
  const http = context.switchToHttp();
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => {
      if (error) reject(error);
      else resolve();
    };
    const running: unknown = run(http.getRequest(), http.getResponse(), next);
    Promise.resolve(running).catch(reject);
  });
}

function isGuard(candidate: unknown): candidate is CanActivate {
  return typeof (candidate as Partial<CanActivate> | null)?.canActivate === 'function';
}

function isMiddleware(candidate: unknown): candidate is NestMiddleware<Request, Response> {
  return typeof (candidate as Partial<NestMiddleware> | null)?.use === 'function';
}

function isClass(entry: unknown): entry is Type {
  if (typeof entry !== 'function') return false;
  const prototype: unknown = entry.prototype;
  return (
    /^class\b/.test(Function.prototype.toString.call(entry)) || isGuard(prototype) || isMiddleware(prototype)
  );
}

function nameOf(token: symbol | Type) {
  return typeof token === 'symbol' ? `the token ${String(token)}` : `the class ${token.name}`;
}

function describe(entry: unknown) {
  if (typeof entry === 'string') return `the text ${JSON.stringify(entry)}`;
  return Array.isArray(entry) ? 'a list' : `of type ${typeof entry}`;
}
