import type { ErrorCode, FieldErrors } from '../errors.js';

// The wire, shared with clients. Times are ISO-8601 UTC with milliseconds; spans count UTF-8 bytes.

export interface Envelope<Data> {
  readonly schema_version: string;
  readonly schema: string;
  readonly data: Data;
}

export interface ErrorData {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly request_id: string;
    readonly fields?: FieldErrors;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
