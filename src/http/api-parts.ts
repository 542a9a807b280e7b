import type { Provider } from '@nestjs/common';
import { ApprovalStore } from '../../libs/contracts/src/approvals.store.js';
import { AuditStore } from '../../libs/contracts/src/audit.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import { FirewallStore } from '../../libs/contracts/src/firewall.js';
import { OutputStore } from '../../libs/contracts/src/output.js';
import { SettingsStore } from '../../libs/contracts/src/settings/settings.store.js';
import { ApprovalService } from '../../libs/engine/src/approvals/approval-service.js';
import { SinkAdmin } from '../../libs/engine/src/events/sink-admin.js';
import { Overview } from '../../libs/engine/src/overview/overview.js';
import { Sandbox } from '../../libs/engine/src/sandbox.js';
import { LiveSettings } from '../../libs/engine/src/settings/live-settings.js';
import type { Core } from '../core.js';
import { LiveStreams } from '../events/live-streams.js';
import type { AccessCheck } from './access-check.js';
import { AccessChecks } from './access-gate.js';
import { ActorSource, type ActorResolver } from './actor.guard.js';

/** What the controllers and guards are given, by contract. */
export function apiParts(
  { engine, stores, clock, configuration }: Core,
  checks: readonly AccessCheck[],
  actor: ActorResolver | undefined,
): readonly Provider[] {
  return [
    { provide: AccessChecks, useValue: new AccessChecks(checks) },
    { provide: ActorSource, useValue: new ActorSource(actor) },
    { provide: Clock, useValue: clock },
    { provide: AuditStore, useValue: stores.audit },
    { provide: FirewallStore, useValue: stores.firewall },
    { provide: OutputStore, useValue: stores.output },
    { provide: ApprovalStore, useValue: stores.approvals },
    { provide: SettingsStore, useValue: stores.settings },
    { provide: ApprovalService, useValue: engine.approvals },
    { provide: LiveSettings, useValue: engine.settings },
    { provide: Overview, useValue: engine.overview },
    { provide: SinkAdmin, useValue: engine.events },
    {
      provide: LiveStreams,
      useValue: new LiveStreams(engine.stream, configuration.values['events.max_streams']),
    },
    { provide: Sandbox, useValue: engine.sandbox },
  ];
}
