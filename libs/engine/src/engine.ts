import type { ApprovalNotifier, ApproverGroups } from '#contracts/approvals.js';
import type { Clock } from '#contracts/clock.js';
import type { EventSink } from '#contracts/event-sink.js';
import type { EventPublisher } from '#contracts/guardrails-event.js';
import type { Tool, ToolAuthorizer } from '#contracts/firewall.js';
import type { Detector } from '#contracts/output.js';
import type { Screener } from '#contracts/screening.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/store-backend.js';
import type { Approvals } from './approvals/approvals.js';
import type { ApprovalParts } from './approvals/create-approvals.js';
import type { ApprovalEditor } from './approval-editor.js';
import type { Backtest } from './backtest.js';
import type { ExceptionProposals } from './exception-proposals.js';
import type { AuditExports } from './audit/audit-exports.js';
import type { CheckpointSchedule } from './audit/checkpoint-schedule.js';
import type { RecordingState } from './audit/decision-buffer.js';
import type { Diagnostics } from './ports.js';
import type { SinkAdmin } from './events/sink-admin.js';
import type { EventRelay } from './events/event-relay.js';
import type { EventStream } from './events/event-stream.js';
import type { Figures } from './figures.js';
import type { Guardrails } from './guardrails.js';
import type { Overview } from './overview/overview.js';
import type { PolicyReplay } from './policies/policy-replay.js';
import type { Holds } from './retention/holds.js';
import type { RetentionSchedule } from './retention/retention-schedule.js';
import type { Retention } from './retention/retention.js';
import type { Sandbox } from './sandbox.js';
import type { SettingsPreview } from './settings-preview.js';
import type { LiveSettings } from './settings/live-settings.js';

/** The options of `createEngine`. */
export interface EngineOptions {
  /** Opened by the caller before `start`, and closed after `stop`. */
  readonly stores: StoreBackend;
  /** The configured value of every setting; start from `DEFAULT_SETTINGS`. */
  readonly configured: SettingValues;
  readonly clock?: Clock;
  /** In-process listeners; default: none. */
  readonly publisher?: EventPublisher;
  /** Receivers of events. Without sinks and live stream nothing enters the outbox. */
  readonly sinks?: readonly EventSink[];
  /** Run after the rules, in this order. */
  readonly screeners?: readonly Screener[];
  /** Run after the built-in detectors, in this order. */
  readonly detectors?: readonly Detector[];
  /** Needs `tool_authorization.enabled: true` in `configured`; `startEngine` sets it. */
  readonly authorizer?: ToolAuthorizer | null;
  /** Tools that approvals run on this instance, also for calls that another instance received. */
  readonly tools?: readonly Tool[];
  /** Receives pending calls, through the outbox. */
  readonly notifier?: ApprovalNotifier | null;
  /** Decides who belongs to the approver groups of policies. */
  readonly approverGroups?: ApproverGroups | null;
  readonly diagnostics?: Diagnostics;
  /** Lease of deliveries; another instance takes over after it expires. Default one minute. */
  readonly leaseMs?: number;
  /** Maximum time that `stop` waits for approved calls in progress. Default ten seconds. */
  readonly maxStopMs?: number;
}

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
  /** Tries policies on recorded calls. */
  readonly policyReplay: PolicyReplay;
  /** Tries screening rules and output detectors on recorded texts. */
  readonly backtest: Backtest;
  readonly settingsPreview: SettingsPreview;
  readonly relay: EventRelay;
  readonly retention: Retention;
  readonly holds: Holds;
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
