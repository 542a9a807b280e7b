import { GuardrailsEvent } from './guardrails-event.js';
import { owaspOfRule, type OwaspRisk } from '../screening/owasp.js';
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

/** The OWASP risks of a finding: fixed ones, or those of the rule that matched. */
type Risks = readonly OwaspRisk[] | 'of_rule';

interface DecisionEvent<Name extends string> {
  new (id: string, facts: DecisionFacts): DecisionMade & { readonly name: Name };
  readonly eventName: Name;
  readonly severity: Severity;
  /** For the reference. */
  readonly description: string;
  /** `null`: the event is no finding. Nothing was found, or an approval went one step further. */
  readonly risks: Risks | null;
}

/** Builds the class of one event. */
function decisionEvent<const Name extends string>(
  eventName: Name,
  severity: Severity,
  description: string,
  risks: Risks | null = null,
): DecisionEvent<Name> {
  return class extends DecisionMade {
    static readonly eventName = eventName;
    static readonly severity = severity;
    static readonly description = description;
    static readonly risks = risks;
    override readonly name = eventName as DecisionEventName & Name;
  };
}

const TOOL_CALL: Risks = ['LLM06:2025', 'ASI02', 'ASI03'];
const WAITING_CALL: Risks = ['LLM06:2025', 'ASI02', 'ASI09'];

export class PromptAllowed extends decisionEvent(
  'guardrails.prompt.allowed',
  'low',
  'A prompt, a document or a tool result passed.',
) {}
export class InjectionObserved extends decisionEvent(
  'guardrails.injection.observed',
  'medium',
  'A text matched a rule in monitor mode.',
  'of_rule',
) {}
export class InjectionBlocked extends decisionEvent(
  'guardrails.injection.blocked',
  'high',
  'A text was refused: a rule matched, or it could not be judged.',
  'of_rule',
) {}
export class ToolAllowed extends decisionEvent('guardrails.tool.allowed', 'low', 'A tool call passed.') {}
export class ToolRejected extends decisionEvent(
  'guardrails.tool.rejected',
  'medium',
  'The arguments of a tool call violate its schema.',
  TOOL_CALL,
) {}
export class ToolDenied extends decisionEvent(
  'guardrails.tool.denied',
  'high',
  'The principal may not call this tool.',
  TOOL_CALL,
) {}
export class ToolFrozen extends decisionEvent(
  'guardrails.tool.frozen',
  'high',
  'A tool call was refused because an operator froze its tool.',
  TOOL_CALL,
) {}
export class OutputClean extends decisionEvent(
  'guardrails.output.clean',
  'low',
  'An output had nothing to change.',
) {}
export class OutputSanitized extends decisionEvent(
  'guardrails.output.sanitized',
  'medium',
  'An output was changed, or would have been.',
  ['LLM02:2025', 'LLM05:2025'],
) {}
export class ToolParked extends decisionEvent(
  'guardrails.tool.parked',
  'medium',
  'A destructive call waits for approval.',
  WAITING_CALL,
) {}
export class ToolWouldPark extends decisionEvent(
  'guardrails.tool.would_park',
  'medium',
  'A destructive call ran without approval, because Approvals are in monitor mode.',
  WAITING_CALL,
) {}
export class PolicyAllowed extends decisionEvent(
  'guardrails.policy.allowed',
  'low',
  'A policy allowed a call of its tool without approval.',
) {}
export class PolicyDenied extends decisionEvent(
  'guardrails.policy.denied',
  'high',
  'A policy denied a call of its tool.',
  TOOL_CALL,
) {}
export class PolicyWouldDeny extends decisionEvent(
  'guardrails.policy.would_deny',
  'medium',
  'A call ran although its policy denies it, because Approvals are in monitor mode.',
  TOOL_CALL,
) {}
export class ApprovalVoted extends decisionEvent(
  'guardrails.approval.voted',
  'medium',
  'An approver voted for a pending call that needs more approvers. The vote that completes them is a decision.',
) {}
export class ApprovalProposed extends decisionEvent(
  'guardrails.approval.proposed',
  'medium',
  'An operator edited the arguments of a pending call. The edited call waits for approval instead.',
) {}
export class ApprovalReminded extends decisionEvent(
  'guardrails.approval.reminded',
  'medium',
  'A call is still pending after `hitl.remind_after`.',
) {}
export class ApprovalEscalated extends decisionEvent(
  'guardrails.approval.escalated',
  'high',
  'A call is still pending after `hitl.escalate_after`.',
) {}
export class ApprovalDecided extends decisionEvent(
  'guardrails.approval.decided',
  'medium',
  'A pending call was approved or rejected.',
) {}
export class ApprovalExecuted extends decisionEvent(
  'guardrails.approval.executed',
  'low',
  'An approved call ran.',
) {}
export class ApprovalFailed extends decisionEvent(
  'guardrails.approval.failed',
  'medium',
  'An approved call ran, and its tool failed.',
) {}
export class ApprovalOutcomeUnknown extends decisionEvent(
  'guardrails.approval.outcome_unknown',
  'high',
  'The outcome of an approved call is unknown: an operator has to check and resolve it.',
) {}
export class ApprovalExpired extends decisionEvent(
  'guardrails.approval.expired',
  'medium',
  'A pending call was not decided in time.',
) {}
export class ApprovalSuperseded extends decisionEvent(
  'guardrails.approval.superseded',
  'medium',
  'The tool, its arguments or the policy changed after approval, or no instance could run the call in time: it will not run.',
) {}

/** The list of decision events. */
export const DECISION_EVENTS = [
  PromptAllowed,
  InjectionObserved,
  InjectionBlocked,
  ToolAllowed,
  ToolRejected,
  ToolDenied,
  ToolFrozen,
  OutputClean,
  OutputSanitized,
  ToolParked,
  ToolWouldPark,
  PolicyAllowed,
  PolicyDenied,
  PolicyWouldDeny,
  ApprovalVoted,
  ApprovalProposed,
  ApprovalReminded,
  ApprovalEscalated,
  ApprovalDecided,
  ApprovalExecuted,
  ApprovalFailed,
  ApprovalOutcomeUnknown,
  ApprovalExpired,
  ApprovalSuperseded,
] as const;

/** The name of a decision event, such as `guardrails.tool.parked`. */
export type DecisionEventName = (typeof DECISION_EVENTS)[number]['eventName'];

const CLASSES = Object.fromEntries(DECISION_EVENTS.map((event) => [event.eventName, event])) as Readonly<
  Record<DecisionEventName, (typeof DECISION_EVENTS)[number]>
>;

/** Creates the decision event of this name. */
export function decisionEventOf(name: DecisionEventName, id: string, facts: DecisionFacts): DecisionMade {
  return new CLASSES[name](id, facts);
}

/** The risks that a finding is about; `null` for events that are no finding of a control. */
export function risksOfEvent(name: string, ruleId: string | null): readonly OwaspRisk[] | null {
  const risks = DECISION_EVENTS.find(({ eventName }) => eventName === name)?.risks ?? null;
  return risks === 'of_rule' ? owaspOfRule(ruleId ?? '') : risks;
}
