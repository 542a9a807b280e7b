import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from '../data/address.js';
import { AUTH } from '../data/page.js';
import { useWaiting } from '../data/waiting.js';
import { Announcer } from '../ui/announcer.js';
import { ExactTimes } from '../ui/exact-times.js';
import { Navigation } from './navigation.js';
import { Palette } from './palette.js';
import { SignedOutNotice } from './signed-out.js';
import { Shortcuts, useShortcuts } from './shortcuts.js';
import { TopBar } from './top-bar.js';

/** What surrounds every screen: navigation, top bar, palette, and the notice of an ended session. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { screen, open } = useAddress();
  const [shown, show] = useState<'palette' | 'shortcuts' | null>(null);
  useWaiting();
  useShortcuts({ open, onPalette: () => show('palette'), onHelp: () => show('shortcuts') });
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation screen={screen} />
      <TopBar onPalette={() => show('palette')} />
      <main id="main" tabIndex={-1}>
        <SignedOutNotice auth={AUTH} />
        {children}
      </main>
      {shown === 'palette' && <Palette onClose={() => show(null)} />}
      {shown === 'shortcuts' && <Shortcuts onClose={() => show(null)} />}
      <Announcer />
      <ExactTimes />
    </div>
  );
}
