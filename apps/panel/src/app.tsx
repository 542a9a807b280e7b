import type { ComponentType } from 'preact';
import { lazy, LocationProvider, Route, Router } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { ConnectionError } from '#client/index.js';
import { startLive } from './data/live.js';
import { href, PANEL_PATH } from './data/page.js';
import { Frame } from './layout/frame.js';
import { Rejections } from './screens/approvals/rejections.js';
import { Empty, ErrorBox, Screen } from './ui/screen.js';

const WITHIN_PANEL = new RegExp(`^${PANEL_PATH.replaceAll(/[^\w/]/g, String.raw`\$&`)}(?:[/?#]|$)`);

/** Each screen, by its path below the panel. */
const SCREENS = [
  ['', lazyScreen(() => import('./screens/overview/overview.js'))],
  ['/audit/:id?', lazyScreen(() => import('./screens/audit/audit.js'))],
  ['/approvals', lazyScreen(() => import('./screens/approvals/approvals.js'))],
  ['/approvals/:id', lazyScreen(() => import('./screens/approvals/approval.js'))],
  ['/settings/history', lazyScreen(() => import('./screens/settings/history.js'))],
  ['/settings/:id?', lazyScreen(() => import('./screens/settings/settings.js'))],
  ['/rules', lazyScreen(() => import('./screens/rules/rules.js'))],
  ['/firewall', lazyScreen(() => import('./screens/firewall/firewall.js'))],
  ['/output', lazyScreen(() => import('./screens/output/output.js'))],
  ['/sandbox', lazyScreen(() => import('./screens/sandbox/sandbox.js'))],
  ['/events', lazyScreen(() => import('./screens/events/events.js'))],
  ['/review', lazyScreen(() => import('./screens/review/review.js'))],
  ['/holds', lazyScreen(() => import('./screens/holds/holds.js'))],
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
      <Frame messages={<Rejections />}>
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

type Load = () => Promise<{ readonly default: ComponentType }>;

/** A screen in a file of its own. Where the file cannot be loaded, the error is shown, with another attempt. */
function lazyScreen(load: Load) {
  return lazy(() => load().catch((error: Error) => ({ default: loadedLater(load, error) })));
}

function loadedLater(load: Load, first: Error): ComponentType {
  let Loaded: ComponentType | undefined;
  return function LoadedLater() {
    const [error, setError] = useState(first);
    const [, setLoaded] = useState(false);
    const retry = async () => {
      try {
        Loaded = (await load()).default;
        setLoaded(true);
      } catch (failure) {
        setError(failure as Error);
      }
    };
    useEffect(() => {
      const onOnline = () => void retry();
      addEventListener('online', onOnline);
      return () => removeEventListener('online', onOnline);
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return (
      <Screen title="This screen was not loaded">
        <ErrorBox
          error={navigator.onLine ? new Error(NOT_LOADED) : new ConnectionError(error.message)}
          retry={() => void retry()}
        />
      </Screen>
    );
  };
}

const NOT_LOADED = 'A file of this screen cannot be loaded. The panel may have been updated on the server.';

function NotFound() {
  return (
    <Screen title="No such screen">
      <Empty title="The panel has no screen at this address.">
        <a href={href('/')}>Go to the overview</a>
      </Empty>
    </Screen>
  );
}
