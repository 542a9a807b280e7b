/** Every error code of the API. A filter of the Nest module maps them to HTTP status codes. */
export const ERROR_CODES = [
  'malformed_json',
  'unauthenticated',
  'forbidden',
  'actor_required',
  'not_found',
  'method_not_allowed',
  'already_decided',
  'already_released',
  'already_frozen',
  'already_lifted',
  'self_lift',
  'no_proposal',
  'executing',
  'superseded',
  'hitl_unavailable',
  'self_approval',
  'expired',
  'stale_settings',
  'body_too_large',
  'unsupported_media_type',
  'invalid_query',
  'invalid_body',
  'invalid_settings',
  'not_overridable',
  'rate_limited',
  'store_unavailable',
  'query_timeout',
  'approver_check_failed',
  'internal',
] as const;

/** A code of `GuardrailsError` and of an error response; it never changes its meaning. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Name of a field → its errors, in sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface ErrorFacts {
  readonly fields?: FieldErrors;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error class for callers to catch. `message` is safe for clients: no SQL, no path, no token. */
export class GuardrailsError extends Error {
  override readonly name: string = 'GuardrailsError';
  readonly fields: FieldErrors | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.fields = facts.fields;
    this.details = facts.details;
  }

  /** The transaction may have been committed: a connection that breaks during the commit leaves that open. */
  static storeUnavailable(cause: unknown): GuardrailsError {
    return new GuardrailsError(
      'store_unavailable',
      'The store is unavailable; the request may not have been recorded. Try again later.',
      { cause },
    );
  }

  /** Converts any error of a store. */
  static ofStore(error: unknown): GuardrailsError {
    return error instanceof GuardrailsError ? error : GuardrailsError.storeUnavailable(error);
  }

  static queryTimeout(cause: unknown): GuardrailsError {
    return new GuardrailsError(
      'query_timeout',
      'The query took too long: narrow the time range or drop a filter, then try again.',
      { cause },
    );
  }
}

/** An erasure met a hold. No route of the API erases, so this is for callers in code and the command line. */
export class HeldError extends GuardrailsError {
  override readonly name = 'HeldError';

  constructor(
    readonly holdId: number,
    message: string,
  ) {
    super('forbidden', message, { details: { hold_id: holdId } });
  }
}

/** The message of a thrown value, which need not be an error. */
export function messageOf(error: unknown, otherwise = 'unknown'): string {
  return error instanceof Error ? error.message : otherwise;
}

/** Whether the store cannot be reached at all. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof GuardrailsError && error.code === 'store_unavailable';
}

/** Whether the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof GuardrailsError && error.code === 'query_timeout');
}

/** A configuration that must not run. Boot fails with it; the message lists every reason and the lines to write. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';

  constructor(readonly reasons: readonly string[]) {
    super(`nest-guardrails cannot start:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`);
  }
}

/** The reasons of the ConfigurationError that the call throws. */
export function reasonsOf(call: () => void): readonly string[] {
  try {
    call();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.reasons;
    throw error;
  }
}
