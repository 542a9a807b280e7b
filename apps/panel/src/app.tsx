import { LocationProvider, Route, Router } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { startLive } from './data/live.js';
import { PANEL_PATH } from './data/page.js';
import { Frame } from './layout/frame.js';
import { lazyScreen } from './layout/lazy-screen.js';
import { NotFound } from './screens/not-found.js';

const Overview = lazyScreen(() => import('./screens/overview/overview.js'));
const Audit = lazyScreen(() => import('./screens/audit/audit.js'));
const Approvals = lazyScreen(() => import('./screens/approvals/approvals.js'));
const Approval = lazyScreen(() => import('./screens/approvals/approval.js'));
const Settings = lazyScreen(() => import('./screens/settings/settings.js'));
const Rules = lazyScreen(() => import('./screens/rules/rules.js'));
const Firewall = lazyScreen(() => import('./screens/firewall/firewall.js'));
const Output = lazyScreen(() => import('./screens/output/output.js'));
const Sandbox = lazyScreen(() => import('./screens/sandbox/sandbox.js'));
const Events = lazyScreen(() => import('./screens/events/events.js'));
const Review = lazyScreen(() => import('./screens/review/review.js'));
const Holds = lazyScreen(() => import('./screens/holds/holds.js'));
const SettingsHistory = lazyScreen(() => import('./screens/settings/history.js'));

const WITHIN_PANEL = new RegExp(`^${PANEL_PATH.replaceAll(/[^\w/]/g, String.raw`\$&`)}(?:[/?#]|$)`);

/** Each screen, by its path below the panel. */
const SCREENS = [
  ['', Overview],
  ['/audit/:id?', Audit],
  ['/approvals', Approvals],
  ['/approvals/:id', Approval],
  ['/settings', Settings],
  ['/settings/history', SettingsHistory],
  ['/rules', Rules],
  ['/firewall', Firewall],
  ['/output', Output],
  ['/sandbox', Sandbox],
  ['/events', Events],
  ['/review', Review],
  ['/holds', Holds],
] as const;

/** Loads the screen of the address, so that the first paint has it. */
export async function loadFirstScreen(): Promise<void> {
  const path = location.pathname.slice(PANEL_PATH.length).replace(/\/$/, '');
  const screen = SCREENS.find(([pattern]) => matches(path, pattern))?.[1];
  // If this fails, the router tries again and shows the failure.
  await screen?.preload().catch(() => undefined);
}

function matches(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replace('/:id?', '(/[^/]+)?').replace(':id', '[^/]+')}$`).test(path);
}

export function App() {
  useEffect(startLive, []);
  return (
    <LocationProvider scope={WITHIN_PANEL}>
      <Frame>
        <Router>
          {SCREENS.map(([path, screen]) => (
            <Route key={path} path={PANEL_PATH + path} component={screen} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Frame>
    </LocationProvider>
  );
}
