import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isActorId } from '#contracts/common/comparison.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { scrubText } from '#contracts/common/text.js';
import { type Actor, ApiRequest } from './api-request.js';

/** Derives the actor from the authenticated request. `null`, `undefined` an empty id, or one with invisible characters means that there is none. */
export type ActorResolver = (context: ExecutionContext) => ResolvedActor | Promise<ResolvedActor>;

type ResolvedActor = Actor | string | number | null | undefined;

export class ActorSource {
  constructor(readonly resolve: ActorResolver = userOfRequest) {}
}

/** Derives the actor on every route that writes or exports, or that shows what the caller may do. An actor in the body, query or headers is ignored. */
@Injectable()
export class ActorGuard implements CanActivate {
  constructor(private readonly source: ActorSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = ApiRequest.of(context);
    if (request.match.kind !== 'route') return true;
    const { writes, bulk, readsActor } = request.match.route;
    const needsActor = writes || bulk === true;
    if (needsActor) request.actor = actorOf(await this.source.resolve(context));
    else if (readsActor === true) request.actor = await this.actorOrNull(context);
    if (needsActor && request.actor === null) {
      throw new GuardrailsError(
        'actor_required',
        'Changes and exports need an actor. The authenticated request has no actor, or one whose id has invisible characters. Let an entry of api.middleware set request.user.id, or configure api.actor.',
      );
    }
    return true;
  }

  /** A reader needs no actor. */
  private async actorOrNull(context: ExecutionContext): Promise<Actor | null> {
    try {
      return actorOf(await this.source.resolve(context));
    } catch {
      return null;
    }
  }
}

function actorOf(resolved: ResolvedActor): Actor | null {
  const id: unknown = typeof resolved === 'object' && resolved !== null ? resolved.id : resolved;
  const isValid = typeof id === 'string' ? isActorId(id) : Number.isSafeInteger(id) || typeof id === 'bigint';
  return isValid ? { id: scrubText(String(id)) } : null;
}

function userOfRequest(context: ExecutionContext): ResolvedActor {
  const { user } = context
    .switchToHttp()
    .getRequest<{ user?: { id?: ResolvedActor; sub?: ResolvedActor } | null }>();
  const id = user?.id ?? user?.sub;
  return typeof id === 'object' ? null : id;
}
