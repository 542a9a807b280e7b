import { SystemClock } from '#contracts/clock.js';
import { ConfigurationError } from '#contracts/errors.js';
import { CLASSIFIER_ID } from '#contracts/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { ApprovalEditor } from './approval-editor.js';
import { Approvals } from './approvals/approvals.js';
import { ApproverCheck, missingApproverGroups } from './approvals/approval-quorum.js';
import { approvalKeys, createApprovals, notifierSinks } from './approvals/create-approvals.js';
import { Backtest } from './backtest.js';
import { assertControlNames, assertSinkNames } from './control-names.js';
import { AuditExports } from './audit/audit-exports.js';
import { AuditTrail } from './audit/audit-trail.js';
import { CheckpointSchedule } from './audit/checkpoint-schedule.js';
import { DecisionCounts } from './counters.js';
import { DecisionBuffer } from './audit/decision-buffer.js';
import { Hygiene } from './audit/hygiene.js';
import type { Engine, EngineOptions } from './engine.js';
import { EventDelivery } from './events/event-delivery.js';
import { EventRelay, EngineEventPublisher } from './events/event-relay.js';
import { EventStream } from './events/event-stream.js';
import { SinkAdmin } from './events/sink-admin.js';
import { SinkRouter } from './events/sink-router.js';
import { policyRevision, ToolFirewall } from './firewall/tool-firewall.js';
import { needsApproval, ToolRegistry } from './firewall/tool-registry.js';
import { Figures, ScreeningDurations } from './figures.js';
import { Guardrails } from './guardrails.js';
import { OutputGuard } from './output/output-guard.js';
import { PolicyGate } from './policies/policy-gate.js';
import { PolicyReplay } from './policies/policy-replay.js';
import { ExceptionProposals } from './exception-proposals.js';
import { OperationLog } from './operation-log.js';
import { Overview } from './overview/overview.js';
import { SilentDiagnostics } from './ports.js';
import { Holds } from './retention/holds.js';
import { RetentionSchedule } from './retention/retention-schedule.js';
import { Retention } from './retention/retention.js';
import { Sandbox } from './sandbox.js';
import { exceptionErrors } from './screening/exceptions.js';
import { runInSlices } from './resumable.js';
import { compilePatterns, patternErrors } from './screening/ruleset.js';
import { Screening } from './screening/screening.js';
import { SettingsPreview } from './settings-preview.js';
import { LiveSettings } from './settings/live-settings.js';
import { belowMinimumDays } from './settings/settings-validation.js';
import { StoreOutage } from './store-outage.js';
import { ToolGuard } from './tool-guard.js';
import { Tracing } from './tracing.js';
import { Sanitizer } from './output/sanitizer.js';

/** Longer than the slowest delivery, and the delay before another instance takes over from a killed process. */
const LEASE_MS = 60_000;
/** Maximum time that `stop` waits for deliveries in progress. */
const LONGEST_RELAY_STOP_MS = 5_000;

/** Assembles the engine. */
export function createEngine(options: EngineOptions): Engine {
  const { stores, configured, screeners = [], detectors = [], authorizer = null, tools = [] } = options;
  const { approverGroups = null } = options;
  const clock = options.clock ?? new SystemClock();
  const diagnostics = options.diagnostics ?? new SilentDiagnostics();

  const keys = approvalKeys(configured);
  const notifying = notifierSinks(options.notifier, stores.approvals, keys, configured['hitl.escalate_to']);
  const sinks = [...(options.sinks ?? []), ...notifying];
  assertSinkNames(sinks);
  assertControlNames(screeners, detectors);
  const sanitizer = new Sanitizer(detectors, diagnostics);
  const router = new SinkRouter(sinks, configured['events.stream']);
  const eventDelivery = new EventDelivery(stores.audit, configured['events.panel_url']);
  const { outbox } = stores;
  const relay = new EventRelay({
    outbox,
    sinks,
    eventDelivery,
    clock,
    diagnostics,
    retention: configured['events.retention'],
    leaseMs: options.leaseMs ?? LEASE_MS,
    random: Math.random,
    withoutSecrets: (text) => sanitizer.redactSecrets(text),
  });
  const stream = new EventStream(outbox);
  const publisher = new EngineEventPublisher(options.publisher, diagnostics, (event) => {
    if (router.isSelectedBySink(event)) relay.wake();
    if (router.isKept(event)) stream.wake();
  });
  const operations = new OperationLog(stores.settings, router, publisher);
  const auditExports = new AuditExports(stores.audit, stores.log, operations, clock);
  const outage = new StoreOutage(outbox, router, publisher, clock);
  const settings = new LiveSettings(stores.settings, configured, router, publisher, clock, diagnostics, {
    compilePatterns: (patterns) => runInSlices(compilePatterns(patterns)),
    prepare: (next) => screening.prepare(next),
    patternErrors,
    policyErrors: (policies) => missingApproverGroups(policies, approverGroups !== null),
    exceptionErrors: (exceptions, known) => exceptionErrors(exceptions, known, clock.now(), sanitizer),
  });
  const screening = new Screening({
    screeners,
    clock,
    onScreenerFailure: ({ id, reason }) =>
      diagnostics.warn('A screener failed; the text counts as not judged.', { screener: id, reason }),
  });
  const buffer = new DecisionBuffer(stores.audit, diagnostics);
  const hygiene = new Hygiene(sanitizer);
  const tracing = new Tracing();
  const decisionCounts = new DecisionCounts();
  const trail = new AuditTrail(
    stores.audit,
    buffer,
    hygiene,
    router,
    publisher,
    clock,
    outage,
    decisionCounts,
  );

  const registry = new ToolRegistry();
  for (const tool of tools) registry.list(tool);
  const firewall = new ToolFirewall(authorizer);
  const approvers = new ApproverCheck(approverGroups);
  const revisionOf = (snapshot: Settings, tool: string): string => policyRevision(snapshot, authorizer, tool);
  const approvals = createApprovals({
    store: stores.approvals,
    keys,
    tools: registry,
    review: firewall,
    approvers,
    policyRevision: revisionOf,
    recorder: trail,
    ruleCatalog: screening,
    redactor: sanitizer,
    settings,
    clock,
    diagnostics,
    tracing,
    longestStopMs: options.longestStopMs,
  });
  const retention = new Retention(stores.retention, clock);
  const checkpoints = new CheckpointSchedule(stores.log, configured, router, publisher, clock);
  const output = new OutputGuard(settings, sanitizer, screening, trail, tracing);
  const { service: approvalService, parking, outcomes } = approvals;
  const policies = new PolicyGate(stores.budgets, trail, diagnostics);
  const editor = new ApprovalEditor(
    approvalService,
    parking,
    firewall,
    registry,
    settings,
    policies,
    approvers,
    screening,
  );
  const guard = new ToolGuard(
    settings,
    firewall,
    registry,
    approvalService,
    parking,
    outcomes,
    policies,
    approvers,
    screening,
    trail,
    tracing,
  );
  const overview = new Overview(stores.overview, settings, screening, clock);
  const events = new SinkAdmin(outbox, relay, eventDelivery, operations, clock);
  const durations = new ScreeningDurations([CLASSIFIER_ID, ...screeners.map(({ id }) => id)]);
  const figures = new Figures(decisionCounts, durations, buffer, overview, events, clock);

  return {
    guardrails: new Guardrails(
      settings,
      screening,
      output,
      guard,
      outcomes,
      approvals.outcomeNotifier,
      trail,
      figures,
      tracing,
    ),
    settings,
    approvals: new Approvals(
      stores.approvals,
      approvalService,
      (id, proposal) => editor.propose(id, proposal),
      configured['events.panel_url'],
    ),
    approvalService,
    approvalEditor: editor,
    outcomes,
    outcomeNotifier: approvals.outcomeNotifier,
    recovery: approvals.recovery,
    overview,
    exceptionProposals: new ExceptionProposals(sanitizer),
    sandbox: new Sandbox(screening, sanitizer, settings),
    policyReplay: new PolicyReplay(stores.audit, (name) =>
      needsApproval(registry.find(name) ?? { name }, settings.current()),
    ),
    backtest: new Backtest(stores.audit, settings, screening, screeners, sanitizer),
    settingsPreview: new SettingsPreview(settings, stores.approvals, revisionOf, clock),
    figures,
    recording: buffer,
    relay,
    retention,
    holds: new Holds(stores.holds, router, publisher),
    retentionSchedule: new RetentionSchedule(
      retention,
      stores.retention,
      settings,
      router,
      publisher,
      diagnostics,
    ),
    events,
    stream,
    auditExports,
    checkpoints,
    listTool: (tool) => registry.list(tool),
    start: async () => {
      const shortRetention = belowMinimumDays(
        configured['retention.days'],
        configured['retention.minimum_days'],
      );
      const exceptions = configured['input_screen.exceptions'];
      const reasons = [
        ...missingApproverGroups(configured['hitl.policies'], approverGroups !== null),
        ...exceptionErrors(exceptions, exceptions, clock.now(), sanitizer).map(
          (reason) => `input_screen.exceptions ${reason}`,
        ),
        ...(shortRetention === null ? [] : [`retention.days ${shortRetention}`]),
      ];
      if (reasons.length > 0) throw new ConfigurationError(reasons);
      if (configured['hitl.enabled'] && keys === null) {
        diagnostics.warn(
          'hitl.enabled is on, but hitl.token_secret is missing: calls that need approval are refused. Set GUARDRAILS_HITL_TOKEN_SECRET to the output of openssl rand -base64 48.',
        );
      }
      await settings.refresh();
      await stores.retention.setMinimumDays(configured['retention.minimum_days']);
      // Before the first prompt.
      await screening.prepare(settings.current());
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
    beginStop: () => {
      stream.close();
      auditExports.close();
      retention.beginStop();
      checkpoints.beginStop();
      approvals.beginStop();
    },
    stop: async () => {
      stream.close();
      auditExports.close();
      retention.beginStop();
      checkpoints.beginStop();
      await approvals.stop();
      await buffer.close();
      await relay.stop(LONGEST_RELAY_STOP_MS);
    },
  };
}
