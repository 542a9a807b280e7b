import type { ApprovalNotifier, ApproverGroups } from '#contracts/approvals/approvals.js';
import type { Clock } from '#contracts/common/clock.js';
import type { EventSink } from '#contracts/events/event-sink.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import type { Tool, ToolAuthorizer } from '#contracts/firewall/firewall.js';
import type { Detector } from '#contracts/output/output.js';
import type { Screener } from '#contracts/screening/screening.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Diagnostics } from '../shared/ports.js';

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
