import type { Hold } from './holds.js';
import type { RetentionRun } from './retention.js';
import type { DecisionRecord, Severity } from './screening.js';
import type { SettingChange } from './settings/settings.js';
import type { Checkpoint } from './checkpoints.js';

/** Something that happened; published after its commit. */
export abstract class GuardrailsEvent {
  /** Stable: external consumers deduplicate by it. */
  abstract readonly id: string;
  /** `guardrails.<subject>.<past participle>`; listeners subscribe by it. */
  abstract readonly name: string;
  abstract readonly occurredAt: Date;
}

/** Contains no content: ids, counts and lengths only. */
export interface DecisionFacts extends DecisionRecord {
  /** `null` under the buffered write policy, and for steps of an approval. */
  readonly auditId: number | null;
  readonly ruleIds: readonly string[];
  /** Set on events about a parked call. */
  readonly approvalId: number | null;
  /** The approver or editor; set on votes, decisions, proposals and resolutions. */
  readonly actorId: string | null;
}

/** The list of decision events: name, severity, and description for the reference. */
const DECISIONS = {
  'guardrails.prompt.allowed': ['low', 'A prompt, a document or a tool result passed.'],
  'guardrails.injection.observed': ['medium', 'A text matched a rule that only observes.'],
  'guardrails.injection.blocked': ['high', 'A text was refused: a rule matched, or it could not be judged.'],
  'guardrails.tool.allowed': ['low', 'A tool call passed.'],
  'guardrails.tool.rejected': ['medium', 'The arguments of a tool call break its schema.'],
  'guardrails.tool.denied': ['high', 'The principal may not call this tool.'],
  'guardrails.output.clean': ['low', 'An output had nothing to change.'],
  'guardrails.output.sanitized': ['medium', 'An output was changed, or would have been.'],
  'guardrails.tool.parked': ['medium', 'A destructive call waits for a human.'],
  'guardrails.tool.would_park': [
    'medium',
    'A destructive call ran that would have waited: the bridge only observes.',
  ],
  'guardrails.policy.allowed': ['low', 'A policy allowed a call of its tool without approval.'],
  'guardrails.policy.denied': ['high', 'A policy denied a call of its tool.'],
  'guardrails.policy.would_deny': [
    'medium',
    'A call ran that its policy would have denied: the bridge only observes.',
  ],
  'guardrails.approval.voted': [
    'medium',
    'An approver voted for a parked call that needs more approvers. The vote that completes them is a decision.',
  ],
  'guardrails.approval.proposed': [
    'medium',
    'An operator edited the arguments of a parked call. The edited call waits for approval instead.',
  ],
  'guardrails.approval.reminded': ['medium', 'A parked call is still pending after `hitl.remind_after`.'],
  'guardrails.approval.escalated': ['high', 'A parked call is still pending after `hitl.escalate_after`.'],
  'guardrails.approval.decided': ['medium', 'A parked call was approved or rejected.'],
  'guardrails.approval.executed': ['low', 'An approved call ran.'],
  'guardrails.approval.failed': ['medium', 'An approved call ran, and its tool failed.'],
  'guardrails.approval.outcome_unknown': [
    'high',
    'The outcome of an approved call is unknown: an operator has to check and resolve it.',
  ],
  'guardrails.approval.expired': ['medium', 'A parked call was not decided in time.'],
  'guardrails.approval.superseded': [
    'medium',
    'The tool, its arguments or the policy changed after approval, or no instance could run the call in time: it will not run.',
  ],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, description: string]>>;

export type DecisionEventName = keyof typeof DECISIONS;

/** Base class of all decision events. */
export abstract class DecisionMade extends GuardrailsEvent {
  abstract override readonly name: DecisionEventName;

  constructor(
    readonly id: string,
    readonly facts: DecisionFacts,
  ) {
    super();
  }

  override get occurredAt(): Date {
    return this.facts.occurredAt;
  }
}

/** Builds the class of one event name. */
function decisionEvent<const Name extends DecisionEventName>(eventName: Name) {
  const [severity, description] = DECISIONS[eventName];
  return class extends DecisionMade {
    static readonly eventName = eventName;
    static readonly severity: Severity = severity;
    static readonly description: string = description;
    override readonly name = eventName;
  };
}

export class PromptAllowed extends decisionEvent('guardrails.prompt.allowed') {}
export class InjectionObserved extends decisionEvent('guardrails.injection.observed') {}
export class InjectionBlocked extends decisionEvent('guardrails.injection.blocked') {}
export class ToolAllowed extends decisionEvent('guardrails.tool.allowed') {}
export class ToolRejected extends decisionEvent('guardrails.tool.rejected') {}
export class ToolDenied extends decisionEvent('guardrails.tool.denied') {}
export class OutputClean extends decisionEvent('guardrails.output.clean') {}
export class OutputSanitized extends decisionEvent('guardrails.output.sanitized') {}
export class ToolParked extends decisionEvent('guardrails.tool.parked') {}
export class ToolWouldPark extends decisionEvent('guardrails.tool.would_park') {}
export class PolicyAllowed extends decisionEvent('guardrails.policy.allowed') {}
export class PolicyDenied extends decisionEvent('guardrails.policy.denied') {}
export class PolicyWouldDeny extends decisionEvent('guardrails.policy.would_deny') {}
export class ApprovalVoted extends decisionEvent('guardrails.approval.voted') {}
export class ApprovalProposed extends decisionEvent('guardrails.approval.proposed') {}
export class ApprovalReminded extends decisionEvent('guardrails.approval.reminded') {}
export class ApprovalEscalated extends decisionEvent('guardrails.approval.escalated') {}
export class ApprovalDecided extends decisionEvent('guardrails.approval.decided') {}
export class ApprovalExecuted extends decisionEvent('guardrails.approval.executed') {}
export class ApprovalFailed extends decisionEvent('guardrails.approval.failed') {}
export class ApprovalOutcomeUnknown extends decisionEvent('guardrails.approval.outcome_unknown') {}
export class ApprovalExpired extends decisionEvent('guardrails.approval.expired') {}
export class ApprovalSuperseded extends decisionEvent('guardrails.approval.superseded') {}

const CLASSES = {
  'guardrails.prompt.allowed': PromptAllowed,
  'guardrails.injection.observed': InjectionObserved,
  'guardrails.injection.blocked': InjectionBlocked,
  'guardrails.tool.allowed': ToolAllowed,
  'guardrails.tool.rejected': ToolRejected,
  'guardrails.tool.denied': ToolDenied,
  'guardrails.output.clean': OutputClean,
  'guardrails.output.sanitized': OutputSanitized,
  'guardrails.tool.parked': ToolParked,
  'guardrails.tool.would_park': ToolWouldPark,
  'guardrails.policy.allowed': PolicyAllowed,
  'guardrails.policy.denied': PolicyDenied,
  'guardrails.policy.would_deny': PolicyWouldDeny,
  'guardrails.approval.voted': ApprovalVoted,
  'guardrails.approval.proposed': ApprovalProposed,
  'guardrails.approval.reminded': ApprovalReminded,
  'guardrails.approval.escalated': ApprovalEscalated,
  'guardrails.approval.decided': ApprovalDecided,
  'guardrails.approval.executed': ApprovalExecuted,
  'guardrails.approval.failed': ApprovalFailed,
  'guardrails.approval.outcome_unknown': ApprovalOutcomeUnknown,
  'guardrails.approval.expired': ApprovalExpired,
  'guardrails.approval.superseded': ApprovalSuperseded,
} as const satisfies { readonly [Name in DecisionEventName]: { readonly eventName: Name } };

export const DECISION_EVENTS = Object.values(CLASSES);

/** Creates the event of this name. */
export function decisionEventOf(name: DecisionEventName, id: string, facts: DecisionFacts): DecisionMade {
  return new CLASSES[name](id, facts);
}

/** Settings changed; one event per PUT with an effective change. */
export class SettingsChanged extends GuardrailsEvent {
  static readonly eventName = 'guardrails.settings.changed';
  static readonly severity: Severity = 'medium';
  static readonly description = 'Settings changed; one event per PUT with an effective change.';
  override readonly name = SettingsChanged.eventName;

  constructor(
    override readonly id: string,
    readonly actorId: string,
    readonly revision: number,
    readonly changes: readonly SettingChange[],
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** A retention run finished. Published by an instance, also for runs of the command line. */
export class RetentionApplied extends GuardrailsEvent {
  static readonly eventName = 'guardrails.retention.applied';
  static readonly severity: Severity = 'low';
  static readonly description = 'A retention run anonymized or removed records.';
  override readonly name = RetentionApplied.eventName;

  constructor(
    override readonly id: string,
    readonly run: RetentionRun,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** An operator set a hold: retention no longer touches what it covers. */
export class HoldSet extends GuardrailsEvent {
  static readonly eventName = 'guardrails.hold.set';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator set a hold: retention no longer touches what it covers.';
  override readonly name = HoldSet.eventName;

  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** An operator released a hold. */
export class HoldReleased extends GuardrailsEvent {
  static readonly eventName = 'guardrails.hold.released';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator released a hold: retention applies again to what it covered.';
  override readonly name = HoldReleased.eventName;

  constructor(
    override readonly id: string,
    readonly hold: Hold,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/**
 * The store is unavailable; calls that must be recorded are refused. Published in the process when it is first
 * noticed, and to sinks when the store is available again, with the same id.
 */
export class StoreUnavailable extends GuardrailsEvent {
  static readonly eventName = 'guardrails.store.unavailable';
  static readonly severity: Severity = 'critical';
  static readonly description =
    'The store is unavailable. Sinks receive the event when it is available again, with the duration.';
  override readonly name = StoreUnavailable.eventName;

  constructor(
    override readonly id: string,
    override readonly occurredAt: Date,
    /** `null` during the outage. */
    readonly until: Date | null,
  ) {
    super();
  }
}

/** An operator tested a sink. Delivered to that sink only. */
export class SinkTested extends GuardrailsEvent {
  static readonly eventName = 'guardrails.sink.tested';
  static readonly severity: Severity = 'low';
  static readonly description = 'An operator tested a sink: delivered to that sink only.';
  override readonly name = SinkTested.eventName;

  constructor(
    override readonly id: string,
    readonly sink: string,
    readonly actorId: string,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** Scope of a replay: dead letters, or a range of sequence numbers. */
export interface ReplayScope {
  readonly sink: string;
  readonly deadLetters: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

/** An operator replayed events to a sink. Recorded before any event is queued. */
export class EventsReplayed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.events.replayed';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator replayed dead letters, or a range of events, to a sink.';
  override readonly name = EventsReplayed.eventName;

  constructor(
    override readonly id: string,
    readonly scope: ReplayScope,
    readonly actorId: string,
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** What an export of the audit covers, by the names of the API. */
export interface ExportFacts {
  readonly format: string;
  readonly withContent: boolean;
  readonly after: number;
  readonly limit: number | null;
  /** Without the values of personal data and contents: `principal_id` and `q` are `true` where they are set. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** An operator exported audit entries. Recorded before the first entry is sent. */
export class AuditExported extends GuardrailsEvent {
  static readonly eventName = 'guardrails.audit.exported';
  static readonly severity: Severity = 'medium';
  static readonly description = 'An operator exported audit entries; recorded before the first one is sent.';
  override readonly name = AuditExported.eventName;

  constructor(
    override readonly id: string,
    readonly facts: ExportFacts,
    readonly principalId: string | null,
    readonly actorId: string,
    readonly requestId: string | null,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** A checkpoint of the audit was signed. Sinks that keep a log receive it, whatever they select. */
export class AuditCheckpointed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.audit.checkpointed';
  static readonly severity: Severity = 'low';
  static readonly description =
    'A checkpoint of the audit was signed. Sinks that keep a log receive it, whatever they select, and no other sink.';
  override readonly name = AuditCheckpointed.eventName;

  constructor(
    override readonly id: string,
    readonly checkpoint: Checkpoint,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/** The list of all events: those published in the process and those that sinks can select. */
export const EVENTS = [
  ...DECISION_EVENTS,
  SettingsChanged,
  RetentionApplied,
  HoldSet,
  HoldReleased,
  StoreUnavailable,
  SinkTested,
  EventsReplayed,
  AuditExported,
  AuditCheckpointed,
] as const;

export type EventName = (typeof EVENTS)[number]['eventName'];

export const EVENT_NAMES: readonly EventName[] = EVENTS.map(({ eventName }) => eventName);

const SEVERITIES = new Map<string, Severity>(EVENTS.map(({ eventName, severity }) => [eventName, severity]));

/** The severity of every event of this name. */
export function severityOfEvent(name: string): Severity {
  return SEVERITIES.get(name) ?? 'medium';
}

export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}

/** In-process listeners. They receive every event, synchronously. */
export abstract class EventPublisher {
  abstract publish(event: GuardrailsEvent): void;
}
