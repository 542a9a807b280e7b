import type { ErrorData } from '../../libs/contracts/src/api/api.routes.js';
import type { ErrorCode } from '../../libs/contracts/src/errors.js';

export interface ErrorDescription {
  /** When it is answered, as one sentence. */
  readonly when: string;
  /** What an answer may look like, apart from its code. */
  readonly example: Pick<ErrorData['error'], 'message' | 'fields' | 'details'>;
}

function error(when: string, message: string, facts: Omit<ErrorDescription['example'], 'message'> = {}) {
  return { when, example: { message, ...facts } };
}

export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorCode, ErrorDescription>> = {
  malformed_json: error('The body does not parse.', 'The request body is not valid JSON in UTF-8.'),
  unauthenticated: error(
    "The deployer's own access check does not know the caller.",
    'Authentication is required.',
  ),
  forbidden: error("The deployer's own access check refuses the caller.", 'You may not do this.'),
  actor_required: error(
    'Something would be written, and nobody can be named as its author.',
    'This request changes something, and nobody is named as its author.',
  ),
  not_found: error('There is nothing of this id or token.', 'There is nothing here.'),
  method_not_allowed: error('The path is served, with another verb.', 'This path does not take this method.'),
  already_decided: error(
    'Somebody decided before, or the same actor decided otherwise.',
    'This approval was already rejected.',
    { details: { decision: 'rejected', decided_by: 'ops-2', decided_at: '2026-03-31T09:15:02.118Z' } },
  ),
  executing: error('The approved call is still running.', 'The approved call is still running.'),
  superseded: error(
    'The tool, its arguments or the policy changed since the call was parked.',
    'The tool, its arguments or the policy changed after the call was parked. It did not run; request it again.',
  ),
  hitl_unavailable: error(
    'The bridge is off, or the tool is not registered.',
    'The HITL bridge is off. Calls cannot be approved, but they can be rejected. Set hitl.enabled.',
  ),
  self_approval: error(
    'Four eyes are asked for, and the caller is the requester.',
    'The requester cannot approve the call under four eyes. Another person has to approve it.',
  ),
  expired: error(
    'Its time was up before it was decided.',
    'This approval expired before it was decided; the call did not run.',
  ),
  stale_settings: error(
    '`If-Match` does not name the current settings.',
    'The settings changed after they were read; nothing was written. Read them again and repeat the change.',
  ),
  body_too_large: error('The body is larger than this route takes.', 'The request body is too large.'),
  unsupported_media_type: error(
    'The body is not JSON.',
    'Send the body as application/json, in UTF-8 and unencoded.',
  ),
  invalid_query: error(
    'A query parameter does not fit; every one that does not is named.',
    'Some query parameters do not fit.',
    {
      fields: { from: ['must be a date such as 2026-03-31 or 2026-03-31T12:00:00Z'] },
    },
  ),
  invalid_body: error(
    'A field of the body does not fit; every one that does not is named.',
    'Some fields do not fit.',
    {
      fields: { reason: ['must have at most 1000 characters'] },
    },
  ),
  invalid_settings: error(
    'A value does not fit its setting; nothing is written.',
    'Some settings do not fit.',
    {
      fields: { 'modes.hitl': ['must be one of enforce, monitor, off'] },
    },
  ),
  not_overridable: error(
    'A key is not open to overrides; nothing is written.',
    'Some keys cannot be overridden.',
    {
      fields: { 'api.prefix': ['is configuration only and cannot be overridden'] },
    },
  ),
  rate_limited: error(
    "The deployer's own access check asks for patience.",
    'Too many requests: try again later.',
  ),
  store_unavailable: error(
    'The store does not answer.',
    'The store is unavailable; the request may not have been recorded. Try again later.',
  ),
  query_timeout: error(
    'The query took longer than it may.',
    'The query took too long: narrow the time range or drop a filter, then try again.',
  ),
  internal: error('A defect of ours.', 'Something went wrong; the request id leads to it in the log.'),
};
