// All controllers with routes of the API. The Nest application serves them, and the OpenAPI document describes them.
// Policy replay is optional: its folder, its lines here, and its route in `API_ROUTES` and `BODIES`, because clients read
// these.
import { ApprovalsController } from '../approvals/approvals.controller.js';
import { AuditExportController } from '../audit/audit-export.controller.js';
import { AuditController } from '../audit/audit.controller.js';
import { EventsController } from '../events/events.controller.js';
import { LiveStreamController } from '../events/live-stream.controller.js';
import { FirewallController } from '../firewall/firewall.controller.js';
import { FreezeController } from '../settings/freeze.controller.js';
import { HoldsController } from '../holds/holds.controller.js';
import { MeController } from '../me/me.controller.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import { OutputController } from '../output/output.controller.js';
import { OverviewController } from '../overview/overview.controller.js';
import { PolicyReplayController } from '../policy-replay/policy-replay.controller.js';
import { RulesController } from '../rules/rules.controller.js';
import { RunsController } from '../runs/runs.controller.js';
import { SettingsController } from '../settings/settings.controller.js';
import { TryController } from '../try/try.controller.js';

export const UNDER_THE_PREFIX = [
  MeController,
  OverviewController,
  AuditController,
  RunsController,
  FirewallController,
  RulesController,
  OutputController,
  ApprovalsController,
  SettingsController,
  FreezeController,
  HoldsController,
  EventsController,
  TryController,
  PolicyReplayController,
];

/** The routes with `beside` in `API_ROUTES`. */
export const BESIDE_THE_PREFIX = [LiveStreamController, MetricsController, AuditExportController];
