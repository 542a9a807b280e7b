import type { ApprovalNotifier } from '../../contracts/src/approvals.js';
import type { Clock } from '../../contracts/src/clock.js';
import type { EventSink } from '../../contracts/src/event-sink.js';
import type { EventPublisher } from '../../contracts/src/events.js';
import type { Tool, ToolAuthorizer } from '../../contracts/src/firewall.js';
import type { Detector } from '../../contracts/src/output.js';
import type { Screener } from '../../contracts/src/screening.js';
import type { SettingValues } from '../../contracts/src/settings/settings.schema.js';
import type { StoreBackend } from '../../contracts/src/store-backend.js';
import type { Approvals } from './approvals/create-approvals.js';
import type { RecordingState } from './audit/decision-buffer.js';
import type { Diagnostics } from './ports.js';
import type { SinkAdmin } from './events/sink-admin.js';
import type { EventRelay } from './events/event-relay.js';
import type { EventStream } from './events/event-stream.js';
import type { Guardrails } from './guardrails.js';
import type { Overview } from './overview/overview.js';
import type { RetentionSchedule } from './retention/retention-schedule.js';
import type { Retention } from './retention/retention.js';
import type { Sandbox } from './sandbox.js';
import type { LiveSettings } from './settings/live-settings.js';

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
  /** `stop` waits no longer than this for approved calls that run. Default ten seconds. */
  readonly longestStopMs?: number;
}

export interface Engine {
  readonly guardrails: Guardrails;
  readonly settings: LiveSettings;
  readonly approvals: Approvals['service'];
  /** Who waits for a decision. */
  readonly outcomes: Approvals['outcomes'];
  /** Whom to tell of an outcome where nobody waits: to be asked every few seconds. */
  readonly outcomeNotifier: Approvals['outcomeNotifier'];
  /** Sees to approvals that an instance left behind: to be asked at the start, and every now and then. */
  readonly recovery: Approvals['recovery'];
  readonly overview: Overview;
  readonly sandbox: Sandbox;
  readonly relay: EventRelay;
  readonly retention: Retention;
  /** To be ticked about once a minute: forgets what is due, and tells of runs that ended. */
  readonly retentionSchedule: RetentionSchedule;
  /** How the sinks are; tests and replays. */
  readonly events: SinkAdmin;
  /** What the outbox keeps, as it comes. */
  readonly stream: EventStream;
  /** How the buffered write policy fares, live. Under `strict` nothing is queued, and nothing can be lost. */
  readonly recording: RecordingState;
  /** Reads the settings and makes the rules ready. The stores must be open. */
  start(): Promise<void>;
  /** Takes over what other instances changed, and notices when the store goes away or comes back. */
  refresh(): Promise<void>;
  /** To be asked before the host's server closes: ends what would keep it, live streams, approved runs, and waiting for outcomes. */
  beginStop(): void;
  /** Leaves; resolves when approved calls have ended or had their time, what was buffered is written or counted as lost, and the sinks are closed. */
  stop(): Promise<void>;
}
