import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AccessCheck } from './access-check.js';
import { AnsweredByEntry } from './answered-by-entry.js';
import { Claim } from './claim.js';

/** The deployer's checks, in the deployer's order. Never empty: the boot check saw to that. */
export class AccessChecks {
  constructor(readonly inOrder: readonly AccessCheck[]) {}
}

/** Asks every check on every request under the prefix, before anything of ours looks at it. */
@Injectable()
export class AccessGate implements CanActivate {
  constructor(private readonly checks: AccessChecks) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    showAsAsked(http.getRequest<Request>());
    const answered = endOf(response);
    for (const check of this.checks.inOrder) {
      const first = await Promise.race([admitted(check, context, response), answered]);
      if (first === 'answered') throw new AnsweredByEntry();
    }
    return true;
  }
}

/** What an entry has answered stays its answer, whatever it returns or throws afterwards. */
async function admitted(check: AccessCheck, context: ExecutionContext, response: Response): Promise<void> {
  try {
    await check(context);
  } catch (error) {
    throw response.headersSent ? new AnsweredByEntry() : error;
  }
  if (response.headersSent) throw new AnsweredByEntry();
}

/** An entry may answer and never call back. */
function endOf(response: Response): Promise<'answered'> {
  return new Promise((resolve) => {
    const ended = (): void => resolve('answered');
    response.once('finish', ended).once('close', ended);
  });
}

/** Entries see the URL and the parameters of the request, not those that lead to our handlers. */
function showAsAsked(request: Request): void {
  const claim = Claim.expect(request);
  request.url = claim.url;
  request.params = { ...claim.params };
}
