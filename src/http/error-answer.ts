import { HttpException } from '@nestjs/common';
import type { ErrorData } from '../../libs/contracts/src/api/api.routes.js';
import { GuardrailsError, type ErrorCode } from '../../libs/contracts/src/errors.js';
import { ERROR_STATUS } from './error-status.js';

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { store_unavailable: 5, query_timeout: 1 };

/** What a refusal of the deployer's entries means. Its own message may name users or tokens, and stays inside. */
const REFUSALS: Readonly<Record<number, readonly [code: ErrorCode, message: string]>> = {
  400: ['malformed_json', 'The body cannot be read.'],
  401: ['unauthenticated', 'Authentication is required.'],
  403: ['forbidden', 'You may not do this.'],
  404: ['not_found', 'There is nothing here.'],
  413: ['body_too_large', 'The body is too large.'],
  415: ['unsupported_media_type', 'The body must be JSON in UTF-8.'],
  422: ['invalid_body', 'The body does not fit.'],
  429: ['rate_limited', 'Too many requests: try again later.'],
  503: ['store_unavailable', 'The service is not available now: try again later.'],
};

export interface ErrorAnswer {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly error: Omit<ErrorData['error'], 'request_id'>;
}

export function errorAnswer(thrown: unknown): ErrorAnswer {
  if (thrown instanceof GuardrailsError) {
    const { code, message, fields, details } = thrown;
    return {
      status: ERROR_STATUS[code],
      retryAfter: RETRY_AFTER_SECONDS[code],
      error: { code, message, ...(fields && { fields }), ...(details && { details }) },
    };
  }
  const status = refusalStatus(thrown);
  if (status !== undefined) {
    const [code, message] = REFUSALS[status] ?? (['forbidden', 'This request is refused.'] as const);
    return { status, retryAfter: RETRY_AFTER_SECONDS[code], error: { code, message } };
  }
  return {
    status: ERROR_STATUS.internal,
    retryAfter: undefined,
    error: { code: 'internal', message: 'Something went wrong; the request id leads to it in the log.' },
  };
}

/** 4xx, or a 503, of a Nest exception, or of an error that carries its status as Express's ecosystem does. */
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
