import { brokenSince, isOffline, liveState } from '../data/live.js';
import { serverNow } from '../data/clock.js';
import { actor } from '../data/me.js';
import { AUTH, PANEL_PATH } from '../data/page.js';
import { forgetToken, isSignedOut } from '../data/session.js';
import { theme, toggleTheme } from '../data/theme.js';
import { duration } from '../text/format.js';
import { PlainText } from '../ui/plain-text.js';
import { Icon } from '../ui/icon.js';
import { Status } from '../ui/status.js';

export function TopBar({ onPalette }: { readonly onPalette: () => void }) {
  return (
    <header class="top-bar">
      <button type="button" class="palette-button" onClick={onPalette}>
        <Icon name="search" />
        <span>Go to a screen, an id or a setting</span>
        <kbd>Ctrl K</kbd>
      </button>
      <LiveStatus />
      <Account />
      <button
        type="button"
        class="ghost"
        aria-label={theme.value === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        onClick={toggleTheme}
      >
        <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
    </header>
  );
}

/** The current user; on phones in the More dialog. A session ends in the host, a token is deleted by the panel. */
export function Account() {
  if (isSignedOut.value) return null;
  return (
    <>
      {actor.value !== null && (
        <span class="account" title={`You act as ${actor.value}`}>
          <PlainText text={actor.value} />
        </span>
      )}
      {AUTH === 'bearer' && (
        <button type="button" class="ghost" onClick={signOut}>
          Log out
        </button>
      )}
    </>
  );
}

/** Loads the page again, so that no data stays on the screen. */
function signOut(): void {
  forgetToken();
  location.assign(PANEL_PATH);
}

function LiveStatus() {
  if (isOffline.value) return <Status tone="observed">offline</Status>;
  switch (liveState.value) {
    case 'live':
      return <Status tone="ok">live</Status>;
    case 'connecting':
      return <Status tone="quiet">connecting</Status>;
    case 'polling':
      return <Status tone="quiet">every 15 s</Status>;
    case 'paused':
      return <Status tone="quiet">paused</Status>;
    default: {
      const seconds = (serverNow.value - (brokenSince.value ?? serverNow.value)) / 1000;
      return <Status tone="observed">live lost {duration(seconds)} ago, trying</Status>;
    }
  }
}
