import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { scrubText } from '../../libs/contracts/src/text.js';
import { type Actor, Claim } from './claim.js';

/** Who acts, given the authenticated request. Nothing, or an empty id, means nobody. */
export type ActorResolver = (context: ExecutionContext) => ActorAnswer | Promise<ActorAnswer>;

type ActorAnswer = Actor | string | number | null | undefined;

export class ActorSource {
  constructor(readonly resolve: ActorResolver = userOfRequest) {}
}

/** Derives the actor of every route that writes; what a client says about itself is never asked. */
@Injectable()
export class ActorGuard implements CanActivate {
  constructor(private readonly source: ActorSource) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const claim = Claim.expect(context.switchToHttp().getRequest<object>());
    if (claim.match.kind !== 'route' || !claim.match.route.writes) return true;
    claim.actor = actorOf(await this.source.resolve(context));
    if (claim.actor === null) {
      throw new GuardrailsError(
        'actor_required',
        'No actor can be derived from this request: whoever changes something must be known.',
      );
    }
    return true;
  }
}

function actorOf(answer: ActorAnswer): Actor | null {
  const id: unknown = typeof answer === 'object' && answer !== null ? answer.id : answer;
  const isName =
    typeof id === 'string' ? id.trim() !== '' : Number.isSafeInteger(id) || typeof id === 'bigint';
  return isName ? { id: scrubText(String(id)) } : null;
}

function userOfRequest(context: ExecutionContext): ActorAnswer {
  const { user } = context
    .switchToHttp()
    .getRequest<{ user?: { id?: ActorAnswer; sub?: ActorAnswer } | null }>();
  const id = user?.id ?? user?.sub;
  return typeof id === 'object' ? null : id;
}
