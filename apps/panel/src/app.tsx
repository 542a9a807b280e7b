import { lazy, LocationProvider, Route, Router } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { startLive } from './data/live.js';
import { PANEL_PATH } from './data/page.js';
import { Frame } from './layout/frame.js';
import { NotFound } from './screens/not-found.js';

const Overview = lazy(() => import('./screens/overview/overview.js'));
const Audit = lazy(() => import('./screens/audit/audit.js'));
const Approvals = lazy(() => import('./screens/approvals/approvals.js'));
const Approval = lazy(() => import('./screens/approvals/approval.js'));
const Settings = lazy(() => import('./screens/settings/settings.js'));
const Rules = lazy(() => import('./screens/rules/rules.js'));
const Firewall = lazy(() => import('./screens/firewall/firewall.js'));
const Output = lazy(() => import('./screens/output/output.js'));
const Sandbox = lazy(() => import('./screens/sandbox/sandbox.js'));
const Events = lazy(() => import('./screens/events/events.js'));
const Review = lazy(() => import('./screens/review/review.js'));
const Holds = lazy(() => import('./screens/holds/holds.js'));
const SettingsHistory = lazy(() => import('./screens/settings/history.js'));

const WITHIN_PANEL = new RegExp(`^${PANEL_PATH.replaceAll(/[^\w/]/g, String.raw`\$&`)}(?:[/?#]|$)`);

export function App() {
  useEffect(startLive, []);
  return (
    <LocationProvider scope={WITHIN_PANEL}>
      <Frame>
        <Router>
          <Route path={PANEL_PATH} component={Overview} />
          <Route path={`${PANEL_PATH}/audit/:id?`} component={Audit} />
          <Route path={`${PANEL_PATH}/approvals`} component={Approvals} />
          <Route path={`${PANEL_PATH}/approvals/:id`} component={Approval} />
          <Route path={`${PANEL_PATH}/settings`} component={Settings} />
          <Route path={`${PANEL_PATH}/settings/history`} component={SettingsHistory} />
          <Route path={`${PANEL_PATH}/rules`} component={Rules} />
          <Route path={`${PANEL_PATH}/firewall`} component={Firewall} />
          <Route path={`${PANEL_PATH}/output`} component={Output} />
          <Route path={`${PANEL_PATH}/sandbox`} component={Sandbox} />
          <Route path={`${PANEL_PATH}/events`} component={Events} />
          <Route path={`${PANEL_PATH}/review`} component={Review} />
          <Route path={`${PANEL_PATH}/holds`} component={Holds} />
          <Route default component={NotFound} />
        </Router>
      </Frame>
    </LocationProvider>
  );
}
