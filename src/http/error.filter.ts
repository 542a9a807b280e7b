import { type ArgumentsHost, type ExceptionFilter, Catch, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ErrorData } from '#contracts/api/error.js';
import { GuardrailsError, type ErrorCode } from '#contracts/common/errors.js';
import { AlreadyAnswered } from './access.guard.js';
import { ApiRequest } from './api-request.js';
import { wrap } from './envelope.interceptor.js';
import { ERRORS } from './errors.js';
import type { RouteMatch } from './routes.js';

/** Error code and message for a refusal by the host. The message of the host may contain names or tokens, so it is not sent. */
const REFUSALS: Readonly<Record<number, readonly [code: ErrorCode, message: string]>> = {
  400: ['malformed_json', 'The request body cannot be parsed. Correct its syntax and send it again.'],
  401: ['unauthenticated', 'Authentication is required. Log in, or send valid credentials.'],
  403: ['forbidden', 'Access is denied. Use an account that is allowed to do this.'],
  404: ['not_found', 'This path does not exist. Check the path and its id.'],
  413: ['body_too_large', 'The request body is too large. Send a smaller one.'],
  415: ['unsupported_media_type', 'The request body is not JSON in UTF-8. Send it as application/json.'],
  422: ['invalid_body', 'The request body is invalid. Correct it and send it again.'],
  429: ['rate_limited', 'Too many requests. Retry later.'],
  503: ['store_unavailable', 'The service is unavailable. Retry after a few seconds.'],
};

const INTERNAL_MESSAGE =
  'The request failed because of an internal error. Search the log of the server for the request id.';

interface ErrorResponse {
  readonly status: number;
  readonly error: Omit<ErrorData['error'], 'request_id'>;
}

/** Sends everything that is thrown on routes of the admin API in the envelope. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getResponse<Response>(), ApiRequest.get(http.getRequest<object>()), thrown);
  }
}

const logger = new Logger('Guardrails');

export function sendError(response: Response, request: ApiRequest, thrown: unknown): void {
  if (thrown instanceof AlreadyAnswered) return;
  const { status, error } = errorResponse(thrown);
  if (status >= 500) {
    logger.error(`Request ${request.requestId} failed with ${error.code}.`, traceOf(thrown));
  }
  if (response.headersSent) {
    // A part of the body is sent. Only a broken connection shows the client that it is incomplete.
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (error.code === 'method_not_allowed') response.setHeader('Allow', allowedBy(request.match).join(', '));
  const { match, requestId } = request;
  if (match.kind === 'panel' && match.requested.isNavigation) {
    return match.requested.refuse(response, { status, message: error.message, requestId });
  }
  const data: ErrorData = { error: { ...error, request_id: requestId } };
  const body = wrap(response, request, status, data);
  const retryAfter = ERRORS[error.code].retryAfter;
  if (retryAfter !== undefined && !response.hasHeader('Retry-After'))
    response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

function allowedBy(match: RouteMatch) {
  return match.kind === 'wrong_verb' ? match.allowed : ['GET', 'HEAD'];
}

function errorResponse(thrown: unknown): ErrorResponse {
  if (thrown instanceof GuardrailsError) {
    const { code, message, fields, details } = thrown;
    return {
      status: ERRORS[code].status,
      error: { code, message, ...(fields && { fields }), ...(details && { details }) },
    };
  }
  const status = refusalStatus(thrown);
  if (status === undefined) {
    return { status: ERRORS.internal.status, error: { code: 'internal', message: INTERNAL_MESSAGE } };
  }
  const [code, message] = REFUSALS[status] ?? (['forbidden', 'The host refused this request.'] as const);
  return { status, error: { code, message } };
}

/** The status of a Nest exception, or of an Express error that carries one, if it is 4xx or 503. */
function refusalStatus(thrown: unknown): number | undefined {
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusOn(thrown);
  const isRefusal = Number.isInteger(status) && Number(status) >= 400 && Number(status) < 500;
  return isRefusal || status === 503 ? Number(status) : undefined;
}

function statusOn(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const { status, statusCode } = thrown as { readonly status?: unknown; readonly statusCode?: unknown };
  return status ?? statusCode;
}

function traceOf(thrown: unknown) {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? `\ncaused by ${thrown.cause.stack}` : '';
  return `${thrown.stack}${cause}`;
}
