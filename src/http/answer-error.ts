import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { ErrorData } from '../../libs/contracts/src/api/api.routes.js';
import { prepareAnswer } from './answer.js';
import { AnsweredByEntry } from './answered-by-entry.js';
import type { Claim } from './claim.js';
import { errorAnswer } from './error-answer.js';

const logger = new Logger('Guardrails');

/** Whatever was thrown, wherever: in our envelope. */
export function answerError(response: ServerResponse, claim: Claim, thrown: unknown): void {
  if (thrown instanceof AnsweredByEntry) return;
  const { status, retryAfter, error } = errorAnswer(thrown);
  if (status >= 500) logger.error(`request ${claim.requestId} failed: ${error.code}`, traceOf(thrown));
  if (response.headersSent) {
    // Half an answer is out: only a broken connection tells the client that it is not a whole one.
    if (!response.writableEnded) response.destroy();
    return;
  }
  const data: ErrorData = { error: { ...error, request_id: claim.requestId } };
  const body = prepareAnswer(response, claim, status, data);
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
  if (error.code === 'method_not_allowed' && claim.match.kind === 'wrong_verb') {
    response.setHeader('Allow', claim.match.allowed.join(', '));
  }
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? `\ncaused by ${thrown.cause.stack}` : '';
  return `${thrown.stack}${cause}`;
}
