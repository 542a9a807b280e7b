import type { ApprovalNotifier } from '../../contracts/src/approval-notifier.js';
import type { Clock } from '../../contracts/src/clock.js';
import type { EventSink } from '../../contracts/src/event-sink.js';
import type { EventPublisher } from '../../contracts/src/events.js';
import type { Tool, ToolAuthorizer } from '../../contracts/src/firewall.js';
import type { Detector } from '../../contracts/src/output.js';
import type { Screener } from '../../contracts/src/screening.js';
import type { Settings } from '../../contracts/src/settings/settings.js';
import type { SettingValues } from '../../contracts/src/settings/settings.schema.js';
import type { StoreBackend } from '../../contracts/src/stores.js';
import {
  approvalKeys,
  createApprovals,
  notifierSinks,
  type Approvals,
} from './approvals/create-approvals.js';
import type { StepWatch } from './approvals/step-watch.js';
import { AuditTrail } from './audit/audit-trail.js';
import { CautiousRedactor } from './audit/cautious-redactor.js';
import { DecisionBuffer, type RecordingState } from './audit/decision-buffer.js';
import { Hygiene } from './audit/hygiene.js';
import { assertControlNames } from './control-names.js';
import { SilentDiagnostics, type Diagnostics } from './diagnostics.js';
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
import { OutputGuard } from './output-guard.js';
import { Sanitiser } from './output/sanitiser.js';
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

/** Longer than the slowest delivery, shorter than anyone waits for what a killed process held. */
const LEASE_MS = 60_000;
/** What a sink has under way may still arrive. */
const LONGEST_FAREWELL_MS = 5_000;

export interface EngineOptions {
  /** Opened by the caller before `start`, closed by the caller after `stop`. */
  readonly stores: StoreBackend;
  /** The deployer's values of every setting; start from `DEFAULT_SETTINGS`. */
  readonly configured: SettingValues;
  readonly clock?: Clock;
  /** In-process listeners; default: nobody listens. */
  readonly publisher?: EventPublisher;
  /** Where events leave the process; without one nothing enters the outbox. */
  readonly sinks?: readonly EventSink[];
  /** Run after the rules, in this order. */
  readonly screeners?: readonly Screener[];
  /** Run after the built-in detectors, in this order. */
  readonly detectors?: readonly Detector[];
  readonly authorizer?: ToolAuthorizer | null;
  /** What approvals run on this instance, by its name, also when another instance parked the call. */
  readonly tools?: readonly Tool[];
  /** Told of parked calls, from the outbox. */
  readonly notifier?: ApprovalNotifier | null;
  readonly diagnostics?: Diagnostics;
  /** After this long another instance takes over what this one was delivering. Default a minute. */
  readonly leaseMs?: number;
  /** For tests that end the process between two steps of an approval. */
  readonly stepWatch?: StepWatch;
  /** `stop` waits no longer than this for approved calls that run. Default ten seconds. */
  readonly longestStopMs?: number;
}

export interface Engine {
  readonly guardrails: Guardrails;
  readonly settings: LiveSettings;
  readonly approvals: Approvals['desk'];
  /** Who waits for a decision. */
  readonly outcomes: Approvals['outcomes'];
  /** Whom to tell of an outcome where nobody waits: to be asked every few seconds. */
  readonly telling: Approvals['telling'];
  /** Sees to approvals that an instance left behind: to be asked at the start, and every now and then. */
  readonly recovery: Approvals['recovery'];
  readonly overview: Overview;
  readonly sandbox: Sandbox;
  readonly relay: EventRelay;
  readonly retention: Retention;
  /** To be ticked about once a minute: forgets what is due, and tells of runs that ended. */
  readonly retentionSchedule: RetentionSchedule;
  /** How the sinks are; tests and replays. */
  readonly events: EventDesk;
  /** What the outbox keeps, as it comes. */
  readonly stream: EventStream;
  /** How the buffered write policy fares, live. Under `strict` nothing is queued, and nothing can be lost. */
  readonly recording: RecordingState;
  /** Reads the settings and makes the rules ready. The stores must be open. */
  start(): Promise<void>;
  /** Takes over what other instances changed, and notices when the store goes away or comes back. */
  refresh(): Promise<void>;
  /** To be asked before the host's server closes: ends what would keep it, live streams, approved runs, and waiting for outcomes. */
  leave(): void;
  /** Leaves; resolves when approved calls have ended or had their time, what was buffered is written or counted as lost, and the sinks are closed. */
  stop(): Promise<void>;
}

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
  const sanitiser = new Sanitiser(detectors);
  const redactor = new CautiousRedactor(sanitiser, diagnostics);
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
    withoutSecrets: (text) => redactor.redactSecrets(text),
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
  const hygiene = new Hygiene(redactor);
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
    redactor,
    settings,
    clock,
    diagnostics,
    watch: options.stepWatch ?? (() => undefined),
    longestStopMs: options.longestStopMs,
  });
  const retention = new Retention(stores.retention, clock);
  const output = new OutputGuard(settings, sanitiser, screening, trail);
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
    sandbox: new Sandbox(screening, sanitiser, settings),
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
      approvals.leave();
    },
    stop: async () => {
      stream.close();
      await approvals.stop();
      await buffer.close();
      await relay.stop(LONGEST_FAREWELL_MS);
    },
  };
}
