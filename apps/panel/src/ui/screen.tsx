/** The parts of every screen: its head, loading, errors with the next step, and the end of a list. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, ConnectionError, type ErrorCode } from '#client/index.js';
import type { Pages, Resource } from '../data/requests.js';
import { isSignedOut } from '../data/session.js';
import { screenTitle } from '../data/waiting.js';
import { Button, CopyButton } from './controls.js';
import { PlainText } from './plain-text.js';

/** The head of a screen with its content. */
export function Screen({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  /** What the screen is for, in a sentence. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    screenTitle.value = title;
  }, [title]);
  return (
    <article class="screen">
      <header class="screen-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="muted">{lead}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
      {children}
    </article>
  );
}

/** Grey lines of the right height. CSS shows them only after 150 ms, so that fast answers do not flicker. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, () => (
        <span />
      ))}
    </div>
  );
}

/** Shows why there is no data and what the operator can do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="muted">{children}</div>}
    </div>
  );
}

/** Why something failed and what to do next; with the fields that the server names, unless the form shows them. */
export function ErrorBox({
  error,
  retry,
  hasFields = false,
}: {
  readonly error: Error | undefined;
  readonly retry?: () => void;
  readonly hasFields?: boolean;
}) {
  const { message, nextStep, requestId, retryAfter } = errorText(error ?? new Error());
  const seconds = useSecondsLeft(retryAfter, error);
  if (error === undefined || isSignedOut.value) return null;
  const fields = hasFields && error instanceof ApiError ? Object.entries(error.fields) : [];
  return (
    <div class="notice blocked" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      <p>{nextStep}</p>
      <p class="row">
        {retry !== undefined && (
          <Button disabled={seconds > 0} onClick={retry}>
            {seconds > 0 ? `Try again in ${seconds} s` : 'Try again'}
          </Button>
        )}
        {requestId !== null && (
          <CopyButton text={requestId} label={`Copy request id ${requestId.slice(0, 8)}…`} />
        )}
      </p>
      {fields.length > 0 && (
        <ul class="field-error stack-s">
          {fields.flatMap(([name, reasons]) =>
            reasons.map((reason) => (
              <li key={`${name} ${reason}`}>
                <code>{name}</code>: <PlainText text={reason} />
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  );
}

/** Shows the data of a resource: what is being loaded, an error, or the data, which stays during a reload. */
export function Loaded<Data>({
  resource: { data, error, reload },
  lines = 6,
  placeholder = <Skeleton lines={lines} />,
  children,
}: {
  readonly resource: Resource<Data>;
  readonly lines?: number;
  readonly placeholder?: ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}) {
  return (
    <>
      <ErrorBox error={error} retry={reload} />
      {data === undefined ? error === undefined && placeholder : children(data)}
    </>
  );
}

/** What follows the rows of a list: an error, what is being loaded, the way to older rows, or why there are none. */
export function ListEnd({
  pages: { items, state, error, more },
  lines,
  older,
  children,
}: {
  readonly pages: Pick<Pages<unknown>, 'items' | 'state' | 'error' | 'more'>;
  readonly lines: number;
  readonly older: string;
  readonly children: ComponentChildren;
}) {
  switch (state) {
    case 'failed':
      return <ErrorBox error={error} retry={more} hasFields />;
    case 'loading':
      return <Skeleton lines={items.length === 0 ? lines : 2} />;
    case 'more':
      return (
        <p>
          <Button onClick={more}>{older}</Button>
        </p>
      );
    case 'end':
      return items.length === 0 && children;
  }
  return state satisfies never;
}

function useSecondsLeft(retryAfter: number | null, since: unknown) {
  const from = retryAfter ?? 0;
  const [left, setLeft] = useState(from);
  useEffect(() => {
    setLeft(from);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [from, since]);
  return left;
}

const OTHER_VERSION = 'Refresh the page; the panel and the server may be of different versions.';

/** What an operator can do about each error of the API. The message of the server is shown before it. */
const NEXT_STEP: Readonly<Record<ErrorCode, string>> = {
  malformed_json: OTHER_VERSION,
  unauthenticated: 'Log in again. Your input is kept.',
  forbidden: 'Your account may not do this. Ask the deployer of the application for the right.',
  actor_required: 'The server cannot identify you. The deployer has to set `api.actor`.',
  not_found: 'It does not exist, or retention has deleted it.',
  method_not_allowed: OTHER_VERSION,
  already_decided: 'You changed nothing; an earlier decision is shown.',
  already_released: 'The hold was released before. Refresh to see by whom.',
  already_frozen: 'The same is frozen already. Close this window to see by whom.',
  already_lifted: 'Somebody else lifted it already.',
  self_lift: 'Ask another operator.',
  no_proposal: 'Nothing that was recorded can be excepted by a phrase.',
  executing: 'The call runs now. Its result appears here.',
  superseded: 'The policy or the arguments changed, so a newer approval replaced this one. Open that one.',
  hitl_unavailable: 'Approvals are off in the settings or cannot be used on this server.',
  self_approval: 'You requested this call. Another operator has to decide it.',
  expired: 'The time to decide is over. The call will not run; it has to be requested again.',
  stale_settings: 'Somebody saved other settings in the meantime. Compare, then save again.',
  body_too_large: 'Send less at once.',
  unsupported_media_type: OTHER_VERSION,
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
  const { message } = error;
  if (error instanceof ApiError) {
    const { code, requestId, retryAfter } = error;
    const nextStep =
      code === null ? 'A proxy or server in front of the API answered. Try again.' : NEXT_STEP[code];
    return { message, nextStep, requestId, retryAfter };
  }
  const none = { requestId: null, retryAfter: null };
  if (!(error instanceof ConnectionError)) return { message, nextStep: 'Refresh the page.', ...none };
  return navigator.onLine
    ? {
        message: 'The server does not answer.',
        nextStep: 'Check that the application runs. Your input is kept.',
        ...none,
      }
    : {
        message: 'You are offline.',
        nextStep: 'The panel continues when the connection is back.',
        ...none,
      };
}
