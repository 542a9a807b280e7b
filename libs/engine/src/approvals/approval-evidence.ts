import type { Approval, ApprovalStatus } from '#contracts/approvals.js';
import { ControlMode, type Outcome } from '#contracts/control-mode.js';
import type { DecisionEventName } from '#contracts/events.js';
import type { ToolArguments, ToolContext } from '#contracts/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { canonicalJson } from '../json/plain-json.js';
import type { DecisionDraft } from '../ports.js';

/** The evidence of a proposal. */
export function proposedBy(actorId: string): ApprovalStep {
  return { event: 'guardrails.approval.proposed', actorId };
}

const EVENTS: Readonly<Partial<Record<ApprovalStatus, DecisionEventName>>> = {
  pending: 'guardrails.tool.parked',
  approved: 'guardrails.approval.decided',
  rejected: 'guardrails.approval.decided',
  executed: 'guardrails.approval.executed',
  failed: 'guardrails.approval.failed',
  outcome_unknown: 'guardrails.approval.outcome_unknown',
  expired: 'guardrails.approval.expired',
  superseded: 'guardrails.approval.superseded',
};

const RAN: ReadonlySet<ApprovalStatus> = new Set(['approved', 'executed', 'failed', 'outcome_unknown']);

/** A step that leaves the approval pending. */
export interface ApprovalStep {
  readonly event: DecisionEventName;
  readonly actorId: string | null;
}

/** The audit record of a step, or of the transition to the approval's current status. */
export function approvalEvidence(
  approval: Approval,
  settings: Settings,
  rulesetVersion: string,
  step: ApprovalStep | null = null,
): DecisionDraft {
  const outcome: Outcome = RAN.has(approval.status) ? 'allowed' : 'blocked';
  const decided = approval.status === 'approved' || approval.status === 'rejected';
  const author = decided ? approval.decidedBy : approval.resolvedBy;
  const actorId = step === null ? author : step.actorId;
  const args = recordable(approval.arguments);
  return {
    event: step?.event ?? EVENTS[approval.status] ?? 'guardrails.approval.decided',
    control: 'hitl',
    outcome,
    mode: settings.mode('hitl').observes() ? ControlMode.monitor : ControlMode.enforce,
    origin: approval.status === 'pending' && step === null ? 'tool_call' : 'approval',
    text: canonicalJson(args),
    json: args,
    context: contextOf(approval),
    rulesetVersion,
    durationUs: 0,
    tool: approval.tool,
    approvalId: approval.id,
    ...(actorId === null ? {} : { actorId }),
  };
}

/**
 * A row changed in the database may contain values without canonical form; the transition is then recorded without
 * arguments.
 */
function recordable(args: ToolArguments | null): ToolArguments {
  try {
    canonicalJson(args);
    return args ?? {};
  } catch {
    return {};
  }
}

/** The context in which the call was parked. */
export function contextOf(approval: Approval): ToolContext {
  const { principalId, application, runId, requestId, stepName } = approval;
  return {
    stepName,
    ...(principalId === null ? {} : { principalId }),
    ...(application === null ? {} : { application }),
    ...(runId === null ? {} : { runId }),
    ...(requestId === null ? {} : { requestId }),
  };
}
