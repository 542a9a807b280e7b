import type { ErrorCode } from '../../libs/contracts/src/errors.js';

/** The only place of ours that knows HTTP numbers of errors. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  malformed_json: 400,
  unauthenticated: 401,
  forbidden: 403,
  actor_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_decided: 409,
  executing: 409,
  superseded: 409,
  hitl_unavailable: 409,
  self_approval: 409,
  expired: 410,
  stale_settings: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_query: 422,
  invalid_body: 422,
  invalid_settings: 422,
  not_overridable: 422,
  rate_limited: 429,
  store_unavailable: 503,
  query_timeout: 503,
  internal: 500,
};
