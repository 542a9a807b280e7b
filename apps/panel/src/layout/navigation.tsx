import { useState } from 'preact/hooks';
import { actor } from '../data/me.js';
import { href } from '../data/page.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { pendingApprovals } from '../data/waiting.js';
import { Account } from './top-bar.js';
import { isWithin, SCREEN_GROUPS, SCREENS, type ScreenEntry } from './screens.js';

/** A rail on the left; on phones a bar at the bottom with the four most used screens and the rest behind More. */
export function Navigation({ screen }: { readonly screen: string }) {
  const [isMoreOpen, setMoreOpen] = useState(false);
  const behindMore = SCREENS.filter(({ isOnPhone }) => isOnPhone !== true);
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
            {screens.map((entry) => (
              <ScreenLink key={entry.path} entry={entry} screen={screen} />
            ))}
          </div>
        ))}
      </nav>
      <nav class="bottom-bar" aria-label="Screens">
        {SCREENS.filter(({ isOnPhone }) => isOnPhone).map((entry) => (
          <ScreenLink key={entry.path} entry={entry} screen={screen} />
        ))}
        {behindMore.length > 0 && (
          <button type="button" class="rail-link" onClick={() => setMoreOpen(true)}>
            <Icon name="more" />
            <span>More</span>
          </button>
        )}
      </nav>
      {isMoreOpen && (
        <Dialog title="More screens" onClose={() => setMoreOpen(false)}>
          <div class="more-screens" onClick={() => setMoreOpen(false)}>
            {behindMore.map((entry) => (
              <ScreenLink key={entry.path} entry={entry} screen={screen} />
            ))}
          </div>
          <p class="more-account">
            {actor.value !== null && 'You act as'}
            <Account />
          </p>
        </Dialog>
      )}
    </>
  );
}

function ScreenLink({ entry, screen }: { readonly entry: ScreenEntry; readonly screen: string }) {
  const { path, label, icon } = entry;
  const waiting = path === '/approvals' ? pendingApprovals.value : 0;
  return (
    <a class="rail-link" href={href(path)} aria-current={isWithin(screen, path) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {waiting > 0 && (
        <span class="badge" aria-label={`, ${waiting} waiting`}>
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
    </a>
  );
}
