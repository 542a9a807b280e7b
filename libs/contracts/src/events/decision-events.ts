import { GuardrailsEvent } from './guardrails-event.js';
import type { DecisionRecord, Severity } from '../screening/screening.js';

/** Contains no content: ids, counts and lengths only. */
export interface DecisionFacts extends DecisionRecord {
  /** `null` under the buffered write policy, and for steps of an approval. */
  readonly auditId: number | null;
  readonly ruleIds: readonly string[];
  /** Set on events about an approval. */
  readonly approvalId: number | null;
  /** The approver or editor; set on votes, decisions, proposals and resolutions. */
  readonly actorId: string | null;
}

/** The list of decision events: name, severity, and description for the reference. */
const DECISIONS = {
  'guardrails.prompt.allowed': ['low', 'A prompt, a document or a tool result passed.'],
  'guardrails.injection.observed': ['medium', 'A text matched a rule in monitor mode.'],
  'guardrails.injection.blocked': ['high', 'A text was refused: a rule matched, or it could not be judged.'],
  'guardrails.tool.allowed': ['low', 'A tool call passed.'],
  'guardrails.tool.rejected': ['medium', 'The arguments of a tool call violate its schema.'],
  'guardrails.tool.denied': ['high', 'The principal may not call this tool.'],
  'guardrails.tool.frozen': ['high', 'A tool call was refused because an operator froze its tool.'],
  'guardrails.output.clean': ['low', 'An output had nothing to change.'],
  'guardrails.output.sanitized': ['medium', 'An output was changed, or would have been.'],
  'guardrails.tool.parked': ['medium', 'A destructive call waits for approval.'],
  'guardrails.tool.would_park': [
    'medium',
    'A destructive call ran without approval, because Approvals are in monitor mode.',
  ],
  'guardrails.policy.allowed': ['low', 'A policy allowed a call of its tool without approval.'],
  'guardrails.policy.denied': ['high', 'A policy denied a call of its tool.'],
  'guardrails.policy.would_deny': [
    'medium',
    'A call ran although its policy denies it, because Approvals are in monitor mode.',
  ],
  'guardrails.approval.voted': [
    'medium',
    'An approver voted for a pending call that needs more approvers. The vote that completes them is a decision.',
  ],
  'guardrails.approval.proposed': [
    'medium',
    'An operator edited the arguments of a pending call. The edited call waits for approval instead.',
  ],
  'guardrails.approval.reminded': ['medium', 'A call is still pending after `hitl.remind_after`.'],
  'guardrails.approval.escalated': ['high', 'A call is still pending after `hitl.escalate_after`.'],
  'guardrails.approval.decided': ['medium', 'A pending call was approved or rejected.'],
  'guardrails.approval.executed': ['low', 'An approved call ran.'],
  'guardrails.approval.failed': ['medium', 'An approved call ran, and its tool failed.'],
  'guardrails.approval.outcome_unknown': [
    'high',
    'The outcome of an approved call is unknown: an operator has to check and resolve it.',
  ],
  'guardrails.approval.expired': ['medium', 'A pending call was not decided in time.'],
  'guardrails.approval.superseded': [
    'medium',
    'The tool, its arguments or the policy changed after approval, or no instance could run the call in time: it will not run.',
  ],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, description: string]>>;

/** The name of a decision event, such as `guardrails.tool.parked`. */
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
export class ToolFrozen extends decisionEvent('guardrails.tool.frozen') {}
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
