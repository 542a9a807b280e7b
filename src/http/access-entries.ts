import type { CanActivate, InjectionToken, NestMiddleware, Type } from '@nestjs/common';
import { Scope } from '@nestjs/common';
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import {
  checkOf,
  functionCheck,
  isGuard,
  isMiddleware,
  type AccessCheck,
  type MiddlewareFunction,
  type Supply,
} from './access-check.js';

/** One entry of `api.middleware`. */
export type AccessEntry =
  | Type<CanActivate | NestMiddleware>
  | CanActivate
  | NestMiddleware
  /** A token whose provider, possibly an asynchronous one, gives a guard or a middleware. */
  | symbol
  | (abstract new (...args: never[]) => unknown)
  | ((request: never, response: never, next: (error?: unknown) => void) => unknown)
  /** Dropped, so that `isProduction && RateLimit` can be written. */
  | false;

export type ResolvedEntry =
  { readonly ok: true; readonly check: AccessCheck } | { readonly ok: false; readonly reason: string };

/** Finds what stands behind an entry: in the host's container first, else made with its dependencies. Never looks at what it does. */
export async function resolveEntry(
  entry: unknown,
  index: number,
  modules: ModuleRef,
): Promise<ResolvedEntry> {
  const refuse = (why: string): ResolvedEntry => ({
    ok: false,
    reason: `api.middleware: entry ${index} ${why}`,
  });
  if (entry === undefined) return refuse('is undefined: a circular import?');
  if (entry === null) return refuse('is null');
  if (typeof entry === 'symbol' || isClass(entry)) {
    try {
      const supply = await supplyOf(entry, modules);
      return supply === undefined
        ? refuse(`is ${nameOf(entry)}, and no provider gives a guard or a middleware for it`)
        : { ok: true, check: checkOf(supply) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refuse(`is ${nameOf(entry)}, which cannot be made: ${why}`);
    }
  }
  if (typeof entry === 'function') {
    return entry.length > 3
      ? refuse('is an error handler with four parameters; it would never be asked')
      : { ok: true, check: functionCheck(entry as MiddlewareFunction) };
  }
  if (isGuard(entry) || isMiddleware(entry)) return { ok: true, check: checkOf(() => entry) };
  return refuse(
    `is ${describe(entry)}: give a guard, a middleware, an injection token, a function or a literal false`,
  );
}

/** `undefined`: nothing usable stands behind it. */
async function supplyOf(token: symbol | Type, modules: ModuleRef): Promise<Supply | undefined> {
  const scope = scopeInHost(token, modules);
  if (scope === undefined) return typeof token === 'symbol' ? undefined : supplyOfOwn(token, modules);
  if (scope !== Scope.DEFAULT) return (request) => perRequest(token, request, modules);
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

function perRequest(token: symbol | Type, request: Request, modules: ModuleRef): Promise<unknown> {
  const contextId = ContextIdFactory.getByRequest(request);
  modules.registerRequestByContextId(request, contextId);
  return modules.resolve(token, contextId, { strict: false });
}

async function supplyOfOwn(type: Type, modules: ModuleRef): Promise<Supply | undefined> {
  if (!isGuard(type.prototype) && !isMiddleware(type.prototype)) return undefined;
  try {
    const instance: unknown = await modules.create(type);
    return () => instance;
  } catch (error) {
    if ((error as Error).constructor.name !== 'RequestScopedCreateException') throw error;
    return (request) => {
      const contextId = ContextIdFactory.getByRequest(request);
      modules.registerRequestByContextId(request, contextId);
      return modules.create(type, contextId);
    };
  }
}

function isClass(entry: unknown): entry is Type {
  if (typeof entry !== 'function') return false;
  const prototype: unknown = entry.prototype;
  return (
    /^class\b/.test(Function.prototype.toString.call(entry)) || isGuard(prototype) || isMiddleware(prototype)
  );
}

function nameOf(token: symbol | Type): string {
  return typeof token === 'symbol' ? `the token ${String(token)}` : `the class ${token.name}`;
}

function describe(entry: unknown): string {
  if (typeof entry === 'string') return `the text ${JSON.stringify(entry)}`;
  return Array.isArray(entry) ? 'a list' : `of type ${typeof entry}`;
}
