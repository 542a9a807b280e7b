/** The errors of the API: status, when each is sent, and an example. The filter answers by this table; the OpenAPI document shows it. */
import type { ErrorData } from '#contracts/api/error.js';
import type { ErrorCode } from '#contracts/common/errors.js';

type Example = Pick<ErrorData['error'], 'message' | 'fields' | 'details'>;

interface ErrorFacts {
  readonly status: number;
  /** When the error is sent, as one sentence. */
  readonly when: string;
  /** An example of the error, apart from its code. */
  readonly example: Example;
  /** Seconds to wait before a retry, unless the host sets another number. */
  readonly retryAfter?: number;
}

type More = Omit<Example, 'message'> & Pick<ErrorFacts, 'retryAfter'>;

function error(
  status: number,
  when: string,
  message: string,
  { retryAfter, ...facts }: More = {},
): ErrorFacts {
  return { status, when, example: { message, ...facts }, ...(retryAfter !== undefined && { retryAfter }) };
}

export const ERRORS: Readonly<Record<ErrorCode, ErrorFacts>> = {
  malformed_json: error(
    400,
    'The body is not valid JSON, or is nested deeper than 64 levels.',
    'The request body is not valid JSON in UTF-8 of at most 64 levels. Correct it and send it again.',
  ),
  unauthenticated: error(
    401,
    'An entry of `api.middleware` could not authenticate the caller.',
    'Authentication is required. Log in, or send valid credentials.',
  ),
  forbidden: error(
    403,
    'An entry of `api.middleware` refused the caller, the caller is not in the approver group, or a page of another origin sent a change or an export.',
    'Access is denied. Use an account that is allowed to do this.',
  ),
  actor_required: error(
    403,
    'The request changes or exports something, and no actor can be derived from it.',
    'Changes and exports need an actor. The authenticated request has no actor. Let an entry of api.middleware set request.user.id, or configure api.actor.',
  ),
  not_found: error(
    404,
    'No entry has this id, token or name.',
    'No entry has this id. Take an id from the list.',
  ),
  method_not_allowed: error(
    405,
    'The path exists, with another method.',
    'This path does not support this method. Use GET, HEAD.',
  ),
  already_decided: error(
    409,
    'The approval was decided by another actor, or differently by the same actor.',
    'This approval was already rejected.',
    { details: { decision: 'rejected', decided_by: 'ops-2', decided_at: '2026-03-31T09:15:02.118Z' } },
  ),
  already_released: error(
    409,
    'The hold was released before.',
    'This hold was released before. Nothing was changed.',
    { details: { released_by: 'ops-2', released_at: '2026-03-31T09:15:02.118Z' } },
  ),
  already_frozen: error(
    409,
    'A freeze of the same scope and name is in force.',
    'Freeze 12 of the same scope is in force. Nothing was changed.',
  ),
  already_lifted: error(
    409,
    'The freeze was lifted before.',
    'This freeze was lifted before. Nothing was changed.',
  ),
  self_lift: error(
    409,
    'The caller set the freeze, and `hitl.four_eyes` is on.',
    'You set this freeze, and with hitl.four_eyes another operator must lift it.',
  ),
  no_proposal: error(
    409,
    'The entry has no match, or its text is not stored as it was screened. `details.reason` names the reason.',
    'No exception can be proposed for this entry, because its text is erased.',
    { details: { reason: 'erased' } },
  ),
  executing: error(409, 'The approved call is still running.', 'The approved call is still running.'),
  superseded: error(
    409,
    'The tool, its arguments or the policy changed after the call was requested.',
    'The tool, its arguments or the policy changed after the call was requested. The call did not run and must be requested again.',
  ),
  hitl_unavailable: error(
    409,
    'Approvals are off, or the tool is not registered.',
    'Approvals are off. Calls can be rejected, but not approved. To approve them, set hitl.enabled.',
  ),
  self_approval: error(
    409,
    'The caller is the requester, and the call needs several approvers or four-eyes approval is on.',
    'The requester of a call cannot approve it. Ask another operator.',
  ),
  expired: error(
    410,
    'The approval expired before it was decided.',
    'This approval expired before it was decided. The call did not run.',
  ),
  stale_settings: error(
    412,
    '`If-Match` does not name the current settings.',
    'The settings changed after they were read. Read them again and repeat the change.',
  ),
  body_too_large: error(
    413,
    'The body is larger than this route accepts.',
    'The request body is larger than this route accepts. Send a smaller body, or raise api.body_limit.',
  ),
  unsupported_media_type: error(
    415,
    'The body is not JSON.',
    'The request body is not JSON in UTF-8. Send it with Content-Type: application/json and without Content-Encoding.',
  ),
  invalid_query: error(
    422,
    'Query parameters are invalid. All of them are named.',
    'Some query parameters are invalid. Correct the parameters listed in fields.',
    { fields: { from: ['must be a date such as 2026-03-31 or 2026-03-31T12:00:00Z'] } },
  ),
  invalid_body: error(
    422,
    'Members of the body are invalid. All of them are named.',
    'Some members of the request body are invalid. Correct the members listed in fields.',
    { fields: { reason: ['must have at most 1000 characters'] } },
  ),
  invalid_settings: error(
    422,
    'Values do not fit their settings. Nothing is written.',
    'Some settings are invalid. Correct the settings listed in fields.',
    { fields: { 'modes.hitl': ['must be one of enforce, monitor, off'] } },
  ),
  not_overridable: error(
    422,
    'Keys cannot be overridden at run time. Nothing is written.',
    'Some keys in fields cannot be overridden; nothing was changed. Remove them, and correct the others.',
    { fields: { 'api.prefix': ['is configuration only and cannot be overridden'] } },
  ),
  rate_limited: error(
    429,
    'An entry of `api.middleware` limits the rate, or all live streams or exports of the instance are in use.',
    'Too many requests. Retry later.',
    { retryAfter: 5 },
  ),
  store_unavailable: error(
    503,
    'The store is unavailable.',
    'The store is unavailable. The request may not have been recorded; retry it.',
    { retryAfter: 5 },
  ),
  query_timeout: error(
    503,
    'The query exceeded its time limit.',
    'The query took too long: narrow the time range or drop a filter, then try again.',
    { retryAfter: 1 },
  ),
  approver_check_failed: error(
    503,
    'The host did not answer in time whether the caller belongs to the approver group of the call.',
    'The approver group of this call could not be checked, so nothing was changed. Try again later.',
    { retryAfter: 5 },
  ),
  internal: error(
    500,
    'Internal error.',
    'The request failed because of an internal error. Search the log of the server for the request id.',
  ),
};
