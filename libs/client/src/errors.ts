import { ERROR_CODES, type ErrorCode, type FieldErrors } from '#contracts/common/errors.js';
import type { Envelope } from '#contracts/api/api.routes.js';
import type { ErrorData } from '#contracts/api/error.js';

/** The API, or something before it, answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** `null` if neither the answer nor its status names one, for example behind a proxy. */
  readonly code: ErrorCode | null;
  readonly status: number;
  readonly requestId: string | null;
  readonly fields: FieldErrors;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before the next attempt, if the server names them. */
  readonly retryAfter: number | null;

  constructor(message: string, facts: Omit<ApiError, keyof Error>) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.fields = facts.fields;
    this.details = facts.details;
    this.retryAfter = facts.retryAfter;
  }

  static async of(response: Response): Promise<ApiError> {
    const error = await errorOf(response);
    return new ApiError(error?.message ?? `The server answered ${response.status}.`, {
      code: codeOf(error?.code) ?? CODE_OF_STATUS[response.status] ?? null,
      status: response.status,
      requestId: error?.request_id ?? response.headers.get('x-request-id'),
      fields: error?.fields ?? {},
      details: error?.details ?? {},
      retryAfter: secondsOf(response.headers.get('retry-after')),
    });
  }
}

/**
 * Hosts that protect the API with a login redirect to its page, or answer with it. Returns `null` for other answers. A
 * browser does not show the status of a redirect: it is 0.
 */
export function loginPageError(response: Response): ApiError | null {
  const { status, type, headers } = response;
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const isPage = response.ok && /^text\/html\b/i.test(headers.get('content-type') ?? '');
  if (!isRedirect && !isPage) return null;
  return new ApiError(
    `The server answered with ${isPage ? 'a page' : 'a redirect'} instead of data, as for callers who are not logged in. Log in, or check the URL.`,
    { code: 'unauthenticated', status, requestId: null, fields: {}, details: {}, retryAfter: null },
  );
}

/** No answer arrived: the server cannot be reached, or took too long. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A guard of the host may answer without an envelope. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'body_too_large',
  429: 'rate_limited',
};

async function errorOf(response: Response): Promise<Partial<ErrorData['error']> | undefined> {
  const body: unknown = await response.json().catch(() => null);
  return (body as Partial<Envelope<Partial<ErrorData> | null>> | null)?.data?.error;
}

function codeOf(code: string | undefined): ErrorCode | undefined {
  return ERROR_CODES.find((each) => each === code);
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
