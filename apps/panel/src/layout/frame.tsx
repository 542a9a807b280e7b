/** What surrounds every screen: navigation, top bar, palette, theme, and the notice of an ended session. */
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { serverNow } from '../data/clock.js';
import { brokenSince, isOffline, liveState } from '../data/live.js';
import { sendAll } from '../data/rejections.js';
import { AUTH, href, noteRange, PANEL_PATH, useAddress } from '../data/page.js';
import { actor, forgetToken, isSignedOut } from '../data/session.js';
import { keep, recall } from '../data/storage.js';
import { pendingApprovals, useWaiting } from '../data/waiting.js';
import { duration } from '../text/format.js';
import { Announcer } from '../ui/announcer.js';
import { Button, Icon } from '../ui/controls.js';
import { Dialog, SignedOutNotice } from '../ui/dialog.js';
import { ExactTimes } from '../ui/exact-times.js';
import { PlainText } from '../ui/plain-text.js';
import { Status } from '../ui/values.js';
import { FreezeBar, FreezeButton } from './freeze.js';
import { Palette } from './palette.js';
import { SCREEN_GROUPS, type ScreenEntry, SCREENS } from './screens.js';
import { Shortcuts, useShortcuts } from './shortcuts.js';
import { TimeRange } from './time-range.js';

export function Frame({
  messages,
  children,
}: {
  /** Above every screen and every window. */
  readonly messages: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { open } = useAddress();
  const [shown, show] = useState<'palette' | 'shortcuts' | null>(null);
  useLayoutEffect(noteRange);
  useWaiting();
  useShortcuts({ open, onPalette: () => show('palette'), onHelp: () => show('shortcuts') });
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <TopBar onPalette={() => show('palette')} />
      <main id="main" tabIndex={-1}>
        <SignedOutNotice />
        <FreezeBar />
        {children}
      </main>
      {shown === 'palette' && <Palette onClose={() => show(null)} />}
      {shown === 'shortcuts' && <Shortcuts onClose={() => show(null)} />}
      <Announcer>{messages}</Announcer>
      <ExactTimes />
    </div>
  );
}

/** A rail on the left; on phones a bar at the bottom with the four most used screens and the rest behind More. */
function Navigation() {
  const [isMoreOpen, setMoreOpen] = useState(false);
  return (
    <>
      <nav class="rail" aria-label="Screens">
        <a class="brand" href={href('/')}>
          <Icon name="firewall" />
          <span>Guardrails</span>
        </a>
        {SCREEN_GROUPS.map(({ label, screens }) => (
          <div class="rail-group" key={label}>
            <p class="rail-label">{label}</p>
            <ScreenLinks screens={screens} />
          </div>
        ))}
      </nav>
      <nav class="bottom-bar" aria-label="Screens">
        <ScreenLinks screens={SCREENS.filter(({ isOnPhone }) => isOnPhone)} />
        <Button class="rail-link" onClick={() => setMoreOpen(true)}>
          <Icon name="more" />
          <span>More</span>
        </Button>
      </nav>
      {isMoreOpen && (
        <Dialog title="More screens" onClose={() => setMoreOpen(false)}>
          <div class="more-screens" onClick={() => setMoreOpen(false)}>
            <ScreenLinks screens={SCREENS.filter(({ isOnPhone }) => isOnPhone !== true)} />
          </div>
          <p class="row muted">
            {actor.value !== null && 'You act as'}
            <Account />
          </p>
        </Dialog>
      )}
    </>
  );
}

function ScreenLinks({ screens }: { readonly screens: readonly ScreenEntry[] }) {
  const { screen } = useAddress();
  return screens.map(({ path, label, icon }) => {
    const isOpen = screen === path || (path !== '/' && screen.startsWith(`${path}/`));
    const waiting = path === '/approvals' ? pendingApprovals.value : 0;
    return (
      <a key={path} class="rail-link" href={href(path)} aria-current={isOpen ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{label}</span>
        {waiting > 0 && (
          <span class="badge" aria-label={`, ${waiting} waiting`}>
            {waiting > 99 ? '99+' : waiting}
          </span>
        )}
      </a>
    );
  });
}

function TopBar({ onPalette }: { readonly onPalette: () => void }) {
  const isDark = theme.value === 'dark';
  return (
    <header class="top-bar">
      <Button class="palette-button" onClick={onPalette}>
        <Icon name="search" />
        <span>Go to a screen, an id or a setting</span>
        <kbd>Ctrl K</kbd>
      </Button>
      <TimeRange />
      <FreezeButton />
      <LiveStatus />
      <Account />
      <Button
        class="ghost"
        aria-label={isDark ? 'Use the light theme' : 'Use the dark theme'}
        onClick={toggleTheme}
      >
        <Icon name={isDark ? 'sun' : 'moon'} />
      </Button>
    </header>
  );
}

/** The current user; on phones in the More dialog. A session ends in the host, a token is deleted by the panel. */
function Account() {
  if (isSignedOut.value) return null;
  return (
    <>
      {actor.value !== null && (
        <span class="account" title={`You act as ${actor.value}`}>
          <PlainText text={actor.value} />
        </span>
      )}
      {AUTH === 'bearer' && (
        <Button class="ghost account" onClick={signOut}>
          Log out
        </Button>
      )}
    </>
  );
}

/** Loads the page again, so that no data stays on the screen. */
function signOut(): void {
  sendAll();
  forgetToken();
  location.assign(PANEL_PATH);
}

const LIVE_STATES = {
  live: ['ok', 'live'],
  connecting: ['quiet', 'connecting'],
  polling: ['quiet', 'every 15 s'],
  paused: ['quiet', 'paused'],
} as const;

function LiveStatus() {
  if (isOffline.value) return <Status tone="observed">offline</Status>;
  if (liveState.value === 'retrying') {
    const seconds = (serverNow.value - (brokenSince.value ?? serverNow.value)) / 1000;
    return <Status tone="observed">live lost {duration(seconds)} ago, trying</Status>;
  }
  const [tone, text] = LIVE_STATES[liveState.value];
  return <Status tone={tone}>{text}</Status>;
}

const STORED = 'guardrails.theme';
const preference = matchMedia('(prefers-color-scheme: dark)');
const chosen = signal<string | null>(recall('local', STORED));

/** The system's theme until the operator chooses one. */
const theme = signal<'light' | 'dark'>('light');

const update = (): void => {
  const wanted = chosen.value ?? (preference.matches ? 'dark' : 'light');
  theme.value = wanted === 'dark' ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = theme.value;
};

preference.addEventListener('change', update);
effect(update);

function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  keep('local', STORED, chosen.value);
}
