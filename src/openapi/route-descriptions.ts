import type { RouteKey } from '../../libs/contracts/src/api/api.routes.js';
import { APPROVAL_HISTORY } from './approval-history.description.js';
import { APPROVALS } from './approvals.description.js';
import { AUDIT } from './audit.description.js';
import { EVENTS_ROUTES } from './events.description.js';
import { FIREWALL } from './firewall.description.js';
import { OUTPUT } from './output.description.js';
import { OVERVIEW } from './overview.description.js';
import type { RouteDescription } from './route-description.js';
import { RULES } from './rules.description.js';
import { SETTINGS } from './settings.description.js';
import { TRY } from './try.description.js';

/** A route that is on the list and not described here does not compile. */
export const ROUTE_DESCRIPTIONS: Readonly<Record<RouteKey, RouteDescription>> = {
  ...OVERVIEW,
  ...AUDIT,
  ...FIREWALL,
  ...RULES,
  ...OUTPUT,
  ...APPROVALS,
  ...APPROVAL_HISTORY,
  ...SETTINGS,
  ...EVENTS_ROUTES,
  ...TRY,
};
