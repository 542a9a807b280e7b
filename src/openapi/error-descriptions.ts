import type { ErrorData } from '#contracts/api/api.routes.js';
import type { ErrorCode } from '#contracts/common/errors.js';

interface ErrorDescription {
  /** When the error is sent, as one sentence. */
  readonly when: string;
  /** An example of the error, apart from its code. */
  readonly example: Pick<ErrorData['error'], 'message' | 'fields' | 'details'>;
}

function error(when: string, message: string, facts: Omit<ErrorDescription['example'], 'message'> = {}) {
  return { when, example: { message, ...facts } };
}

export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorCode, ErrorDescription>> = {
  malformed_json: error(
    'The body is not valid JSON, or is nested deeper than 64 levels.',
    'The request body is not valid JSON in UTF-8 of at most 64 levels. Correct it and send it again.',
  ),
  unauthenticated: error(
    'An entry of `api.middleware` could not authenticate the caller.',
    'Authentication is required. Log in, or send valid credentials.',
  ),
  forbidden: error(
    'An entry of `api.middleware` refused the caller, the caller is not in the approver group, or a page of another origin sent a change or an export.',
    'Access is denied. Use an account that is allowed to do this.',
  ),
  actor_required: error(
    'The request changes or exports something, and no actor can be derived from it.',
    'Changes and exports need an actor. The authenticated request has no actor. Let an entry of api.middleware set request.user.id, or configure api.actor.',
  ),
  not_found: error('No entry has this id, token or name.', 'No entry has this id. Take an id from the list.'),
  method_not_allowed: error(
    'The path exists, with another method.',
    'This path does not support this method. Use GET, HEAD.',
  ),
  already_decided: error(
    'The approval was decided by another actor, or differently by the same actor.',
    'This approval was already rejected.',
    { details: { decision: 'rejected', decided_by: 'ops-2', decided_at: '2026-03-31T09:15:02.118Z' } },
  ),
  already_released: error(
    'The hold was released before.',
    'This hold was released before. Nothing was changed.',
    {
      details: { released_by: 'ops-2', released_at: '2026-03-31T09:15:02.118Z' },
    },
  ),
  no_proposal: error(
    'The entry has no match, or its text is not stored as it was screened. `details.reason` names the reason.',
    'No exception can be proposed for this entry, because its text is erased.',
    { details: { reason: 'erased' } },
  ),
  executing: error('The approved call is still running.', 'The approved call is still running.'),
  superseded: error(
    'The tool, its arguments or the policy changed after the call was requested.',
    'The tool, its arguments or the policy changed after the call was requested. The call did not run and must be requested again.',
  ),
  hitl_unavailable: error(
    'Approvals are off, or the tool is not registered.',
    'Approvals are off. Calls can be rejected, but not approved. To approve them, set hitl.enabled.',
  ),
  self_approval: error(
    'The caller is the requester, and the call needs several approvers or four-eyes approval is on.',
    'The requester of a call cannot approve it. Ask another operator.',
  ),
  expired: error(
    'The approval expired before it was decided.',
    'This approval expired before it was decided. The call did not run.',
  ),
  stale_settings: error(
    '`If-Match` does not name the current settings.',
    'The settings changed after they were read. Read them again and repeat the change.',
  ),
  body_too_large: error(
    'The body is larger than this route accepts.',
    'The request body is larger than this route accepts. Send a smaller body, or raise api.body_limit.',
  ),
  unsupported_media_type: error(
    'The body is not JSON.',
    'The request body is not JSON in UTF-8. Send it with Content-Type: application/json and without Content-Encoding.',
  ),
  invalid_query: error(
    'Query parameters are invalid. All of them are named.',
    'Some query parameters are invalid. Correct the parameters listed in fields.',
    { fields: { from: ['must be a date such as 2026-03-31 or 2026-03-31T12:00:00Z'] } },
  ),
  invalid_body: error(
    'Members of the body are invalid. All of them are named.',
    'Some members of the request body are invalid. Correct the members listed in fields.',
    { fields: { reason: ['must have at most 1000 characters'] } },
  ),
  invalid_settings: error(
    'Values do not fit their settings. Nothing is written.',
    'Some settings are invalid. Correct the settings listed in fields.',
    { fields: { 'modes.hitl': ['must be one of enforce, monitor, off'] } },
  ),
  not_overridable: error(
    'Keys cannot be overridden at run time. Nothing is written.',
    'Some keys cannot be overridden. Remove the keys listed in fields.',
    { fields: { 'api.prefix': ['is configuration only and cannot be overridden'] } },
  ),
  rate_limited: error(
    'An entry of `api.middleware` limits the rate, or all live streams or exports of the instance are in use.',
    'Too many requests. Retry later.',
  ),
  store_unavailable: error(
    'The store is unavailable.',
    'The store is unavailable. The request may not have been recorded; retry it.',
  ),
  query_timeout: error(
    'The query exceeded its time limit.',
    'The query took too long: narrow the time range or drop a filter, then try again.',
  ),
  approver_check_failed: error(
    'The host did not answer in time whether the caller belongs to the approver group of the call.',
    'The approver group of this call could not be checked, so nothing was changed. Try again later.',
  ),
  internal: error(
    'Internal error.',
    'The request failed because of an internal error. Search the log of the server for the request id.',
  ),
};
