import type { ControlKey, ModeName, Outcome } from './control-mode.js';
import type { RetentionRun } from './retention.js';
import type { Origin, Severity } from './screening.js';
import type { SettingChange } from './settings/settings.js';

/** Something that happened, told once it is committed. */
export abstract class GuardrailsEvent {
  /** Stable: external consumers de-duplicate by it. */
  abstract readonly id: string;
  /** `guardrails.<what>.<happened>`: what listeners ask for. */
  abstract readonly name: string;
  abstract readonly occurredAt: Date;
}

/** Content-free: ids, counts and lengths, never a text. */
export interface DecisionFacts {
  /** `null` where the evidence is not waited for (buffered write policy), or commits with a step of an approval. */
  readonly auditId: number | null;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: Exclude<ModeName, 'off'>;
  readonly origin: Origin;
  readonly ruleId: string | null;
  readonly ruleIds: readonly string[];
  readonly errored: boolean;
  readonly tool: string | null;
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly rulesetVersion: string;
  readonly promptLength: number;
  readonly durationUs: number;
  readonly occurredAt: Date;
  /** Set on events about a parked call. */
  readonly approvalId: number | null;
  /** Who decided; set on decided approvals only. */
  readonly actorId: string | null;
}

/** THE list of what controls tell: name, severity, and the line of the reference. */
const TOLD = {
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
  'guardrails.approval.decided': ['medium', 'Somebody approved or rejected a parked call.'],
  'guardrails.approval.executed': ['low', 'An approved call ran.'],
  'guardrails.approval.failed': ['medium', 'An approved call ran, and its tool failed.'],
  'guardrails.approval.outcome_unknown': [
    'high',
    'Nobody knows whether an approved call ran: a human has to look.',
  ],
  'guardrails.approval.expired': ['medium', 'A parked call was not decided in time.'],
  'guardrails.approval.superseded': [
    'medium',
    'What an approval was given for has changed, or nobody could run it in time: it runs no more.',
  ],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, tells: string]>>;

export type DecisionEventName = keyof typeof TOLD;

/** A control decided: whichever of the events below it was. */
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

/** The class behind one name. */
function decisionEvent<const Name extends DecisionEventName>(eventName: Name) {
  const [severity, tells] = TOLD[eventName];
  return class extends DecisionMade {
    static readonly eventName = eventName;
    static readonly severity: Severity = severity;
    static readonly tells: string = tells;
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
  'guardrails.approval.decided': ApprovalDecided,
  'guardrails.approval.executed': ApprovalExecuted,
  'guardrails.approval.failed': ApprovalFailed,
  'guardrails.approval.outcome_unknown': ApprovalOutcomeUnknown,
  'guardrails.approval.expired': ApprovalExpired,
  'guardrails.approval.superseded': ApprovalSuperseded,
} as const satisfies { readonly [Name in DecisionEventName]: { readonly eventName: Name } };

export const DECISION_EVENTS = Object.values(CLASSES);

/** The event of this name. */
export function decisionEventOf(name: DecisionEventName, id: string, facts: DecisionFacts): DecisionMade {
  return new CLASSES[name](id, facts);
}

/** Settings took another effect: one for each PUT that changed something. */
export class SettingsChanged extends GuardrailsEvent {
  static readonly eventName = 'guardrails.settings.changed';
  static readonly severity: Severity = 'medium';
  static readonly tells = 'Settings took another effect: one for each PUT that changed something.';
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

/** Something was erased or deleted, and all that was to be: told by an instance, also of a run of the command line. */
export class RetentionApplied extends GuardrailsEvent {
  static readonly eventName = 'guardrails.retention.applied';
  static readonly severity: Severity = 'low';
  static readonly tells = 'Records were anonymised or removed, in the name of somebody.';
  override readonly name = RetentionApplied.eventName;

  constructor(
    override readonly id: string,
    readonly run: RetentionRun,
    override readonly occurredAt: Date,
  ) {
    super();
  }
}

/**
 * The store does not answer: calls whose record is waited for are refused. Told here when it is first noticed, and
 * outside the process when the store is back, with the same id.
 */
export class StoreUnavailable extends GuardrailsEvent {
  static readonly eventName = 'guardrails.store.unavailable';
  static readonly severity: Severity = 'critical';
  static readonly tells =
    'The store does not answer. External consumers hear of it when it is back, with the time it took.';
  override readonly name = StoreUnavailable.eventName;

  constructor(
    override readonly id: string,
    override readonly occurredAt: Date,
    /** `null` while it lasts. */
    readonly until: Date | null,
  ) {
    super();
  }
}

/** Somebody asked whether a sink can be reached. Goes to that sink alone. */
export class SinkTested extends GuardrailsEvent {
  static readonly eventName = 'guardrails.sink.tested';
  static readonly severity: Severity = 'low';
  static readonly tells = 'Somebody asked whether a sink can be reached: goes to that sink alone.';
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

/** What one replay was asked for: dead letters, or a range of sequence numbers. */
export interface ReplayScope {
  readonly sink: string;
  readonly deadLetters: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

/** Somebody had a sink told once more what it may know already. Recorded before anything of it is queued. */
export class EventsReplayed extends GuardrailsEvent {
  static readonly eventName = 'guardrails.events.replayed';
  static readonly severity: Severity = 'medium';
  static readonly tells = 'Somebody had a sink told dead letters, or a range of events, once more.';
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

/** THE list of events: what is emitted in the process, and what sinks may select. */
export const EVENTS = [
  ...DECISION_EVENTS,
  SettingsChanged,
  RetentionApplied,
  StoreUnavailable,
  SinkTested,
  EventsReplayed,
] as const;

export type EventName = (typeof EVENTS)[number]['eventName'];

export const EVENT_NAMES: readonly EventName[] = EVENTS.map(({ eventName }) => eventName);

const SEVERITIES = new Map<string, Severity>(EVENTS.map(({ eventName, severity }) => [eventName, severity]));

/** How much it matters to whoever watches: the same for every event of a name. */
export function severityOfEvent(name: string): Severity {
  return SEVERITIES.get(name) ?? 'medium';
}

export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}

/** In-process listeners: complete, told at once. A listener that throws must harm nothing. */
export abstract class EventPublisher {
  abstract publish(event: GuardrailsEvent): void;
}
