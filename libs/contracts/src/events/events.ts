import * as decisions from './decision-events.js';
import * as operations from './operation-events.js';
import type { Severity } from '../screening/screening.js';

/** The class of each decision event, by its name. */
const DECISION_EVENTS = {
  'guardrails.prompt.allowed': decisions.PromptAllowed,
  'guardrails.injection.observed': decisions.InjectionObserved,
  'guardrails.injection.blocked': decisions.InjectionBlocked,
  'guardrails.tool.allowed': decisions.ToolAllowed,
  'guardrails.tool.rejected': decisions.ToolRejected,
  'guardrails.tool.denied': decisions.ToolDenied,
  'guardrails.tool.frozen': decisions.ToolFrozen,
  'guardrails.output.clean': decisions.OutputClean,
  'guardrails.output.sanitized': decisions.OutputSanitized,
  'guardrails.tool.parked': decisions.ToolParked,
  'guardrails.tool.would_park': decisions.ToolWouldPark,
  'guardrails.policy.allowed': decisions.PolicyAllowed,
  'guardrails.policy.denied': decisions.PolicyDenied,
  'guardrails.policy.would_deny': decisions.PolicyWouldDeny,
  'guardrails.approval.voted': decisions.ApprovalVoted,
  'guardrails.approval.proposed': decisions.ApprovalProposed,
  'guardrails.approval.reminded': decisions.ApprovalReminded,
  'guardrails.approval.escalated': decisions.ApprovalEscalated,
  'guardrails.approval.decided': decisions.ApprovalDecided,
  'guardrails.approval.executed': decisions.ApprovalExecuted,
  'guardrails.approval.failed': decisions.ApprovalFailed,
  'guardrails.approval.outcome_unknown': decisions.ApprovalOutcomeUnknown,
  'guardrails.approval.expired': decisions.ApprovalExpired,
  'guardrails.approval.superseded': decisions.ApprovalSuperseded,
} as const satisfies {
  readonly [Name in decisions.DecisionEventName]: { readonly eventName: Name };
};

/** The list of all events: those published in the process and those that sinks can select. */
export const EVENTS = [
  ...Object.values(DECISION_EVENTS),
  operations.SettingsChanged,
  operations.FreezeChanged,
  operations.RetentionApplied,
  operations.HoldSet,
  operations.HoldReleased,
  operations.StoreUnavailable,
  operations.SinkTested,
  operations.EventsReplayed,
  operations.AuditExported,
  operations.AuditCheckpointed,
] as const;

/** The name of an event, such as `guardrails.injection.blocked`. */
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

/** Creates the decision event of this name. */
export function decisionEventOf(
  name: decisions.DecisionEventName,
  id: string,
  facts: decisions.DecisionFacts,
): decisions.DecisionMade {
  return new DECISION_EVENTS[name](id, facts);
}
