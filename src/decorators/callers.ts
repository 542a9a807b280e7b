import type { ExecutionContext } from '@nestjs/common';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { RunContext } from '#contracts/screening/screening.js';
import type { PrincipalResolver } from '../options/guardrails-api.options.js';
import { refusal } from './refusal.js';

/** For whom decorated handlers run. */
export class Callers {
  /** The callers by HTTP request, because a handler can have several decorators. */
  private readonly known = new WeakMap<object, Promise<RunContext>>();

  constructor(
    private readonly resolve: PrincipalResolver | undefined,
    /** Whether refusals have the id of their entry: `refusals.details`. */
    readonly showsDetails: boolean,
  ) {}

  /** @throws ConfigurationError at boot, where a decorator needs the resolver. */
  assertResolver(): void {
    if (this.resolve !== undefined) return;
    throw new ConfigurationError([
      'a handler is guarded by a decorator, but forRoot() has no principal: write principal: (context) => context.switchToHttp().getRequest().user?.id, or principal: () => null where every caller is anonymous',
    ]);
  }

  /** @throws the transport's exception where the caller is not authenticated. */
  contextOf(context: ExecutionContext): Promise<RunContext> {
    // In other transports one object may serve several callers, so the result is kept for HTTP only.
    if (context.getType() !== 'http') return this.resolved(context);
    const request = context.switchToHttp().getRequest<object>();
    const caller = this.known.get(request) ?? this.resolved(context);
    this.known.set(request, caller);
    return caller;
  }

  private async resolved(context: ExecutionContext): Promise<RunContext> {
    const resolved = await this.resolve?.(context);
    const { principalId, ...facts } =
      typeof resolved === 'object' && resolved !== null ? resolved : { principalId: resolved };
    if (principalId === null) return facts;
    // A safe integer is an id. NaN, such as `Number(undefined)`, is none.
    const id = Number.isSafeInteger(principalId) ? String(principalId) : principalId;
    if (typeof id !== 'string' || id.trim() === '')
      throw await refusal(context, { code: 'unauthenticated', message: 'Authentication is required.' });
    return { ...facts, principalId: id };
  }
}
