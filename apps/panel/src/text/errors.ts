import { ApiError, ConnectionError, type ErrorCode } from '#client/index.js';

/** What an operator can do about each error of the API. The message of the server is shown before it. */
const NEXT_STEP: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'Reload the page; the panel and the server may be of different versions.',
  unauthenticated: 'Log in again. Your input is kept.',
  forbidden: 'Your account may not do this. Ask the deployer of the application for the right.',
  actor_required: 'The server cannot identify you. The deployer has to set `api.actor`.',
  not_found: 'It does not exist, or retention has deleted it.',
  method_not_allowed: 'Reload the page; the panel and the server may be of different versions.',
  already_decided: 'You changed nothing; an earlier decision is shown.',
  already_released: 'The hold was released before. Reload to see by whom.',
  no_proposal: 'Nothing that was recorded can be excepted by a phrase.',
  executing: 'The call runs now. Its result appears here.',
  superseded: 'The policy or the arguments changed, so a newer approval replaced this one. Open that one.',
  hitl_unavailable: 'Approvals are off in the settings or cannot be used on this server.',
  self_approval: 'You requested this call. Another operator has to decide it.',
  expired: 'The time to decide is over. The call will not run; it has to be requested again.',
  stale_settings: 'Somebody saved other settings in the meantime. Compare, then save again.',
  body_too_large: 'Send less at once.',
  unsupported_media_type: 'Reload the page; the panel and the server may be of different versions.',
  invalid_query: 'Correct the filters, or reset them.',
  invalid_body: 'Correct the marked fields.',
  invalid_settings: 'Correct the marked settings. Nothing was saved.',
  not_overridable: 'This setting can be changed only in the configuration of the application.',
  rate_limited: 'Wait a moment, then try again.',
  store_unavailable: 'The database cannot be reached. Try again in a moment.',
  query_timeout: 'Choose a narrower time range or fewer filters.',
  approver_check_failed: 'The check of approvers failed on the server. Its log has the reason.',
  internal: 'The log of the server has the reason, under the request id.',
};

interface ErrorText {
  readonly message: string;
  readonly nextStep: string;
  readonly requestId: string | null;
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | null;
}

export function errorText(error: Error): ErrorText {
  if (error instanceof ApiError) {
    return {
      message: error.message,
      nextStep:
        error.code === null
          ? 'A proxy or server in front of the API answered. Try again.'
          : NEXT_STEP[error.code],
      requestId: error.requestId,
      retryAfter: error.retryAfter,
    };
  }
  if (error instanceof ConnectionError) {
    return {
      message: navigator.onLine ? 'The server does not answer.' : 'You are offline.',
      nextStep: navigator.onLine
        ? 'Check that the application runs. Your input is kept.'
        : 'The panel continues when the connection is back.',
      requestId: null,
      retryAfter: null,
    };
  }
  return { message: error.message, nextStep: 'Reload the page.', requestId: null, retryAfter: null };
}
