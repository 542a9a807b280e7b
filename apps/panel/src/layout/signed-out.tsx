import { useEffect, useState } from 'preact/hooks';
import { client, isSignedOut, loginAddress, signedIn, signInWithToken } from '../data/session.js';

/** Shown while the status of the API is 401. The screen below keeps what was typed. */
export function SignedOutNotice({ auth }: { readonly auth: 'session' | 'bearer' }) {
  if (!isSignedOut.value) return null;
  return auth === 'bearer' ? <TokenForm /> : <SessionNotice />;
}

function SessionNotice() {
  const address = loginAddress();
  // The operator may log in on another tab, and then comes back to this one.
  useEffect(() => {
    const check = (): void => void client.call('me').then(signedIn, () => undefined);
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
        <button type="button" onClick={signedIn}>
          I am logged in, go on
        </button>
      </p>
    </div>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const submit = (event: Event): void => {
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
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
          required
        />
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
