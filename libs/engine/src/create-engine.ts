// Connects the classes of the engine. Domains do not import each other, so they meet here.
import { SystemClock } from '#contracts/common/clock.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { CLASSIFIER_ID } from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { ApprovalEditor } from './tools/approval-editor.js';
import { Approvals } from './controls/approvals/approvals.js';
import { ApproverCheck } from './controls/approvals/approval-quorum.js';
import { approvalKeys } from './controls/approvals/approval-keys.js';
import { notifierSinks } from './controls/approvals/approval-notifier.sink.js';
import type { ApprovalOutcomes } from './controls/approvals/approval-outcomes.js';
import { type ApprovalParts, createApprovals } from './controls/approvals/create-approvals.js';
import { Backtest } from './trials/backtest.js';
import { AuditExports } from './record/audit-exports.js';
import { AuditTrail } from './record/audit-trail.js';
import { CheckpointSchedule } from './record/checkpoint-schedule.js';
import { DecisionCounts } from './shared/counters.js';
import { DecisionBuffer, type RecordingState } from './record/decision-buffer.js';
import { Hygiene } from './record/hygiene.js';
import type { EngineOptions } from './start/engine-options.js';
import { createChannels, type EventChannels } from './events/create-channels.js';
import type { EventRelay } from './events/event-relay.js';
import type { EventStream } from './events/event-stream.js';
import { SinkAdmin } from './events/sink-admin.js';
import { policyRevision, ToolFirewall } from './controls/firewall/tool-firewall.js';
import { policyFaults, policyWarnings, unusablePolicies } from './controls/firewall/policy-faults.js';
import { ToolRegistry } from './controls/firewall/tool-registry.js';
import { RunMemory } from './runs/run-memory.js';
import { CallRisks } from './policies/call-risks.js';
import { Figures, ScreeningDurations } from './metrics/figures.js';
import { Guardrails } from './guardrails.js';
import { OutputGuard } from './controls/output/output-guard.js';
import { PolicyGate } from './policies/policy-gate.js';
import { ExceptionProposals } from './trials/exception-proposals.js';
import { OperationLog } from './shared/operation-log.js';
import { Overview } from './record/overview.js';
import { partErrors } from './start/part-errors.js';
import { SilentDiagnostics } from './shared/ports.js';
import { Holds } from './record/holds.js';
import { Retention, RetentionSchedule } from './record/retention.js';
import { Sandbox } from './trials/sandbox.js';
import { exceptionErrors } from './controls/screening/exceptions.js';
import { runInSlices } from './shared/resumable.js';
import { compilePatterns, patternErrors } from './controls/screening/compiled-patterns.js';
import { Screening } from './controls/screening/screening.js';
import { SettingsPreview } from './settings/settings-preview.js';
import { Freezes } from './settings/freezes.js';
import { LiveSettings } from './settings/live-settings.js';
import { StoreOutage } from './shared/store-outage.js';
import { ToolGuard } from './tools/tool-guard.js';
import { Tracing } from './shared/tracing.js';
import { Sanitizer } from './controls/output/sanitizer.js';
import { unusableSettings, unvouchablePolicies } from './start/unusable-settings.js';
import { warmUp } from './start/warm-up.js';

/** The controls and services of one engine, as `createEngine` connects them. */
export interface Engine {
  readonly guardrails: Guardrails;
  readonly settings: LiveSettings;
  /** Decides pending calls from code. */
  readonly approvals: Approvals;
  /** Decides pending calls by token, for the routes. */
  readonly approvalService: ApprovalParts['service'];
  readonly approvalEditor: ApprovalEditor;
  /** Delivers outcomes to waiting code. */
  readonly outcomes: ApprovalParts['outcomes'];
  /** Notifies handlers of outcomes without waiting code; call `deliverDue` every few seconds. */
  readonly outcomeNotifier: ApprovalParts['outcomeNotifier'];
  /** Recovers approvals of instances that stopped unexpectedly; call `recover` at the start and periodically. */
  readonly recovery: ApprovalParts['recovery'];
  readonly overview: Overview;
  readonly sandbox: Sandbox;
  /** Proposes exceptions for recorded matches. */
  readonly exceptionProposals: ExceptionProposals;
  /** Tries screening rules and output detectors on recorded texts. */
  readonly backtest: Backtest;
  readonly settingsPreview: SettingsPreview;
  readonly relay: EventRelay;
  readonly retention: Retention;
  readonly holds: Holds;
  readonly freezes: Freezes;
  /** Applies retention and publishes finished runs; call `tick` about once a minute. */
  readonly retentionSchedule: RetentionSchedule;
  /** Status, test and replay of sinks. */
  readonly events: SinkAdmin;
  /** Extends the transparency log and signs checkpoints; call `tick` every few seconds. */
  readonly checkpoints: CheckpointSchedule;
  /** Exports of audit entries and of the log, for the routes. */
  readonly auditExports: AuditExports;
  /** The live stream of stored events. */
  readonly stream: EventStream;
  /** What monitoring reads. */
  readonly figures: Figures;
  readonly tools: ToolRegistry;
  /** Live figures of the buffered write policy. Under `strict` nothing is queued or lost. */
  readonly recording: RecordingState;
  /** Adds a tool to `tools`. Call it before `start`. @throws ConfigurationError as for `tools`. */
  listTool(tool: Tool): void;
  /** Loads the settings and compiles the rules. The stores must be open. */
  start(): Promise<void>;
  /** Compiles in idle time what first decisions need. Call it once after `start`, and do not wait for it. */
  warmUp(): Promise<void>;
  /** Loads settings changes of other instances, and detects outages of the store. */
  refresh(): Promise<void>;
  /**
   * Call before the host's server closes: ends live streams and exports, aborts approved runs, and rejects code that waits for
   * outcomes.
   */
  beginStop(): void;
  /**
   * Calls `beginStop`; resolves when approved calls have ended or timed out, buffered decisions are written or
   * counted as lost, and the sinks are closed.
   */
  stop(): Promise<void>;
}

/** Maximum time that `stop` waits for deliveries in progress. */
const MAX_RELAY_STOP_MS = 5_000;

/** Assembles the engine. */
export function createEngine(options: EngineOptions): Engine {
  const base = createBase(options);
  const { publisher, leaseMs } = options;
  const channels = createChannels({ ...base, publisher, leaseMs, redactor: base.sanitizer });
  const screening = createScreening(base);
  const settings = createSettings(base, channels, screening);
  const recording = createRecording(base, channels);
  const freezes = new Freezes({
    ...base,
    ...channels,
    settings,
    approvals: base.stores.approvals,
    tools: base.registry,
  });
  const shared = { ...base, ...channels, ...recording, screening, settings, freezes };
  const toolCalls = createToolCalls(shared);
  const services = createServices(shared, toolCalls);
  const { sanitizer, registry, buffer, recorder, tracing } = shared;
  const { guard, approvals, approvalEditor } = toolCalls;
  const { service, outcomes, outcomeNotifier, recovery } = approvals;
  return {
    guardrails: new Guardrails({
      settings,
      screening,
      output: new OutputGuard({ settings, sanitizer, ruleCatalog: screening, recorder, tracing }),
      tools: guard,
      freezes,
      outcomes: toolCalls.outcomes,
      outcomeNotifier,
      recorder,
      runs: shared.runs,
      figures: services.figures,
      tracing,
    }),
    settings,
    freezes,
    approvals: new Approvals(
      options.stores.approvals,
      service,
      (id, proposal) => approvalEditor.propose(id, proposal),
      options.configured['events.panel_url'],
    ),
    approvalService: service,
    approvalEditor,
    outcomes,
    outcomeNotifier,
    recovery,
    recording: buffer,
    relay: channels.relay,
    stream: channels.stream,
    ...services,
    tools: registry,
    listTool: (tool) => registry.list(tool),
    ...createLifecycle(shared, approvals, services),
  };
}

type Base = ReturnType<typeof createBase>;
type Recording = ReturnType<typeof createRecording>;
type ToolCalls = ReturnType<typeof createToolCalls>;
type Services = ReturnType<typeof createServices>;

type Shared = Base &
  EventChannels &
  Recording & {
    readonly screening: Screening;
    readonly settings: LiveSettings;
    readonly freezes: Freezes;
  };

/** The options with their defaults, and classes without dependencies. */
function createBase(options: EngineOptions) {
  const { stores, configured, screeners = [], detectors = [], tools = [] } = options;
  const clock = options.clock ?? new SystemClock();
  const diagnostics = options.diagnostics ?? new SilentDiagnostics();
  const keys = approvalKeys(configured);
  const notifying = notifierSinks(options.notifier, stores.approvals, keys, configured['hitl.escalate_to']);
  const sinks = [...(options.sinks ?? []), ...notifying];
  const reasons = partErrors({ ...options, sinks });
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  const secret = configured['audit_hygiene.hash_key'] ?? configured['hitl.token_secret'];
  const runs = new RunMemory(stores.runs, secret, configured['provenance.hours'], diagnostics);
  const sanitizer = new Sanitizer(detectors, diagnostics);
  const registry = new ToolRegistry();
  for (const tool of tools) registry.list(tool);
  return {
    options,
    stores,
    configured,
    screeners,
    clock,
    diagnostics,
    keys,
    sinks,
    runs,
    sanitizer,
    registry,
  };
}

function createScreening({ screeners, clock, diagnostics }: Base) {
  return new Screening({
    screeners,
    clock,
    onScreenerFailure: ({ id, reason }) =>
      diagnostics.warn('A screener failed; the text counts as not judged.', { screener: id, reason }),
  });
}

function createSettings(
  { options, stores, configured, clock, diagnostics, sanitizer, registry }: Base,
  { router, publisher }: EventChannels,
  screening: Screening,
): LiveSettings {
  const settings: LiveSettings = new LiveSettings({
    store: stores.settings,
    configured,
    router,
    publisher,
    clock,
    diagnostics,
    checks: {
      compilePatterns: (patterns) => runInSlices(compilePatterns(patterns)),
      prepare: (next) => screening.prepare(next),
      warnings: (next) => [...screening.entriesWithoutEffect(next), ...policyWarnings(registry, next)],
      patternErrors,
      policyErrors: (policies) => [
        ...unusablePolicies(policies, options.approverGroups != null),
        ...unvouchablePolicies(policies, configured),
        ...policyFaults(registry, settings.current(), policies),
      ],
      exceptionErrors: (exceptions, known) => exceptionErrors(exceptions, known, clock.now(), sanitizer),
    },
  });
  return settings;
}

/** How decisions are recorded, counted and traced. */
function createRecording(
  { stores, clock, diagnostics, sanitizer }: Base,
  { router, publisher }: EventChannels,
) {
  const outage = new StoreOutage(stores.outbox, router, publisher, clock);
  const buffer = new DecisionBuffer(stores.audit, diagnostics);
  const counts = new DecisionCounts();
  const recorder = new AuditTrail({
    store: stores.audit,
    buffer,
    hygiene: new Hygiene(sanitizer),
    router,
    publisher,
    clock,
    outage,
    counts,
  });
  return { outage, buffer, counts, recorder, tracing: new Tracing() };
}

/** The tool firewall, policies and approvals. */
function createToolCalls(shared: Shared) {
  const { options, stores, keys, registry, settings, screening, recorder, runs, tracing, diagnostics } =
    shared;
  const { authorizer = null, approverGroups = null } = options;
  const firewall = new ToolFirewall(authorizer, diagnostics);
  const approvers = new ApproverCheck(approverGroups);
  const revisionOf = (snapshot: Settings, tool: string) => policyRevision(snapshot, authorizer, tool);
  const approvals = createApprovals({
    store: stores.approvals,
    keys,
    tools: registry,
    review: firewall,
    stops: shared.freezes,
    approvers,
    policyRevision: revisionOf,
    recorder,
    ruleCatalog: screening,
    redactor: shared.sanitizer,
    settings,
    clock: shared.clock,
    diagnostics,
    tracing,
    maxStopMs: options.maxStopMs,
  });
  const risks = new CallRisks(stores.audit, stores.approvals, shared.sanitizer);
  const policies = new PolicyGate(stores.budgets, runs, risks, recorder, diagnostics);
  const { service, parking } = approvals;
  // What a call that waited returned is a text of others, like the result of any tool.
  const outcomes: Pick<ApprovalOutcomes, 'waitFor'> = {
    waitFor: async (id, signal) =>
      runs.readOutcome(await approvals.outcomes.waitFor(id, signal), settings.current()),
  };
  const common = { firewall, registry, parking, policies, approvers, settings, ruleCatalog: screening };
  const guard = new ToolGuard({ ...common, stops: shared.freezes, outcomes, recorder, tracing });
  const approvalEditor = new ApprovalEditor({ ...common, service });
  return { policyRevision: revisionOf, approvals, outcomes, guard, approvalEditor };
}

/** What operators read and run: reports, trials of settings, exports and retention. */
function createServices(shared: Shared, { policyRevision: revisionOf }: ToolCalls) {
  const { stores, configured, screeners, clock, diagnostics, sanitizer } = shared;
  const { router, eventDelivery, relay, publisher, settings, screening, buffer, counts } = shared;
  const operations = new OperationLog(stores.settings, router, publisher);
  const overview = new Overview(stores.overview, settings, screening, clock);
  const events = new SinkAdmin({ outbox: stores.outbox, relay, eventDelivery, operations, clock });
  const durations = new ScreeningDurations([CLASSIFIER_ID, ...screeners.map(({ id }) => id)]);
  const retention = new Retention(stores.retention, clock);
  return {
    overview,
    events,
    figures: new Figures({
      decisions: counts,
      screening: durations,
      recording: buffer,
      overview,
      sinkAdmin: events,
      clock,
    }),
    sandbox: new Sandbox(screening, sanitizer, settings),
    exceptionProposals: new ExceptionProposals(sanitizer),
    backtest: new Backtest({ audit: stores.audit, settings, screening, screeners, sanitizer }),
    settingsPreview: new SettingsPreview(settings, stores.approvals, revisionOf),
    auditExports: new AuditExports(stores.audit, stores.log, operations, clock),
    checkpoints: new CheckpointSchedule({ log: stores.log, configured, router, publisher, clock }),
    retention,
    retentionSchedule: new RetentionSchedule({
      retention,
      store: stores.retention,
      runs: stores.runs,
      settings,
      router,
      publisher,
      diagnostics,
    }),
    holds: new Holds(stores.holds, router, publisher),
  };
}

type Lifecycle = Pick<Engine, 'start' | 'warmUp' | 'refresh' | 'beginStop' | 'stop'>;

function createLifecycle(
  shared: Shared,
  approvals: ApprovalParts,
  { auditExports, retention, checkpoints }: Services,
): Lifecycle {
  const { stores, configured, diagnostics, settings, screening, outage, buffer, relay, stream, freezes } =
    shared;
  const beginStop = () => {
    stream.close();
    auditExports.close();
    retention.beginStop();
    checkpoints.beginStop();
    approvals.beginStop();
  };
  return {
    start: async () => {
      assertUsable(shared);
      await settings.refresh(true);
      await stores.retention.setMinimumDays(configured['retention.minimum_days']);
      // Preparing takes time, which the first prompt must not pay for.
      await screening.prepare(settings.current());
      const current = settings.current();
      if (current.isAuthorizerOverridden()) diagnostics.warn(current.does('tool_firewall'));
      const warnings = [
        ...screening.entriesWithoutEffect(current),
        ...policyWarnings(shared.registry, current),
      ];
      for (const warning of warnings) diagnostics.warn(warning);
    },
    warmUp: () => warmUp(screening, settings.current()),
    refresh: async () => {
      try {
        await settings.refresh();
        await freezes.announce();
      } catch (error) {
        outage.failed(error);
        throw error;
      }
      await outage.answered();
      // Where it fails, the next recovery tries again, and says so.
      if (freezes.noticeLift()) approvals.recovery.recover(0).catch(() => undefined);
    },
    beginStop,
    stop: async () => {
      beginStop();
      await approvals.stop();
      await buffer.close();
      await relay.stop(MAX_RELAY_STOP_MS);
    },
  };
}

/** @throws ConfigurationError for configured values that cannot be used together */
function assertUsable({ options, configured, clock, sanitizer, registry, settings }: Shared) {
  const exceptions = configured['input_screen.exceptions'];
  const reasons = [
    ...unusableSettings(configured, options),
    ...policyFaults(registry, settings.current()),
    ...exceptionErrors(exceptions, exceptions, clock.now(), sanitizer).map(
      (reason) => `input_screen.exceptions ${reason}`,
    ),
  ];
  if (reasons.length > 0) throw new ConfigurationError(reasons);
}
