import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../data/resource.js';
import { isSignedOut } from '../data/session.js';
import { errorText } from '../text/errors.js';
import { CopyButton } from './buttons.js';

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

export function ErrorBox({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
}) {
  const { message, nextStep, requestId, retryAfter } = errorText(error);
  const seconds = useSecondsLeft(retryAfter ?? 0, error);
  if (isSignedOut.value) return null;
  return (
    <div class="notice blocked" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      <p>{nextStep}</p>
      <p class="row">
        {retry !== undefined && (
          <button type="button" disabled={seconds > 0} onClick={retry}>
            {seconds > 0 ? `Try again in ${seconds} s` : 'Try again'}
          </button>
        )}
        {requestId !== null && (
          <CopyButton text={requestId} label={`Copy request id ${requestId.slice(0, 8)}…`} />
        )}
      </p>
    </div>
  );
}

/** Shows the data of a resource: what is being loaded, an error, or the data, which stays during a reload. */
export function Loaded<Data>({
  resource,
  lines,
  children,
}: {
  readonly resource: Resource<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { data, error, reload } = resource;
  return (
    <>
      {error !== undefined && <ErrorBox error={error} retry={reload} />}
      {data === undefined ? error === undefined && <Skeleton lines={lines ?? 6} /> : children(data)}
    </>
  );
}

function useSecondsLeft(from: number, since: unknown): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    setLeft(from);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [from, since]);
  return left;
}
