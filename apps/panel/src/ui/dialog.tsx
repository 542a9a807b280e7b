/** Windows, and the notice of an ended session, which is shown in an open window, too. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AUTH } from '../data/page.js';
import { client, isSignedOut, loginAddress, signedIn, signInWithToken } from '../data/session.js';
import { moveMessages } from './announcer.js';
import { Button, Icon, typed } from './controls.js';

/** A modal window. The browser keeps the focus inside and returns it afterwards. */
export function Dialog({
  title,
  kind = 'window',
  isBusy = false,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** A `drawer` comes from the side; a `window` stands in the middle. */
  readonly kind?: 'window' | 'drawer';
  /** While an answer is awaited the window stays open, because the answer is shown in it. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isPressedBeside = useRef(false);
  const close = () => {
    if (!isBusy) element.current?.close();
  };
  // The window opens before the next paint, so that the next key press belongs to it.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const { current } = element;
    current?.showModal();
    moveMessages();
    return () => {
      moveMessages(current);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => isBusy && event.preventDefault()}
      onPointerDown={(event) => (isPressedBeside.current = event.target === element.current)}
      onClick={(event) => isPressedBeside.current && event.target === element.current && close()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <Button class="ghost" aria-label="Close" disabled={isBusy} onClick={close}>
            <Icon name="close" />
          </Button>
        </header>
        <SignedOutNotice />
        {children}
      </div>
    </dialog>
  );
}

/** Shown while the status of the API is 401. The screen below keeps what was typed. */
export function SignedOutNotice() {
  if (!isSignedOut.value) return null;
  return AUTH === 'bearer' ? <TokenForm /> : <SessionNotice />;
}

function SessionNotice() {
  const address = loginAddress();
  // The operator may log in on another tab, and then comes back to this one.
  useEffect(() => {
    const check = () => void client.call('me').then(signedIn, () => undefined);
    addEventListener('focus', check);
    return () => removeEventListener('focus', check);
  }, []);
  return (
    <div class="notice observed" role="alert">
      <p>
        <strong>You are no longer logged in.</strong> Your input is kept. Log in in another tab, then go on.
      </p>
      <p class="row">
        {address !== null && (
          <a class="button primary" href={address} target="_blank" rel="noopener">
            Log in in a new tab
          </a>
        )}
        <Button onClick={signedIn}>I am logged in, go on</Button>
      </p>
    </div>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    if (token.trim() !== '') signInWithToken(token.trim(), isKept);
    setToken('');
  };
  return (
    <form class="notice waiting token-form" onSubmit={submit}>
      <p>
        <strong>This API requires a token.</strong> It stays in the memory of this tab and is sent only to the
        API.
      </p>
      <label class="field">
        Access token
        <input type="password" autocomplete="off" value={token} onInput={typed(setToken)} required />
      </label>
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={() => setKept(!isKept)} />
        Keep it until this tab is closed
      </label>
      <button type="submit" class="primary">
        Go on
      </button>
    </form>
  );
}
