import type { Settings } from '../../contracts/src/settings/settings.js';
import { approvalKeys, createApprovals, notifierSinks } from './approvals/create-approvals.js';
import { AuditTrail } from './audit/audit-trail.js';
import { DecisionBuffer } from './audit/decision-buffer.js';
import { Hygiene } from './audit/hygiene.js';
import { assertControlNames } from './control-names.js';
import { SilentDiagnostics } from './diagnostics.js';
import { EventDesk } from './events/event-desk.js';
import { EventRelay } from './events/event-relay.js';
import { EventStream } from './events/event-stream.js';
import { ReplayLog } from './events/replay-log.js';
import { EventTeller } from './events/event-teller.js';
import { SilentPublisher } from './events/silent.publisher.js';
import { assertSinkNames } from './events/sink-names.js';
import { SinkOutlet } from './events/sink-outlet.js';
import { WakingPublisher } from './events/waking.publisher.js';
import { policyRevision } from './firewall/policy-revision.js';
import { ToolFirewall } from './firewall/tool-firewall.js';
import { ToolRegistry } from './firewall/tool-registry.js';
import { Guardrails } from './guardrails.js';
import { OutputGuard } from './output/output-guard.js';
import { Sanitizer } from './output/sanitizer.js';
import { Overview } from './overview/overview.js';
import { RetentionSchedule } from './retention/retention-schedule.js';
import { Retention } from './retention/retention.js';
import { Sandbox } from './sandbox.js';
import { patternErrors } from './screening/ruleset.js';
import { Screening } from './screening/screening.js';
import { LiveSettings } from './settings/live-settings.js';
import { StoreOutage } from './store-outage.js';
import { SystemClock } from './system-clock.js';
import { ToolGuard } from './tool-guard.js';
import type { Engine, EngineOptions } from './engine.js';

/** Longer than the slowest delivery, shorter than anyone waits for what a killed process held. */
const LEASE_MS = 60_000;
/** What a sink has under way may still arrive. */
const LONGEST_FAREWELL_MS = 5_000;

/** The only place that puts the parts together. */
export function createEngine(options: EngineOptions): Engine {
  const { stores, configured, screeners = [], detectors = [], authorizer = null, tools = [] } = options;
  const clock = options.clock ?? new SystemClock();
  const diagnostics = options.diagnostics ?? new SilentDiagnostics();

  const keys = approvalKeys(configured);
  const notifying = notifierSinks(options.notifier, stores.approvals, keys);
  const sinks = [...(options.sinks ?? []), ...notifying];
  assertSinkNames(sinks);
  assertControlNames(screeners, detectors);
  const sanitizer = new Sanitizer(detectors, diagnostics);
  const outlet = new SinkOutlet(sinks, configured['events.stream']);
  const teller = new EventTeller(stores.audit, configured['events.panel_url']);
  const { outbox } = stores;
  const relay = new EventRelay({
    outbox,
    sinks,
    teller,
    clock,
    diagnostics,
    retention: configured['events.retention'],
    leaseMs: options.leaseMs ?? LEASE_MS,
    random: Math.random,
    withoutSecrets: (text) => sanitizer.redactSecrets(text),
  });
  const stream = new EventStream(outbox);
  const publisher = new WakingPublisher(options.publisher ?? new SilentPublisher(), (event) => {
    if (outlet.selects(event)) relay.wake();
    if (outlet.keeps(event)) stream.wake();
  });
  const replays = new ReplayLog(stores.settings, outlet, publisher, clock);
  const outage = new StoreOutage(outbox, outlet, publisher, clock);
  const settings = new LiveSettings(
    stores.settings,
    configured,
    outlet,
    publisher,
    clock,
    diagnostics,
    patternErrors,
  );
  const screening = new Screening({ screeners });
  const buffer = new DecisionBuffer(stores.audit, diagnostics);
  const hygiene = new Hygiene(sanitizer);
  const trail = new AuditTrail(stores.audit, buffer, hygiene, outlet, publisher, clock, diagnostics, outage);

  const registry = new ToolRegistry();
  for (const tool of tools) registry.list(tool);
  const firewall = new ToolFirewall(authorizer);
  const approvals = createApprovals({
    store: stores.approvals,
    keys,
    tools: registry,
    review: firewall,
    policyRevision: (snapshot: Settings) => policyRevision(snapshot, authorizer),
    recorder: trail,
    rulebook: screening,
    redactor: sanitizer,
    settings,
    clock,
    diagnostics,
    watch: options.stepWatch ?? (() => undefined),
    longestStopMs: options.longestStopMs,
  });
  const retention = new Retention(stores.retention, clock);
  const output = new OutputGuard(settings, sanitizer, screening, trail);
  const { desk, parking, outcomes } = approvals;
  const guard = new ToolGuard(settings, firewall, registry, desk, parking, outcomes, screening, trail);

  return {
    guardrails: new Guardrails(settings, screening, output, guard, outcomes, approvals.telling, trail),
    settings,
    approvals: desk,
    outcomes,
    telling: approvals.telling,
    recovery: approvals.recovery,
    overview: new Overview(stores.overview, settings, screening, clock),
    sandbox: new Sandbox(screening, sanitizer, settings),
    recording: buffer,
    relay,
    retention,
    retentionSchedule: new RetentionSchedule(
      retention,
      stores.retention,
      settings,
      outlet,
      publisher,
      diagnostics,
    ),
    events: new EventDesk(outbox, relay, teller, replays, clock),
    stream,
    start: async () => {
      await settings.refresh();
      // Compiles and warms the rules now; the first prompt should not have to wait for them.
      screening.ruleset(settings.current());
    },
    refresh: async () => {
      try {
        await settings.refresh();
      } catch (error) {
        outage.failed(error);
        throw error;
      }
      await outage.answered();
    },
    leave: () => {
      stream.close();
      retention.leave();
      approvals.leave();
    },
    stop: async () => {
      stream.close();
      retention.leave();
      await approvals.stop();
      await buffer.close();
      await relay.stop(LONGEST_FAREWELL_MS);
    },
  };
}
